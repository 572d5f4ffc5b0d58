import Platform

/// What people do in turn, as a bundle tells it.
extension IncidentBundle {
    struct Duty: Equatable {
        enum Mode: String { case alternate, fixed }

        var number: Int64
        var everyDays: Int64?
        /// Bits of the week, Monday's the lowest.
        var weekdays: Int64?
        var everyWeeks: Int64?
        /// Days since 1970.
        var startDay: Int64
        var dueMinute: Int64
        var leadSeconds: Int64
        var mode: Mode
        var escalates: Bool
    }

    /// Somebody who takes part or took part; whoever left has no account.
    struct DutyMember: Equatable {
        var duty: Int64
        var member: Int64
        var account: Int64?
        var position: Int64
        var joinedAt: WallTime
        var leftAt: WallTime?
    }

    /// What was said of a turn.
    struct DutyEvent: Equatable {
        enum Kind: String { case done, skip, reassign }

        var duty: Int64
        var turn: Int64
        var kind: Kind
        /// Members.
        var by: Int64?
        var to: Int64?
        var happenedAt: WallTime
    }

    struct DutyTurn: Equatable {
        var duty: Int64
        var turn: Int64
        var dueAt: WallTime
        var member: Int64?
    }

    struct DutyMute: Equatable {
        var account: Int64
        var duty: Int64
        var mutedUntil: WallTime?
        var changedAt: WallTime
    }
}

extension IncidentBundle.Duty {
    /// Nil for one in which people take turns in a way that is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let mode = try fields.word("mode", Mode.self) else { return nil }
        self.mode = mode
        number = try fields.number("duty")
        everyDays = try fields.optionalNumber("everyDays", within: 1...366)
        weekdays = try fields.optionalNumber("weekdays", within: 1...127)
        everyWeeks = try fields.optionalNumber("everyWeeks", within: 1...52)
        startDay = try fields.number("startDay", within: 0...84_000)
        dueMinute = try fields.number("dueMinute", within: 0...1_439)
        leadSeconds = try fields.number("leadSeconds", within: 0...1_209_600)
        escalates = try fields.flag("escalates")
        guard (everyDays == nil) != (weekdays == nil) else { throw fields.missing("everyDays") }
    }
}

extension IncidentBundle.DutyMember {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        duty = try fields.number("duty")
        member = try fields.number("member")
        account = try fields.optionalNumber("account")
        position = try fields.number("position")
        joinedAt = try fields.instant("joinedAt")
        leftAt = try fields.optionalInstant("leftAt")
    }
}

extension IncidentBundle.DutyEvent {
    /// Nil for what is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let kind = try fields.word("of", Kind.self) else { return nil }
        self.kind = kind
        duty = try fields.number("duty")
        turn = try fields.number("turn")
        by = try fields.optionalNumber("by")
        to = try fields.optionalNumber("to")
        happenedAt = try fields.instant("happenedAt")
    }
}

extension IncidentBundle.DutyTurn {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        duty = try fields.number("duty")
        turn = try fields.number("turn")
        dueAt = try fields.instant("dueAt")
        member = try fields.optionalNumber("member")
    }
}

extension IncidentBundle.DutyMute {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.number("account")
        duty = try fields.number("duty")
        mutedUntil = try fields.optionalInstant("mutedUntil")
        changedAt = try fields.instant("changedAt")
    }
}
