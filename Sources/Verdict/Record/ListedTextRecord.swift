package import Scenarios

/// What an app listed of a notification, or of somebody who waits, when it did so first: its words, and where a tap leads.
package struct ListedTextRecord: Sendable, Equatable {
    /// What the words are of.
    package enum Subject: Sendable, Equatable {
        /// The notification of that id.
        case notification(String)
        /// Somebody waits on the item.
        case ask(on: ItemReference)
    }

    /// So many characters of a text are kept.
    private static let longest = 200

    package var at: Duration
    package var person: Username
    package var device: DeviceName
    package var subject: Subject
    package var title: String
    /// What stands below the title, or the title of the item that is waited on: its beginning.
    package var text: String
    /// Whether more followed.
    var isTextCut: Bool
    package var address: String?

    package init(
        at: Duration,
        person: Username,
        device: DeviceName,
        subject: Subject,
        title: String,
        text: String,
        address: String?
    ) {
        (self.at, self.person, self.device, self.subject) = (at, person, device, subject)
        let beginning = String(text.prefix(Self.longest))
        (self.title, self.text, self.address) = (title, beginning, address)
        isTextCut = beginning.utf8.count < text.utf8.count
    }
}
