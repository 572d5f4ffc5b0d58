package import Platform

/// Something that several people do in turn, as it is when the story begins (docs/duties.md).
package struct WorldDuty: Sendable, Equatable {
    /// On which days it is due.
    package enum Rhythm: Sendable, Equatable {
        /// Every 1 to 366 days.
        case everyDays(Int)
        /// ISO weekdays, rising, of every 1 to 52 weeks.
        case weekdays([Int], everyWeeks: Int)
    }

    /// How people take turns.
    package enum Mode: String, Sendable, CaseIterable {
        case alternate, fixed
    }

    /// By which actions name it.
    package var name: String
    /// In the order of their turns. The first makes it, and the others join by a code.
    package var members: [Username]
    package var rhythm: Rhythm
    /// The first day on which it can be due.
    package var start: CivilDate
    /// Minutes after midnight of its zone, 0…1,439.
    package var minute: Int
    package var zone: QuietHours.Zone
    package var mode: Mode
    /// How long before it is due its person is reminded, in hours; 0 for never.
    package var leadHours: Int
    /// Whether its person is asked for it when it is due, and told again.
    package var escalates: Bool

    package init(
        name: String,
        members: [Username],
        rhythm: Rhythm,
        start: CivilDate,
        minute: Int,
        zone: QuietHours.Zone = .utc,
        mode: Mode = .alternate,
        leadHours: Int = 0,
        escalates: Bool = false
    ) {
        (self.name, self.members, self.rhythm, self.start) = (name, members, rhythm, start)
        (self.minute, self.zone, self.mode) = (minute, zone, mode)
        (self.leadHours, self.escalates) = (leadHours, escalates)
    }
}

extension WorldDuty {
    /// What of a duty becomes otherwise; nil stays as it is. Rhythm and first day stay.
    package struct Edit: Sendable, Equatable {
        package var minute: Int?
        package var zone: QuietHours.Zone?
        package var mode: Mode?
        package var leadHours: Int?
        package var escalates: Bool?

        package init(
            minute: Int? = nil,
            zone: QuietHours.Zone? = nil,
            mode: Mode? = nil,
            leadHours: Int? = nil,
            escalates: Bool? = nil
        ) {
            (self.minute, self.zone, self.mode) = (minute, zone, mode)
            (self.leadHours, self.escalates) = (leadHours, escalates)
        }
    }

    /// Is from now on as `edit` says.
    package mutating func take(_ edit: Edit) {
        minute = edit.minute ?? minute
        zone = edit.zone ?? zone
        mode = edit.mode ?? mode
        leadHours = edit.leadHours ?? leadHours
        escalates = edit.escalates ?? escalates
    }
}

/// What a person does about a duty in the app. It waits on the device while there is no network, but for joining.
package enum DutyAction: Sendable, Equatable {
    /// What is due next, and not over as far as the device knows, is done.
    case complete
    /// It is left out.
    case skip
    /// It is somebody else's.
    case give(to: Username)
    /// The person takes part from now on, by a code that somebody who does shows them.
    case join
    case leave
    /// It ends for everybody who takes part.
    case stop
    /// It is due at another time, or anything else about it changes.
    case edit(WorldDuty.Edit)
    /// Somebody who does not use the notifier takes part, by name alone.
    case add(Username)
    /// Such a one takes part no longer.
    case remove(Username)
    /// It tells the person nothing for that long.
    case mute(length: Duration)
    /// It speaks to them again.
    case unmute
}
