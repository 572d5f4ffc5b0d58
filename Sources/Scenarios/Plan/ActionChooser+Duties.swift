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
        guard kind == .giveDuty else { return }
        let others = (template.user?.people ?? []).filter { $0 != person && planned.takesPart($0, in: duty) }
        guard let user = random.pick(others) else { throw Impossible(reason: "nobody else who is named takes part") }
        template.user = .oneOf([user])
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
