import Dispatch
import Glibc

/// Many connections to one server, each of which says the same and takes nothing, until the server has had enough of them.
struct HostileCrowd: Sendable {
    let port: UInt16
    var clients = 100
    /// What each says: a beginning, then the same over and over.
    var beginning: [UInt8] = []
    var repeated: [UInt8] = []
    /// Bytes that each would say at most.
    var limitBytes = 262_144

    /// Lets all of them come at once and say what the server takes; returns when each has been cut off, has nothing more to say, or
    /// finds that nothing is taken any more.
    func attack() async {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: "crowd").async {
                run()
                waiter.resume()
            }
        }
    }

    /// Lets all of them come, say their beginning and fall silent, and holds them there while `body` runs.
    func hold(_ body: () async throws -> Void) async rethrows {
        let open = (0..<clients).compactMap { _ in connection() }
        defer { open.forEach { close($0) } }
        for descriptor in open { send(descriptor, beginning, beginning.count, Int32(MSG_NOSIGNAL)) }
        try await body()
    }

    private struct Client {
        var descriptor: Int32
        var sent = 0
    }

    private func run() {
        var crowd = (0..<clients).compactMap { _ in connection().map { Client(descriptor: $0) } }
        let open = crowd.map(\.descriptor)
        defer { open.forEach { close($0) } }
        while !crowd.isEmpty {
            var set = crowd.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            // Nobody takes anything any more.
            guard poll(&set, nfds_t(set.count), 500) > 0 else { return }
            crowd = zip(crowd, set).compactMap { client, state in
                if state.revents & Int16(POLLERR | POLLHUP) != 0 { return nil }
                return state.revents & Int16(POLLOUT) == 0 ? client : speaking(client)
            }
        }
    }

    /// Says more; nil when the server has ended the connection or all has been said.
    private func speaking(_ client: Client) -> Client? {
        var client = client
        let bytes = client.sent < beginning.count ? Array(beginning[client.sent...]) : repeated
        guard client.sent < limitBytes, !bytes.isEmpty else { return nil }
        let count = send(client.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        guard count > 0 || errno == EAGAIN else { return nil }
        client.sent += max(0, count)
        return client
    }

    private func connection() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(descriptor) }
        return isConnected ? descriptor : nil
    }
}
