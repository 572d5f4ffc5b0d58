import Glibc

/// A connection to a server on this machine: says what it is told to, and hears it out.
enum Loopback {
    /// Sends `bytes`, ends its half, and reads to the end.
    ///
    /// - Returns: What the server said; nil when it could not be reached.
    static func exchange(_ bytes: [UInt8], port: UInt16) -> [UInt8]? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard connect(descriptor, port: port) else { return nil }
        say(bytes, to: descriptor)
        return readAll(descriptor)
    }

    /// Sends `bytes` as far as they are taken, and ends this half of the connection.
    static func say(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Of a port of this machine; with 0, of one that is free.
    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func connect(_ descriptor: Int32, port: UInt16) -> Bool {
        var address = address(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return said }
            said += buffer.prefix(count)
        }
    }
}
