import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import Glibc

/// An address and port as the system's calls take it.
struct SocketAddress {
    private var storage = sockaddr_storage()

    /// - Throws: `HTTPServerError.badAddress` when `text` is neither an IPv4 nor an IPv6 address.
    init(_ text: String, port: UInt16) throws(HTTPServerError) {
        var four = in_addr()
        var six = in6_addr()
        // The system would read no further than a zero byte.
        guard !text.utf8.contains(0) else { throw .badAddress(text) }
        if inet_pton(AF_INET, text, &four) == 1 {
            write(
                sockaddr_in(
                    sin_family: sa_family_t(AF_INET),
                    sin_port: port.bigEndian,
                    sin_addr: four,
                    sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)
                )
            )
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            write(
                sockaddr_in6(
                    sin6_family: sa_family_t(AF_INET6),
                    sin6_port: port.bigEndian,
                    sin6_flowinfo: 0,
                    sin6_addr: six,
                    sin6_scope_id: 0
                )
            )
        } else {
            throw .badAddress(text)
        }
    }

    private mutating func write<Address>(_ address: Address) {
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: Address.self) }
    }

    /// A socket that listens at the address that `text` names; belongs to the caller.
    ///
    /// - Throws: `HTTPServerError.badAddress`, `cannotListen`.
    static func listen(on text: String, port: UInt16) throws(HTTPServerError) -> Int32 {
        let place = try SocketAddress(text, port: port)
        do throws(SocketFailure) {
            return try place.listen()
        } catch {
            throw .cannotListen(address: text, port: port, reason: error.reason)
        }
    }

    /// A socket that listens there; belongs to the caller.
    ///
    /// - Throws: `SocketFailure`.
    func listen() throws(SocketFailure) -> Int32 {
        let descriptor = socket(Int32(storage.ss_family), Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard descriptor >= 0 else { throw SocketFailure(number: errno) }
        var yes: Int32 = 1
        // A server that starts again need not wait for the connections of its predecessor to be forgotten.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if storage.ss_family == sa_family_t(AF_INET6) {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard withPointer({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            let number = errno
            close(descriptor)
            throw SocketFailure(number: number)
        }
        return descriptor
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    private func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let size =
            storage.ss_family == sa_family_t(AF_INET) ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
        }
    }

    /// The port that a socket is bound to.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
            // Both kinds of address have the port in the same place.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port.bigEndian }
        }
    }

    /// The network that an address is of. What is no IPv4 or IPv6 address is of one network.
    static func network(of address: UnsafePointer<sockaddr>?) -> ClientNetwork {
        guard let address else { return ClientNetwork(isIPv4: true, bits: 0) }
        let raw = UnsafeRawPointer(address)
        // As below.
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            let host = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
            return ClientNetwork(isIPv4: true, bits: UInt64(UInt32(bigEndian: host.s_addr)))
        case AF_INET6:
            let host = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
            return withUnsafeBytes(of: host) { ClientNetwork(of: Array($0)) }
        default: return ClientNetwork(isIPv4: true, bits: 0)
        }
    }

    /// The address without its port, as text.
    static func text(of address: UnsafePointer<sockaddr>) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let raw = UnsafeRawPointer(address)
        // Linux has the family first; which module declares it depends on which one the compiler reads first.
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            var host = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
            inet_ntop(AF_INET, &host, &buffer, socklen_t(buffer.count))
        case AF_INET6:
            var host = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
            inet_ntop(AF_INET6, &host, &buffer, socklen_t(buffer.count))
        default: return ""
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The system refused something about a socket.
struct SocketFailure: Error {
    var number: Int32

    var reason: String { String(cString: strerror(number)) }
}
