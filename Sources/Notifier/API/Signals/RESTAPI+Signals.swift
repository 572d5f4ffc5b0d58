import Crypto
import HTTP
import JSON
import Platform

/// `POST /signals`: what a program tells a person or asks them.
extension RESTAPI {
    static let signalRoutes = [
        APIRoute(.post, "/signals", access: .program, .sendSignal) { try await $0.sendSignal($1) }
    ]

    private struct Request: Decodable {
        var id: String
        var kind: String
        var title: String?
        var project: String?
        var body: String?
        var url: String?
        var run: String?
    }

    private struct Response: Encodable {
        var repeated: Bool
    }

    /// Which program asks.
    ///
    /// - Throws: `APIError.signalTokenMissing`, `signalTokenInvalid`.
    func program(of request: HTTPRequest) async throws -> SignalToken {
        guard let field = request.fields["authorization"] else { throw APIError.signalTokenMissing }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw APIError.signalTokenMissing }
        let digest = Self.digest(ofSignalToken: String(parts[1]))
        guard let token = try await context.store.read({ try $0.signalToken(digest: digest) }) else {
            throw APIError.signalTokenInvalid
        }
        return token
    }

    /// What is kept of a token. It is 256 random bits, so nobody finds it by its digest.
    static func digest(ofSignalToken token: String) -> [UInt8] { SHA256.digest(Array(token.utf8)) }

    private func sendSignal(_ call: APICall) async throws -> HTTPResponse {
        let token = try call.program
        if let pause = signals.take("\(token.id.rawValue)", at: context.time.monotonicNow) {
            throw APIError.tooManySignals(retryAfter: pause)
        }
        let signal = try Self.signal(try call.request.decodeBody(Request.self))
        let now = context.time.wallNow
        let intake = SignalIntake(pipeline: context.pipeline, entropy: context.entropy)
        let taken = try await context.store.transaction { store in
            // It may have been taken back, or muted, since the request was let in.
            guard let token = try store.signalToken(publicID: token.publicID, of: token.account) else {
                throw APIError.signalTokenInvalid
            }
            return try intake.take(signal, from: token, at: now, in: store)
        }
        tell(taken, signal, token, at: now)
        guard taken.result != .refused else {
            throw APIError.signalAskLimitReached(limit: SignalPolicy.openAskLimit)
        }
        return try .json(taken.result == .repeated ? 200 : 201, Response(repeated: taken.result == .repeated))
    }

    private func tell(_ taken: SignalIntake.Taken, _ signal: Signal, _ token: SignalToken, at now: WallTime) {
        if taken.result == .told { context.delivery.wakeSignal.send() }
        if taken.result == .held { context.digestSignal.send() }
        let account = Log.Field("account.id", .number(token.account.rawValue))
        taken.outcome?.write(to: context.log, account)
        taken.outcome?.measure(in: context.metrics, of: token.account, at: now)
        context.metrics.count(.signalsTaken, 1, [signal.kind.rawValue, taken.result.rawValue], of: token.account)
        context.log.write(
            taken.result == .refused ? .signalRefused : .signalTaken,
            [
                account, ("signal.token", .text(token.publicID)), ("signal.id", .text(signal.id)),
                ("signal.kind", .text(signal.kind.rawValue)), ("signal.result", .text(taken.result.rawValue)),
            ]
        )
    }

    /// - Throws: `APIError.invalidField` for the first member that cannot be taken.
    private static func signal(_ request: Request) throws(APIError) -> Signal {
        guard SignalInput.isID(request.id, SignalInput.idCharacters) else {
            throw .invalidField("id", expected: "1 to 64 letters, digits or any of ._:@/+=-")
        }
        guard let kind = Signal.Kind(rawValue: request.kind) else {
            let words = Signal.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw .invalidField("kind", expected: "one of \(words)")
        }
        if let run = request.run, !SignalInput.isID(run, SignalInput.runCharacters) {
            throw .invalidField("run", expected: "1 to 40 letters, digits or any of ._:@/+=-")
        }
        if let project = request.project, !SignalInput.isLine(project, SignalInput.projectCharacters) {
            throw .invalidField("project", expected: "1 to 100 characters without control characters")
        }
        if let body = request.body, !SignalInput.isText(body, SignalInput.bodyCharacters) {
            throw .invalidField(
                "body",
                expected: "at most 2000 characters; of control characters only tabs and new lines"
            )
        }
        if let url = request.url, !SignalInput.isURL(url) {
            throw .invalidField("url", expected: "an address with http or https of at most 900 characters")
        }
        if let title = request.title, !SignalInput.isLine(title, SignalInput.titleCharacters) {
            throw .invalidField("title", expected: "1 to 200 characters without control characters")
        }
        guard kind == .settled || request.title != nil else { throw .invalidField("title", expected: "present") }
        return Signal(
            id: request.id,
            kind: kind,
            title: request.title ?? "",
            project: request.project,
            body: request.body.flatMap { $0.isEmpty ? nil : $0 },
            webURL: request.url,
            run: request.run
        )
    }
}

extension RouteDescription {
    private static let kinds = APISchema.word(
        Signal.Kind.allCases.filter { $0 != .settled }.map(\.rawValue)
    )

    private static let signalID = APISchema.Property.required(
        "id",
        .matching(SignalInput.idPattern, length: SignalInput.idCharacters),
        "The program's own name for it: whatever is said of it again, by `kind`, is told once."
    )

    private static let details: [APISchema.Property] = [
        .optional(
            "project",
            .matching(SignalInput.linePattern, length: SignalInput.projectCharacters),
            "What the program works on, such as a repository."
        ),
        .optional(
            "body",
            .matching(SignalInput.textPattern, length: SignalInput.bodyCharacters),
            "More about it, in lines."
        ),
        .optional(
            "url",
            .matching(SignalInput.urlPattern, length: SignalInput.urlCharacters),
            "Where the person can see or decide it."
        ),
        .optional(
            "run",
            .matching(SignalInput.idPattern, length: SignalInput.runCharacters),
            "The run that it belongs to: notifications of one are grouped."
        ),
    ]

    fileprivate static let sendSignal = RouteDescription(
        "sendSignal",
        """
        Tells a person that a run ended, asks them for an approval, of which they are reminded, or says that nobody waits for that any more. \
        Whoever has no answer sends it again.
        """,
        body: .either([
            .object(
                [
                    signalID, .required("kind", kinds, "What is said."),
                    .required(
                        "title",
                        .matching(SignalInput.linePattern, length: SignalInput.titleCharacters),
                        "What it is about, in one line."
                    ),
                ] + details
            ),
            .object(
                [
                    signalID,
                    .required("kind", .word([Signal.Kind.settled.rawValue]), "What was asked under that id is over."),
                    .optional(
                        "title",
                        .matching(SignalInput.linePattern, length: SignalInput.titleCharacters),
                        "Told nobody."
                    ),
                ] + details
            ),
        ]),
        answers: [
            .json(201, "It was taken.", taken),
            .json(200, "It had been taken before: nothing is told again.", taken),
        ],
        errors: [
            .tooManySignals(retryAfter: .seconds(2)), .signalAskLimitReached(limit: SignalPolicy.openAskLimit),
        ],
        examples: [
            Example(
                "approval",
                "An agent may not go on without its person.",
                body: [
                    "id": "run-481/deploy", "kind": "approval_needed", "project": "my-repo",
                    "title": "Deploy the fix for the login", "url": "https://agents.example.com/runs/481",
                    "run": "run-481",
                ],
                status: 201,
                answer: ["repeated": false]
            ),
            Example(
                "again",
                "The answer was lost, and the agent asks again.",
                after: ["sendSignal"],
                body: [
                    "id": "run-481/deploy", "kind": "approval_needed", "project": "my-repo",
                    "title": "Deploy the fix for the login", "url": "https://agents.example.com/runs/481",
                    "run": "run-481",
                ],
                answer: ["repeated": true]
            ),
            Example(
                "settled",
                "It was approved where the agent runs.",
                after: ["sendSignal"],
                body: ["id": "run-481/deploy", "kind": "settled"],
                status: 201,
                answer: ["repeated": false]
            ),
        ]
    )

    private static let taken = APISchema.object([
        .required("repeated", .boolean, "Whether the program had said so before.")
    ])
}
