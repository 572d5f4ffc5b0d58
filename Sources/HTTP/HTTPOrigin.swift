/// Scheme, host and port: what a credential is bound to (RFC 6454). Printed as `https://gitlab.example.com:8443`.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// Host name in lower case, or an address.
    package let host: String
    let port: UInt16

    package init(scheme: String, host: String, port: UInt16? = nil) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port ?? (self.scheme == "http" ? 80 : 443)
    }

    /// Reads `scheme://host[:port]`, with at most a `/` behind it; nil when `text` is anything else.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.range(ofSeparator: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = text[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, rest.utf8.allSatisfy(Self.isAuthorityByte) else { return nil }
        guard let portColon = rest.lastIndex(of: ":"), rest.last != "]" else {
            self.init(scheme: scheme, host: String(rest))
            return
        }
        guard let port = UInt16(rest[rest.index(after: portColon)...]), portColon > rest.startIndex else { return nil }
        self.init(scheme: scheme, host: String(rest[..<portColon]), port: port)
    }

    /// Host, and the port where it is not the scheme's default.
    package var authority: String {
        port == (scheme == "http" ? 80 : 443) ? host : "\(host):\(port)"
    }

    package var description: String { "\(scheme)://\(authority)" }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension StringProtocol {
    /// The first place where `separator` stands.
    fileprivate func range(ofSeparator separator: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(separator) {
                return start..<index(start, offsetBy: separator.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
