import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import Glibc

/// Makes a listener as silent as an address without a machine: the kernel drops whoever wants to connect while the queue of those that
/// nobody accepts is full (listen(2)), and here one connection of our own fills it.
struct DeadListener {
    private let listener: Int32
    private let filler: Int32

    /// Nil without a descriptor for it.
    init?(_ listener: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        filler = socket(Self.family(of: listener), Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        self.listener = listener
        guard filler >= 0 else { return nil }
        Glibc.listen(listener, 0)
        let filler = filler
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(listener, address, &size)
                // Within the machine it is there before the call returns.
                connect(filler, address, size)
            }
        }
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    private static func family(of listener: Int32) -> Int32 {
        var family: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(listener, SOL_SOCKET, SO_DOMAIN, &family, &size)
        return family
    }

    /// Lets clients connect again; those that wait do as soon as they try once more.
    func revive() {
        close(filler)
        let left = accept(listener, nil, nil)
        if left >= 0 { close(left) }
        Glibc.listen(listener, SOMAXCONN)
    }
}
