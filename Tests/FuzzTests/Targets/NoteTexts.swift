import FakeAPNs
import HTTP
import Platform

@testable import Notifier

extension FuzzTarget {
    /// What somebody wrote on GitLab: read for mentions and system notes, and put into a push.
    static let noteTexts = FuzzTarget("note-texts") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let blanked = MarkdownCode.blanked(Array(text.utf8))
        promise(blanked.count == text.utf8.count, "blanking code moves nothing")
        _ = MentionParser(username: "anna").isMentioned(in: text)
        _ = SystemNote(body: text).action(for: "anna")
        let cut = JSONText.prefix(text, encodedLimit: 240)
        promise(JSONText.encodedLength(cut) <= 240, "a text is cut to its room")
        promise(payload(text).map { $0.count <= 4_096 } ?? false, "a push is never too large")
    }

    private static func payload(_ text: String) -> [UInt8]? {
        try? PayloadComposer.encode(
            PushPayload(
                aps: PushPayload.Apple(
                    alert: PushPayload.Alert(title: text, subtitle: text, body: text),
                    badge: 1,
                    sound: "default",
                    category: NotificationCategory.allCases[0],
                    threadID: "42!847",
                    interruptionLevel: .active
                ),
                data: PushPayload.Content(
                    notificationId: "n",
                    type: "activity",
                    actionType: text,
                    projectPath: text,
                    webUrl: text,
                    actor: PushPayload.Person(name: text, username: text, avatarUrl: text),
                    batchCount: 1,
                    facts: [text, "note:42:1"]
                )
            )
        )
    }
}
