/// Where a server is: scheme, host and port, such as `https://notifier.example.com`.
///
/// The session goes there with every request, so `http` is for this machine alone, unless whoever signs in says otherwise.
public struct ServerAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Why a text is no address of a server.
    public enum Failure: Error, Sendable, Equatable {
        /// Not `https://host` or `https://host:port`.
        case malformed
        /// `http` to another machine: everybody on the way could read the session.
        case plainHTTP
    }

    /// `https` or `http`.
    public let scheme: String
    /// In lower case; an IPv6 address in brackets.
    public let host: String
    /// The scheme's own unless the address names another.
    public let port: Int

    /// Reads `https://host[:port]`, with at most one `/` behind it; a text without a scheme is one of `https`.
    ///
    /// - Throws: `malformed`, or `plainHTTP` unless the host is this machine or `allowsPlainHTTP` is true.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(Failure) {
        let lower = text.lowercased()
        let isPlain = lower.hasPrefix("http://")
        let dropped = isPlain ? 7 : lower.hasPrefix("https://") ? 8 : 0
        var rest = lower.dropFirst(dropped)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, rest.utf8.count <= 300, rest.utf8.allSatisfy(Self.isAuthorityByte) else {
            throw .malformed
        }
        scheme = isPlain ? "http" : "https"
        if let colon = rest.lastIndex(of: ":"), rest.last != "]" {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0, colon > rest.startIndex else {
                throw .malformed
            }
            (host, port) = (String(rest[..<colon]), Int(number))
        } else {
            (host, port) = (String(rest), isPlain ? 80 : 443)
        }
        guard host.hasPrefix("[") == host.hasSuffix("]"), host.hasPrefix("[") || !host.contains(":") else {
            throw .malformed
        }
        guard !isPlain || allowsPlainHTTP || isLoopback else { throw .plainHTTP }
    }

    /// Whether what is sent there stays on this machine.
    public var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Host, and the port where it is not the scheme's own.
    public var authority: String { port == (scheme == "http" ? 80 : 443) ? host : "\(host):\(port)" }

    /// In words, without anything secret.
    public var description: String { "\(scheme)://\(authority)" }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
