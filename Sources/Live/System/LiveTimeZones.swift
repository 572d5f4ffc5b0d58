import Glibc
import Platform

/// The system's tz database (Debian package `tzdata`).
package struct LiveTimeZones: TimeZoneSource {
    /// The largest file of the database has some 4 KiB.
    private static let limitBytes = 65_536
    private let folder: String

    package init() {
        self.init(folder: "/usr/share/zoneinfo")
    }

    init(folder: String) {
        self.folder = folder
    }

    package func zoneFile(_ identifier: String) -> [UInt8]? {
        // The name comes from outside: no part of it may lead elsewhere.
        let parts = identifier.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy(Self.isPart) else { return nil }
        guard let file = fopen("\(folder)/\(identifier)", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Self.limitBytes)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count < Self.limitBytes, bytes.starts(with: Array("TZif".utf8)) else { return nil }
        return Array(bytes.prefix(count))
    }

    private static func isPart(_ part: Substring) -> Bool {
        (1...32).contains(part.utf8.count)
            && part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
    }
}
