import Platform

extension FaultForm {
    /// What APNs does.
    static let push = [
        FaultForm(
            .apnsOutage,
            .apns,
            .apns,
            "APNs is down.",
            .choice("mode", "What callers see."),
            .ratio,
            effect: { .apnsOutage($0, ratio: $1) },
            values: { if case .apnsOutage(let mode, let ratio) = $0 { (mode, ratio) } else { nil } }
        ),
        FaultForm(
            .apnsReason,
            .apns,
            .apns,
            "APNs refuses pushes with a documented reason.",
            .choice("reason", "The reason given."),
            .struckPerson,
            .struckDevice,
            .ratio,
            check: checkTarget,
            effect: { .apnsReason($0, of: PushAim(person: $1, device: $2), ratio: $3) },
            values: {
                if case .apnsReason(let reason, let target, let ratio) = $0 {
                    (reason, target.person, target.device, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .apnsLostAnswer,
            .apns,
            .apns,
            "APNs accepts, but its answer is lost.",
            .struckPerson,
            .struckDevice,
            .ratio,
            check: checkTarget,
            effect: { .apnsLostAnswer(of: PushAim(person: $0, device: $1), ratio: $2) },
            values: {
                if case .apnsLostAnswer(let target, let ratio) = $0 {
                    (target.person, target.device, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .apnsNeverAnswers,
            .apns,
            .apns,
            "APNs swallows requests.",
            .struckPerson,
            .struckDevice,
            .ratio,
            check: checkTarget,
            effect: { .apnsNeverAnswers(of: PushAim(person: $0, device: $1), ratio: $2) },
            values: {
                if case .apnsNeverAnswers(let target, let ratio) = $0 {
                    (target.person, target.device, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .apnsSticky500,
            .apns,
            .apns,
            "A connection that answered 500 answers nothing else.",
            .ratio,
            effect: { .apnsSticky500(ratio: $0) },
            values: { if case .apnsSticky500(let ratio) = $0 { ratio } else { nil } }
        ),
        FaultForm(
            .apnsSticky503,
            .apns,
            .apns,
            "A connection that answered 503 answers nothing else: the server behind it is ill.",
            .ratio,
            effect: { .apnsSticky503(ratio: $0) },
            values: { if case .apnsSticky503(let ratio) = $0 { ratio } else { nil } }
        ),
        FaultForm(
            .apnsSlow,
            .apns,
            .slow,
            "APNs takes longer.",
            .latency,
            .ratio,
            effect: { .apnsSlow($0, ratio: $1) },
            values: { if case .apnsSlow(let table, let ratio) = $0 { (table, ratio) } else { nil } }
        ),
        FaultForm(
            .apnsShutdown,
            .apns,
            .apns,
            "APNs drains: 503 Shutdown.",
            .ratio,
            effect: { .apnsShutdown(ratio: $0) },
            values: { if case .apnsShutdown(let ratio) = $0 { ratio } else { nil } }
        ),
        FaultForm(
            .tokenUpdateLimit,
            .apns,
            .apns,
            "APNs refuses provider tokens that change too often.",
            .length("period", standard: .minutes(20), "One new token in this time; 20 minutes by default."),
            effect: { .tokenUpdateLimit(period: $0) },
            values: { if case .tokenUpdateLimit(let period) = $0 { period } else { nil } }
        ),
    ]

    /// What becomes of what APNs has accepted, and whom it knows.
    static let delivery = [
        FaultForm(
            .apnsAcceptsWithoutAnswer,
            .apns,
            .apns,
            "APNs accepts, and never answers.",
            .struckPerson,
            .struckDevice,
            .ratio,
            check: checkTarget,
            effect: { .apnsAcceptsWithoutAnswer(of: PushAim(person: $0, device: $1), ratio: $2) },
            values: {
                if case .apnsAcceptsWithoutAnswer(let target, let ratio) = $0 {
                    (target.person, target.device, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .apnsAcceptedAndLost,
            .apns,
            .apns,
            "APNs accepts, says so, and never delivers.",
            .struckPerson,
            .struckDevice,
            .ratio,
            check: checkTarget,
            effect: { .apnsAcceptedAndLost(of: PushAim(person: $0, device: $1), ratio: $2) },
            values: {
                if case .apnsAcceptedAndLost(let target, let ratio) = $0 {
                    (target.person, target.device, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .apnsDeliveryDelay,
            .apns,
            .slow,
            "What APNs has accepted comes to devices later, in order.",
            .length("delay", "How much later each comes."),
            .ratio,
            effect: { .apnsDeliveryDelay($0, ratio: $1) },
            values: { if case .apnsDeliveryDelay(let delay, let ratio) = $0 { (delay, ratio) } else { nil } }
        ),
        FaultForm(
            .apnsReordering,
            .apns,
            .slow,
            "What APNs has accepted comes to devices later, and what follows passes it.",
            .length("delay", "How much later each comes."),
            .ratio,
            effect: { .apnsReordering($0, ratio: $1) },
            values: { if case .apnsReordering(let delay, let ratio) = $0 { (delay, ratio) } else { nil } }
        ),
        FaultForm(
            .apnsKeyRevoked,
            .apns,
            .apns,
            "APNs knows the notifier's key no more: 403 InvalidProviderToken.",
            effect: { .apnsKeyRevoked },
            values: { if case .apnsKeyRevoked = $0 { () } else { nil } }
        ),
    ]

    /// Who is named uses the notifier, on a device of that name.
    @Sendable
    private static func checkTarget(_ effect: FaultEffect, _ decoder: inout ScenarioDecoder, _ cursor: Cursor) {
        guard let target = effect.pushTarget, let place = cursor["person"] else { return }
        _ = decoder.checkNotified(place, target.device, cursor)
    }
}
