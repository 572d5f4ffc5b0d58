extension HTTPOrigin {
    /// The same origin in the one form in which two texts for it are equal: without the dot that may end a host's name, and an IPv6
    /// address as RFC 5952 writes it. Letter case and a default port make no difference to begin with. Another spelling of an IPv4 address,
    /// in fewer or octal numbers, stays what it is: another host.
    package var normal: HTTPOrigin {
        var host = host
        if host.hasSuffix(".") { host.removeLast() }
        if let address { host = address.isIPv4 ? address.description : "[\(address.description)]" }
        return HTTPOrigin(scheme: scheme, host: host, port: port)
    }

    /// The host's address where it is written as one.
    package var address: IPAddress? {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return IPAddress(host).flatMap { $0.isIPv4 ? $0 : nil } }
        return IPAddress(host.dropFirst().dropLast()).flatMap { $0.isIPv4 ? nil : $0 }
    }

    /// Whether what is sent there stays on this machine.
    package var isLoopback: Bool {
        address?.isLoopback ?? (normal.host == "localhost")
    }

    /// True for a host that some programs take for an IPv4 address although it is not written as four decimal numbers: its last part is a
    /// number, decimal or hexadecimal (WHATWG URL §3.5).
    package var isOddNumber: Bool {
        guard address == nil, let last = normal.host.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }
}
