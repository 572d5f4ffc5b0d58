import Notifier
import Platform
import Scenarios

/// What the record of requests tells, and what a person says.
extension IncidentBundle.Minute {
    private static let endingLimit = 64
    /// Milliseconds of a leap year, and as many back.
    private static let clockRange: ClosedRange<Int64> = -31_622_400_000...31_622_400_000

    /// Nil for one of a service that is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let service = try fields.word("service", Service.self) else { return nil }
        self.service = service
        at = try fields.instant("at")
        answers = try fields.elements("answers", atMost: Self.endingLimit).map { (answer) throws(IncidentFault) in
            Answers(
                status: try answer.optionalNumber("status"),
                reason: try answer.word("reason", APNsReason.self),
                failure: try answer.optionalText("failure"),
                count: try answer.number("count"),
                first: try answer.instant("first"),
                last: try answer.instant("last")
            )
        }
        lengths = try fields.numbers("lengths", atMost: TrafficMinute.bounds.count + 1)
        dateAhead = try fields.optionalNumber("dateAhead", within: Self.clockRange).map { Duration.milliseconds($0) }
        waitAt = try fields.optionalInstant("waitAt")
        retryAfter = try fields.optionalNumber("retryAfter").map { Duration.seconds(min($0, 86_400)) }
    }
}

extension IncidentBundle.Mark {
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let what = try fields.word("what", What.self) else { return nil }
        self.what = what
        at = try fields.instant("at")
    }
}

extension IncidentBundle.Report {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.number("account")
        item = try fields.optionalNumber("item")
        at = try fields.instant("at")
    }
}
