import CCurl  // Its header brings the declarations of threads, which then count as its own.
import Glibc

/// Threads for C libraries that block.
enum LiveThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own, which ends with it; false when the system gives none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // Released by the thread.
        let context = Unmanaged.passRetained(Body(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        if result != 0 { context.release() }
        return result == 0
    }
}
