import HTTP
import SQLite
import Testing

@testable import Notifier

/// Whatever changes what an account's routes show tells its apps, by `dataVersion`.
struct DataVersionTests {
    /// What each route that may change something does to the number. A new route stands here, or the first test fails.
    private static let rises: [String: Bool] = [
        "addWatch": true, "removeWatch": true, "muteWatch": true, "unmuteWatch": true, "muteDuty": true,
        "unmuteDuty": true,
        "syncWatch": true, "watchFromNotification": true, "dismissFromNotification": true,
        "undismissFromNotification": true, "putSettings": true, "denyActor": true, "allowActor": true,
        "registerDevice": true, "removeDevice": true, "removeOwnDevice": true, "unregisterDevice": true,
        "makeSignalToken": true, "revokeSignalToken": true, "muteSignals": true, "unmuteSignals": true,
        "sendSignal": true,
        "exchangePairing": true, "revokeAll": true, "markRead": true,
        // Its example finds nothing to import, as the next one has been delivered and not opened.
        "importWatches": false, "receive": false,
        "settleAsk": true, "acknowledge": false, "sendTest": false, "redrive": false, "startPairing": false,
        "refresh": false, "pushChanges": true,
        "makeDuty": true, "changeDuty": true, "endDuty": true, "addDutyMember": true, "removeDutyMember": true,
        "completeOccurrence": true, "skipOccurrence": true, "reassignOccurrence": true, "inviteToDuty": false,
    ]

    /// The account's numbers, from the database: the session may have ended.
    private func versions(_ bench: ContractBench) throws -> AccountVersions? {
        let store = Store(try bench.server.openDatabase())
        return try store.database.first("SELECT id FROM accounts ORDER BY id LIMIT 1") {
            AccountID(rawValue: $0.int64(0))
        }
        .flatMap { try store.versions(of: $0) }
    }

    static let changing = RESTAPI.routes.filter { $0.method != .get }.map(\.description.operationID)

    @Test(arguments: changing)
    func `a route that changes what is shown raises the number, and no other does`(operation: String) throws {
        let bench = try ContractBench()
        let route = try ContractBench.route(operation)
        // Leaving ends the account; and before there is a session there is none.
        guard operation != "removeAccount", route.access != .open || Self.rises[operation] != nil else { return }
        guard let example = route.description.examples.first, example.status < 400 else { return }
        try bench.prepare(example, of: route)
        let before = try versions(bench)
        try bench.replay(example, of: route, isCompared: false)
        let after = try versions(bench)
        guard let expected = Self.rises[operation] else {
            Issue.record("say whether \(operation) changes what an account's routes show")
            return
        }
        let (old, new) = (try #require(before), try #require(after))
        #expect((new.data > old.data) == expected, "\(old.data) → \(new.data)")
        #expect(new.notifications - old.notifications == (["sendTest", "sendSignal"].contains(operation) ? 1 : 0))
    }
}
