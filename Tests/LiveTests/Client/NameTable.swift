import Glibc
import Synchronization

/// What names stand for in these tests. Names below `test` belong to it (RFC 6761 §6.2), all others to the system.
///
/// The program that runs the tests has a `getaddrinfo` of its own, which libraries find before the system's (`Package.swift` tells
/// the linker to show it): so a test decides what libcurl learns of a name, and no question leaves the machine.
final class NameTable: Sendable {
    struct NotInPlace: Error {}

    /// - Throws: `NotInPlace` where libraries would ask the system instead.
    static var shared: NameTable {
        get throws {
            // The value of `RTLD_DEFAULT`, a cast macro: what a library finds first.
            guard let found = dlsym(nil, "getaddrinfo"), found != systemAddress else { throw NotInPlace() }
            return table
        }
    }

    fileprivate static let table = NameTable()

    private struct State {
        var addresses: [String: [String]] = [:]
        var questions: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// From now on the name stands for these addresses; for none it is not known.
    func set(_ name: String, _ addresses: [String]) {
        state.withLock { $0.addresses[name] = addresses }
    }

    /// How often somebody asked for the name.
    func questions(for name: String) -> Int {
        state.withLock { $0.questions[name, default: 0] }
    }

    /// Nil for a name of the system's.
    fileprivate func addresses(of name: String) -> [String]? {
        guard name.hasSuffix(".test") else { return nil }
        return state.withLock { state in
            state.questions[name, default: 0] += 1
            return state.addresses[name, default: []]
        }
    }
}

private typealias Resolve =
    @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
        UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
    ) -> CInt

/// The system's, which comes from its C library.
///
/// Unchecked: never changes.
nonisolated(unsafe) private let systemAddress = dlsym(dlopen("libc.so.6", RTLD_LAZY), "getaddrinfo")
private let systemResolve = systemAddress.map { unsafeBitCast($0, to: Resolve.self) }

/// Stands in for the system's function of this name, in the tests only.
@_cdecl("getaddrinfo")
func resolveForTests(
    _ name: UnsafePointer<CChar>?,
    _ service: UnsafePointer<CChar>?,
    _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> CInt {
    guard let systemResolve else { return EAI_SYSTEM }
    guard let name, let addresses = NameTable.table.addresses(of: String(cString: name)) else {
        return systemResolve(name, service, hints, result)
    }
    // The system makes each entry, so that it can free the list.
    var first: UnsafeMutablePointer<addrinfo>?
    for address in addresses.reversed() {
        var entry: UnsafeMutablePointer<addrinfo>?
        guard systemResolve(address, service, hints, &entry) == 0, let entry else { continue }
        entry.pointee.ai_next = first
        first = entry
    }
    result?.pointee = first
    return first == nil ? EAI_NONAME : 0
}
