import HTTP
import Platform

extension FuzzTarget {
    /// Answers of GitLab, each with the end of the path that it answers (`200 /notes`), with `---` between them: the whole
    /// notifier polls them for some minutes.
    static let polling = FuzzTarget("polling") { bytes in
        let answers = MessageText.sequence(bytes, limit: 16).compactMap { message in
            message.response.flatMap { response in
                message.words.count > 1 && !message.words[1].isEmpty ? (message.words[1], response) : nil
            }
        }
        guard !answers.isEmpty else { return }
        guard
            let server = try? FuzzedNotifier(script: { request in
                guard request.origin == FuzzedNotifier.origin else {
                    return answers.first { $0.0 == "push" }?.1
                }
                return answers.first { request.path.hasSuffix($0.0) }?.1
            })
        else { return promise(false, "the notifier starts") }
        defer { server.discard() }
        promise(server.signIn() != nil, "a person can sign in")
        server.beginScript()
        server.run(for: .minutes(12))
        // Whatever GitLab said, people are served.
        let health = server.answer(HTTPRequest(method: .get, origin: FuzzedNotifier.origin, target: "/health"))
        promise(health?.status == 200, "the API answers: \(health.map { "\($0.status)" } ?? "nothing")")
        promise(server.log.internalFailures.isEmpty, "\(server.log.internalFailures)")
    }
}
