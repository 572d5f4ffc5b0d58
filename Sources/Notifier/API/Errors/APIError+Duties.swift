import HTTP

/// What the person wants of a duty cannot be.
extension APIError {
    static let dutyNotFound = APIError(
        404,
        "duty_not_found",
        "There is no such duty among yours.",
        hint: "GET /duties lists them."
    )

    static let occurrenceNotFound = APIError(
        404,
        "occurrence_not_found",
        "There is no such occurrence of a duty of yours.",
        hint: "GET /duties/{id} lists what is kept: from a year back to 60 days ahead."
    )

    static let memberNotFound = APIError(
        404,
        "member_not_found",
        "Nobody with that id takes part in the duty.",
        hint: "GET /duties/{id} lists the members."
    )

    static let memberAbsent = APIError(
        409,
        "member_absent",
        "They did not take part yet when it was due.",
        hint: "Give it to somebody who did, or a later turn to them; GET /duties/{id} tells since when each takes part."
    )

    /// The same whoever has the id and whatever for.
    static let idTaken = APIError(
        409,
        "id_taken",
        "This id cannot be used.",
        hint: "Make another UUID; what was sent under this one is not taken."
    )

    static func dutyLimitReached(limit: Int) -> APIError {
        APIError(409, "duty_limit", "Too many duties.", hint: "Leave or end one; \(limit) are allowed.")
    }

    static func memberLimitReached(limit: Int) -> APIError {
        APIError(
            409,
            "member_limit",
            "Too many people take part in the duty.",
            hint: "Let somebody leave; \(limit) are allowed. After many changes of people make a new duty."
        )
    }

    static func eventLimitReached(limit: Int) -> APIError {
        APIError(
            409,
            "event_limit",
            "Too much has happened to this occurrence.",
            hint: "\(limit) ends and reassignments are kept; the first end stands anyway."
        )
    }

    static let alreadyMember = APIError(
        409,
        "already_member",
        "You take part in this duty already.",
        hint: "The code is still good for somebody else."
    )

    /// The same for one that never was, one that was used and one that is over.
    static let invitationUnknown = APIError(
        404,
        "invitation_unknown",
        "This invitation is not valid, or not any more.",
        hint: "Ask for a new one: POST /duties/{id}/invitations."
    )
}

extension APIError {
    /// What a duty's refusal is to a client.
    init(_ error: DutyError) {
        self =
            switch error {
            case .dutyNotFound: .dutyNotFound
            case .occurrenceNotFound: .occurrenceNotFound
            case .memberNotFound: .memberNotFound
            case .memberAbsent: .memberAbsent
            case .idTaken: .idTaken
            case .dutyLimit: .dutyLimitReached(limit: DutyPolicy.dutyLimit)
            case .memberLimit: .memberLimitReached(limit: DutyPolicy.memberLimit)
            case .eventLimit: .eventLimitReached(limit: DutyPolicy.eventLimit)
            case .alreadyMember: .alreadyMember
            }
    }
}
