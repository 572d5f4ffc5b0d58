public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a device wants to hold from now on, as it goes into an envelope.
public struct SyncChange: Sendable, Equatable, Codable {
    /// What is wanted.
    public enum Wanted: Sendable, Equatable, Codable {
        case watch(ItemReference)
        case unwatch(ItemReference)
        case dismiss(ItemReference)
        /// Silent until then; nil lets it speak again.
        case mute(ItemReference, until: Date?)
        /// Whether somebody, by GitLab's number, is on the deny-list.
        case deny(Int64, Bool, displayName: String?, reason: String?)
        /// Those settings that it names, each by itself.
        case settings(SettingsChange)
        /// Whether a notification is read.
        case read(String, Bool)
        /// Something about what several people do in turn.
        case duty(DutyWish)
    }

    /// 1 to 64 letters, digits and hyphens, another one for each change of the envelope. Of two changes of this device at one instant the
    /// one with the larger id wins.
    public var id: String
    /// By this device's clock.
    public var changedAt: Date
    /// What is wanted.
    public var wanted: Wanted

    /// A change of that id.
    public init(id: String, changedAt: Date, wanted: Wanted) {
        (self.id, self.changedAt, self.wanted) = (id, changedAt, wanted)
    }
}

/// What became of an envelope. Every change stands in `applied`, in `conflicts` with the other device as the winner, or in `refused`.
public struct SyncReceipt: Sendable, Equatable, Decodable {
    /// What holds now of the thing that a change is about.
    public enum Held: Sendable, Equatable {
        /// `watched`, `unwatched` or `dismissed`.
        case choice(ItemReference, String)
        /// Until when the item says nothing; nil when it is not muted.
        case mute(ItemReference, until: Date?)
        /// Whether they are on the deny-list.
        case deniedActor(DeniedActor, Bool)
        case settings(PersonSettings)
        case readMark(String, Bool)
        /// A duty as it is now, without its members.
        case duty(SharedDuty)
        case member(SharedDuty.Member)
        /// How an occurrence stands after what happened to it.
        case turn(SharedDuty.Turn)
        /// Until when a duty tells the person nothing.
        case dutyMute(DutyMute)
        /// What this program does not know.
        case other
    }

    /// A change that holds now.
    public struct Applied: Sendable, Equatable, Decodable {
        /// The change's.
        public var id: String
        /// What holds, which a later change of this device may have decided.
        public var value: Held
        /// When the change counts as made; nil where the server does not say it.
        public var changedAt: Date?

        private enum CodingKeys: CodingKey { case id, entity, value, changedAt }

        /// Reads what an answer holds.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            value = try Held(container.decode(String.self, forKey: .entity), in: container.superDecoder(forKey: .value))
            changedAt = try container.decodeIfPresent(Date.self, forKey: .changedAt)
        }
    }

    /// A change that met another device's.
    public struct Conflict: Sendable, Equatable, Decodable {
        /// The change's.
        public var id: String
        /// `yours` or `theirs`.
        public var winner: String
        /// What the other device chose.
        public var theirs: Held

        private enum CodingKeys: CodingKey { case id, entity, winner, theirs }

        /// Reads what an answer holds.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            winner = try container.decode(String.self, forKey: .winner)
            theirs = try Held(
                container.decode(String.self, forKey: .entity),
                in: container.superDecoder(forKey: .theirs)
            )
        }
    }

    /// A change that cannot be, in the server's words.
    public struct Refused: Sendable, Equatable, Decodable {
        /// The change's.
        public var id: String
        /// As in an error's answer.
        public var code: String
        /// For people.
        public var message: String
        /// What to do about it.
        public var hint: String
    }

    /// The account's, with the changes in it. Others may have changed things, too, so the device asks with its own.
    public var revision: UInt64
    /// What holds now.
    public var applied: [Applied]
    /// Where another device chose, unknown to this one.
    public var conflicts: [Conflict]
    /// What changed nothing.
    public var refused: [Refused]

    /// Whether the server has taken some changes and had no time for others.
    var leavesForLater: Bool { !held.isEmpty && refused.contains { $0.code == SyncReceipt.later } }

    /// What it refuses those with.
    static let later = "watch_later"

    /// What holds now by each change's id, of those that were not refused.
    var held: [String: Held] {
        var held: [String: Held] = [:]
        for change in applied { held[change.id] = change.value }
        for conflict in conflicts where conflict.winner == "theirs" { held[conflict.id] = conflict.theirs }
        return held
    }
}

extension SyncReceipt.Held {
    private enum CodingKeys: CodingKey { case choice, mutedUntil, denied, notificationId, read, title, name, status }

    /// What stands for a thing of that kind.
    init(_ entity: String, in decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch entity {
        case "choice":
            self = .choice(
                try WireItem(from: decoder).reference,
                try container.decode(String.self, forKey: .choice)
            )
        case "mute":
            self = .mute(
                try WireItem(from: decoder).reference,
                until: try container.decodeIfPresent(Date.self, forKey: .mutedUntil)
            )
        case "deniedActor":
            self = .deniedActor(try DeniedActor(from: decoder), try container.decode(Bool.self, forKey: .denied))
        case "settings": self = .settings(try PersonSettings(from: decoder))
        case "readMark":
            self = .readMark(
                try container.decode(String.self, forKey: .notificationId),
                try container.decode(Bool.self, forKey: .read)
            )
        // What is no more has its id alone.
        case "duty" where container.contains(.title): self = .duty(try SharedDuty(from: decoder))
        case "dutyMute": self = .dutyMute(try DutyMute(from: decoder))
        case "dutyMember" where container.contains(.name): self = .member(try SharedDuty.Member(from: decoder))
        case "completion" where container.contains(.status), "reassignment" where container.contains(.status):
            self = .turn(try SharedDuty.Turn(from: decoder))
        default: self = .other
        }
    }
}

/// What has changed since a revision.
public struct SyncPage: Sendable, Equatable, Decodable {
    /// The last choice about an item.
    public struct Choice: Sendable, Equatable, Decodable {
        /// Which item.
        public var item: ItemReference
        /// `watched`, `unwatched` or `dismissed`.
        public var choice: String

        private enum CodingKeys: CodingKey { case choice }

        /// Reads what an answer holds.
        public init(from decoder: any Decoder) throws {
            item = try WireItem(from: decoder).reference
            choice = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .choice)
        }
    }

    /// Whether a notification is read.
    public struct ReadMark: Sendable, Equatable, Decodable {
        /// The notification's id.
        public var notificationId: String
        /// False: unread again.
        public var read: Bool
    }

    /// Each thing as it is now.
    public struct Changes: Sendable, Equatable, Decodable {
        /// Entries of the watch list, with their mutes.
        public var watches: [WatchedItem]
        /// The last choices about items.
        public var choices: [Choice]
        /// Who is on the deny-list.
        public var deniedActors: [DeniedActor]
        /// What is read, and what is unread again.
        public var readMarks: [ReadMark]
        /// Nil when none has changed.
        public var settings: PersonSettings?
        /// What several people do in turn, each without its members and occurrences.
        public var duties: [SharedDuty]
        /// Who takes part, or took part.
        public var members: [SharedDuty.Member]
        /// As the rotation has them.
        public var occurrences: [SharedDuty.Turn]
        /// What was done, or left out.
        public var completions: [DutyEnd]
        /// What was given away by hand.
        public var reassignments: [DutyGift]
        /// Duties that the person has muted.
        public var dutyMutes: [DutyMute]

        private enum CodingKeys: CodingKey {
            case watches, choices, deniedActors, readMarks, settings, duties, members, occurrences, completions
            case reassignments, dutyMutes
        }

        /// Reads what an answer holds; a server that knows no duties tells of none.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            watches = try container.decode([WatchedItem].self, forKey: .watches)
            choices = try container.decode([Choice].self, forKey: .choices)
            deniedActors = try container.decode([DeniedActor].self, forKey: .deniedActors)
            readMarks = try container.decode([ReadMark].self, forKey: .readMarks)
            // A newer server's may be of another shape: those that are known stay.
            settings = (try? container.decodeIfPresent(PersonSettings.self, forKey: .settings)) ?? nil
            duties = try container.decodeIfPresent([SharedDuty].self, forKey: .duties) ?? []
            members = try container.decodeIfPresent([SharedDuty.Member].self, forKey: .members) ?? []
            occurrences = try container.decodeIfPresent([SharedDuty.Turn].self, forKey: .occurrences) ?? []
            completions = try container.decodeIfPresent([DutyEnd].self, forKey: .completions) ?? []
            reassignments = try container.decodeIfPresent([DutyGift].self, forKey: .reassignments) ?? []
            dutyMutes = try container.decodeIfPresent([DutyMute].self, forKey: .dutyMutes) ?? []
        }
    }

    /// Something that is no more.
    public enum Deleted: Sendable, Equatable, Decodable {
        case watch(ItemReference)
        case deniedActor(Int64)
        /// A duty, with all that belongs to it.
        case duty(EntityID)
        case occurrence(EntityID)
        /// A completion or a reassignment.
        case dutyEvent(EntityID)
        /// The mute of a duty.
        case dutyMute(EntityID)
        /// What a newer server tells of.
        case other

        private enum CodingKeys: CodingKey { case entity, gitlabUserId, dutyId, occurrenceId, eventId }

        /// Reads what an answer holds.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .entity) {
            case "watch": self = .watch(try WireItem(from: decoder).reference)
            case "deniedActor": self = .deniedActor(try container.decode(Int64.self, forKey: .gitlabUserId))
            case "duty": self = .duty(try container.decode(EntityID.self, forKey: .dutyId))
            case "occurrence": self = .occurrence(try container.decode(EntityID.self, forKey: .occurrenceId))
            case "dutyEvent": self = .dutyEvent(try container.decode(EntityID.self, forKey: .eventId))
            case "dutyMute": self = .dutyMute(try container.decode(EntityID.self, forKey: .dutyId))
            default: self = .other
            }
        }
    }

    /// What the next request asks with.
    public var revision: UInt64
    /// Each thing as it is now.
    public var changes: Changes
    /// What is no more.
    public var deleted: [Deleted]
    /// Whether the next request brings more at once.
    public var hasMore: Bool
    /// The device forgets its copy first: this is the beginning of all there is.
    public var reset: Bool
    /// To be sent with the next request, while more of all there is follows.
    public var snapshot: UInt64?
}

/// An item as the members of an object name it.
struct WireItem: Decodable {
    var projectId: Int64
    var itemType: ItemKind
    var itemIid: Int64

    var reference: ItemReference { ItemReference(projectID: projectId, kind: itemType, iid: itemIid) }
}
