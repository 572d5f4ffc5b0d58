import Live
import Platform

/// Servers that answer, beside the thread on which their world lives.
final class LiveServing {
    private let gitlab: HTTPServer
    private let apns: [HTTP2Server]
    private let control: HTTPServer?
    private let task: Task<Void, Never>

    init(_ sockets: ServedSockets) {
        let (gitlab, apns, control) = (sockets.gitlab, sockets.apns, sockets.control)
        self.gitlab = gitlab
        self.apns = apns
        self.control = control
        // Cancelled by `end`, which every way out of the command comes by.
        task = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await gitlab.run() }
                for server in apns { group.addTask { await server.run() } }
                if let control { group.addTask { await control.run() } }
            }
        }
    }

    /// Ends every server in order: clients of APNs are told by GOAWAY. Blocks the calling thread.
    func end(within deadline: Duration) {
        let (gitlab, apns, control, task) = (gitlab, apns, control, task)
        LiveBlocking.result {
            await withDiscardingTaskGroup { group in
                group.addTask { await gitlab.stop(within: deadline) }
                for server in apns { group.addTask { await server.stop(within: deadline) } }
                if let control { group.addTask { await control.stop(within: deadline) } }
            }
            task.cancel()
            await task.value
        }
    }
}
