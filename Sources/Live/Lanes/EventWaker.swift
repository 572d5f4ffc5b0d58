import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc

/// A descriptor that becomes readable when somebody wakes the thread that polls it.
final class EventWaker: LaneWaker {
    let descriptor: Int32

    /// Nil when the system has no descriptor for it.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func wake() {
        eventfd_write(descriptor, 1)
    }

    /// Makes it wait for the next one.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
