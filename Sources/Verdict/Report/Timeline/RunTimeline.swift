/// How one seed went over its virtual time, in so few figures that a chart can hold them all: `timeline.json`.
///
/// The time is cut into ``columns`` columns of equal length. Whatever is counted in a column is exact; nothing is averaged over columns.
package struct RunTimeline: Codable, Sendable, Equatable {
    /// The version of this JSON. Every member of a version stays; new ones may be added.
    package static let currentVersion = 1
    /// How many columns the time is cut into.
    package static let columns = 230
    /// Notifications can be drawn one by one up to so many; more are counted in cells of time and latency.
    static let pointsDrawn = 2_000
    /// So many are listed one by one, the slowest ones.
    package static let pointsKept = 6_000
    /// So many faults and marks are listed at most, the first ones.
    static let kept = 500

    package var schemaVersion = RunTimeline.currentVersion
    package var seed: UInt64
    /// Length of the run in virtual time, draining included.
    package var lengthMilliseconds: Int64
    package var columnMilliseconds: Int64
    /// When faults were in force, in the order of the record.
    package var faults: [Fault] = []
    package var faultsInAll = 0
    /// Spans in which the notifier's process was not running: from, until.
    package var downtimes: [[Int64]] = []
    package var downtimesInAll = 0
    /// Notifications that a device displayed.
    package var displayed = 0
    /// All of them, or the slowest ones when there are too many, by the time of their activity.
    package var points: [Point] = []
    /// All of them, where there are too many to be drawn one by one; else none.
    package var cells: [Cell] = []
    /// What was abnormal, by time.
    package var marks: [Mark] = []
    package var marksInAll = 0
    /// One for each column.
    package var slots: [Slot] = []
    /// How many people were registered at any time.
    package var people = 0
    /// What the notifier allows itself for one person in an hour.
    package var budgetPerHour: Int?
    /// What GitLab's limiter allows one person in a period of so many seconds.
    package var limit: Limit?

    /// A fault in force, in milliseconds since the start.
    package struct Fault: Codable, Sendable, Equatable {
        package var id: String
        package var kind: String
        package var from: Int64
        package var until: Int64
    }

    /// A notification that was displayed.
    package struct Point: Codable, Sendable, Equatable {
        /// When the activity was done, and how long it took until a device showed it, in milliseconds.
        package var at: Int64
        package var latency: Int64
        /// Who owns the largest part of that time.
        package var owner: String
        /// Its number in the ledger.
        package var activity: Int
        /// What was done, by whom, on what, and who was told; nil in older reports, as all below.
        package var kind: String?
        package var actor: String?
        package var item: String?
        package var person: String?
        /// What is wrong with it: `duplicate` or `late`; nil when nothing is.
        package var abnormal: String?
        /// Milliseconds after the activity until it could be read, until GitLab was asked by the poll that found it, until it was put by
        /// for the end of quiet hours, until it was in the outbox, and until the first push; each where it is known.
        package var visible: Int64?
        package var polled: Int64?
        package var held: Int64?
        package var told: Int64?
        package var pushed: Int64?
    }

    /// How many notifications fell into a column and a row of ``LatencyRows``.
    package struct Cell: Codable, Sendable, Equatable {
        package var column: Int
        package var row: Int
        package var count: Int
    }

    /// An activity that went wrong for somebody.
    package struct Mark: Codable, Sendable, Equatable {
        package var at: Int64
        /// `missed`, `duplicate`, `late` or `unexpected`.
        package var what: String
        package var activity: Int?
        /// Nil in older reports, and where nothing is known of it.
        package var kind: String?
        package var actor: String?
        package var item: String?
        package var person: String?
        /// What is to blame for a miss.
        package var cause: String?
    }

    /// One column of time.
    package struct Slot: Codable, Sendable, Equatable {
        /// Notifications whose activity was done in it and that were displayed, with percentiles of their latency in milliseconds.
        package var displayed = 0
        package var p50: Int64?
        package var p95: Int64?
        package var longest: Int64?
        /// To GitLab in it, the most in one of its minutes, and those that the limiter refused.
        package var requests = 0
        package var busiestMinute = 0
        package var refused = 0
        /// Polls that began in it.
        package var polls = 0
        /// Requests to APNs.
        package var pushes = 0
        /// The most notifications that waited in the outbox at one instant of it, of those that APNs accepted sooner or later.
        package var queued = 0

        package init() {}
    }

    /// A limiter's setting.
    package struct Limit: Codable, Sendable, Equatable {
        package var requests: Int
        package var seconds: Int64
    }

    init(seed: UInt64, lengthMilliseconds: Int64) {
        self.seed = seed
        self.lengthMilliseconds = max(1, lengthMilliseconds)
        let columns = Int64(Self.columns)
        columnMilliseconds = (self.lengthMilliseconds + columns - 1) / columns
        slots = [Slot](repeating: Slot(), count: Self.columns)
    }

    /// The column that an instant lies in; the last one for what comes after the end.
    package func column(of milliseconds: Int64) -> Int {
        Int(min(Int64(Self.columns - 1), max(0, milliseconds / columnMilliseconds)))
    }
}
