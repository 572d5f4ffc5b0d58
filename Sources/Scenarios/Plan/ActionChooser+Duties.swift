import Platform

/// What people do in turn.
extension ActionChooser {
    /// Somebody who is registered and takes part, or does not yet, and to whom they give it.
    mutating func chooseDuty(_ template: inout ActionTemplate) throws(Impossible) {
        guard let duty = template.duty else { throw Impossible(reason: "no duty is named") }
        let (kind, named) = (template.kind, template.by?.people ?? [])
        let possible = named.filter { planned.isRegistered($0) && planned.obstacle(to: kind, duty, by: $0) == nil }
        guard let person = random.pick(possible) else {
            let reasons = named.compactMap { planned.obstacle(to: kind, duty, by: $0) }
            throw Impossible(reason: reasons.first ?? "none of them is registered")
        }
        template.by = .oneOf([person])
        let others: [Username]
        switch kind {
        case .giveDuty:
            others = (template.user?.people ?? []).filter { $0 != person && planned.takesPart($0, in: duty) }
            if others.isEmpty { throw Impossible(reason: "nobody else who is named takes part") }
        case .addDutyMember:
            others = (template.user?.people ?? []).filter { planned.isStranger($0, to: duty) }
            if others.isEmpty { throw Impossible(reason: "all who are named use the notifier, or were in \(duty)") }
        case .removeDutyMember:
            others = (template.user?.people ?? []).filter { planned.isNamed($0, in: duty) }
            if others.isEmpty { throw Impossible(reason: "nobody who is named takes part by name alone") }
        default: return
        }
        template.user = random.pick(others).map { .oneOf([$0]) }
    }
}

extension PlannedWorld {
    /// What about the person stands in the way.
    func obstacle(to kind: ActionKind, _ duty: String, by person: Username) -> String? {
        switch (kind == .joinDuty, takesPart(person, in: duty)) {
        case (true, true): "\(person) takes part in \(duty) already"
        case (false, false): "\(person) does not take part in \(duty)"
        case (true, false): members(of: duty).isEmpty ? "\(duty) has ended" : nil
        default: kind == .leaveDuty && members(of: duty).count == 1 ? "\(person) is the last of \(duty)" : nil
        }
    }
}
