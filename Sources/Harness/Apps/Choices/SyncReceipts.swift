import FoundationEssentials
import NotifierKit

/// What the server has answered to changes of one device, by their ids, as it stood on the wire.
struct SyncReceipts {
    /// What became of a change.
    enum Answer {
        /// It was taken; this holds now, which a later change of the same device may have decided.
        case holds(SyncReceipt.Held)
        /// Another device's choice stands.
        case lost(SyncReceipt.Held)
        case refused
    }

    private var answers: [String: Answer] = [:]
    private var dates: [String: Date] = [:]

    /// Takes an answer to an envelope; true when another device chose something that this one did not know.
    mutating func take(_ body: [UInt8]) -> Bool {
        guard let receipt = try? WireCoding.decode(SyncReceipt.self, Data(body)) else { return false }
        for change in receipt.applied {
            answers[change.id] = .holds(change.value)
            dates[change.id] = change.changedAt
        }
        for conflict in receipt.conflicts where conflict.winner == "theirs" {
            answers[conflict.id] = .lost(conflict.theirs)
        }
        for change in receipt.refused { answers[change.id] = .refused }
        return !receipt.conflicts.isEmpty
    }

    /// Whether a device that had something was told to begin anew.
    static func isReset(_ request: TransportRequest, _ body: [UInt8]) -> Bool {
        guard request.method == "GET", request.target.hasPrefix("/sync?since=") else { return false }
        return (try? WireCoding.decode(SyncPage.self, Data(body)))?.reset == true
    }

    /// The kit has settled a change; nil when the server has said nothing of it.
    mutating func settle(_ id: String) -> Answer? {
        dates[id] = nil
        return answers.removeValue(forKey: id)
    }

    /// When a change that the kit has not settled counts as made; nil where the server has not said it.
    func date(of id: String) -> Date? { dates[id] }

    private struct Envelope: Decodable {
        struct Change: Decodable { var id: String }
        var changes: [Change]
    }

    /// The ids of the changes in an envelope.
    static func changes(in body: [UInt8]) -> [String] {
        (try? WireCoding.decode(Envelope.self, Data(body)))?.changes.map(\.id) ?? []
    }

    /// The id of the change of that number.
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }
}

extension TransportRequest {
    /// Whether it brings changes of a device.
    var isEnvelope: Bool { method == "POST" && target == "/sync" }
}
