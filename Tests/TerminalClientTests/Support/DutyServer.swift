import FoundationEssentials
import NotifierKit
import Synchronization

/// A server with one duty, that tells it once and takes what is sent.
final class DutyServer: Transport {
    static let duty = "6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2b"
    static let maria = "00000000-0000-4000-8000-000000000001"
    static let lea = "00000000-0000-4000-8000-000000000002"
    /// The ids of its first two occurrences.
    static let turns = ["cec3dbe3-7ace-5bbd-87e9-859bc0d62dc6", "2b2637af-d9c8-5216-a767-73632ab208cf"]

    /// One change of an envelope, as far as tests look at it.
    struct Change: Decodable {
        var id: String
        var changedAt: Date
        var entity: String
        var occurrenceId: String?
        var mutedUntil: Date?
        var completionId: String?
        var reassignmentId: String?
        var kind: String?
        var to: String?
        var note: String?
    }

    private struct Envelope: Decodable {
        var changes: [Change]
    }

    struct State {
        var isAway = false
        /// What it refuses changes with; nil while it takes them.
        var refusal: String?
        var revision = 5
        var changes: [Change] = []
        /// `METHOD path` of all that was asked.
        var lines: [String] = []
    }

    private let state = Mutex(State())

    /// What it was sent so far.
    var changes: [Change] { state.withLock { $0.changes } }

    /// What it was asked so far.
    var lines: [String] { state.withLock { $0.lines } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let text = state.withLock { Self.answer(request, &$0) }
        guard let text else { throw .cannotConnect }
        return TransportResponse(status: 200, body: Data(text.utf8))
    }

    private static func answer(_ request: TransportRequest, _ state: inout State) -> String? {
        let path = request.target.prefix { $0 != "?" }
        state.lines.append("\(request.method) \(path)")
        guard !state.isAway, path == "/sync" else { return nil }
        guard request.method == "POST" else {
            let isFirst = !request.target.contains("since=")
            return page(isFirst ? told : "", state.revision, isFirst)
        }
        guard let envelope = try? WireCoding.decode(Envelope.self, request.body) else { return nil }
        state.changes += envelope.changes
        if let refusal = state.refusal {
            let refused = envelope.changes.map {
                #"{"id":"\#($0.id)","code":"\#(refusal)","message":"There is no such occurrence.","hint":"Look again."}"#
            }
            return receipt(state.revision, refused: refused)
        }
        state.revision += 1
        return receipt(state.revision, applied: envelope.changes.map(applied))
    }

    private static func receipt(_ revision: Int, applied: [String] = [], refused: [String] = []) -> String {
        """
        {"revision":\(revision),"applied":[\(applied.joined(separator: ","))],"conflicts":[],\
        "refused":[\(refused.joined(separator: ","))]}
        """
    }

    private static func applied(_ change: Change) -> String {
        guard change.entity != "dutyMute" else {
            let end = change.mutedUntil.map { #","mutedUntil":"\#(WireCoding.instant($0))""# } ?? ""
            return #"{"id":"\#(change.id)","entity":"dutyMute","value":{"dutyId":"\#(duty)"\#(end)}}"#
        }
        let index = change.occurrenceId == turns[0] ? 0 : 1
        let status = change.completionId == nil ? "reassigned" : change.kind == "skip" ? "skipped" : "completed"
        let event = change.completionId ?? change.reassignmentId ?? ""
        let decision = #""decidedBy":"\#(event)","decidedAt":"\#(WireCoding.instant(change.changedAt))""#
        let value = turn(index, change.to ?? maria, status, ",\(decision)")
        return #"{"id":"\#(change.id)","entity":"\#(change.entity)","value":\#(value)}"#
    }

    private static func page(_ changes: String, _ revision: Int, _ isReset: Bool) -> String {
        """
        {"revision":\(revision),"changes":{"watches":[],"choices":[],"deniedActors":[],"readMarks":[]\(changes)},\
        "deleted":[],"hasMore":false,"reset":\(isReset)}
        """
    }

    /// Every day at half past two in the afternoon; Maria is the one who is signed in.
    private static let told = """
        ,"duties":[{"dutyId":"\(duty)","title":"Triage","everyDays":1,"startOn":"2026-03-02","timeOfDay":"14:30",\
        "timeZone":"Europe/Berlin","leadHours":0,"mode":"alternate","escalates":false,"baseIndex":0,"baseQueue":[],\
        "changedAt":"2026-03-02T08:00:00.000Z"}],\
        "members":[\(member(maria, "Maria", 1)),\(member(lea, "Lea", 2))],\
        "occurrences":[\(turn(0, maria, "pending")),\(turn(1, lea, "pending"))]
        """

    private static func member(_ id: String, _ name: String, _ place: Int) -> String {
        """
        {"memberId":"\(id)","dutyId":"\(duty)","name":"\(name)","position":\(place),"hasAccount":true,\
        "isYou":\(place == 1),"joinedAt":"2026-03-02T08:00:00.000Z"}
        """
    }

    private static func turn(_ index: Int, _ assignee: String, _ status: String, _ decision: String = "") -> String {
        """
        {"occurrenceId":"\(turns[index])","dutyId":"\(duty)","index":\(index),\
        "dueAt":"2026-03-0\(2 + index)T13:30:00.000Z","assignee":"\(assignee)","status":"\(status)"\(decision)}
        """
    }
}
