import Platform

/// The last days of milestones.
extension ActionChooser {
    /// Somebody who may change the milestone, which somebody has set before and which has another day.
    mutating func chooseMilestone(_ template: inout ActionTemplate) throws(Impossible) {
        guard let project = template.project, let title = template.text else {
            throw Impossible(reason: "no milestone is named")
        }
        guard let known = planned.milestone(title, in: project) else {
            throw Impossible(reason: "nobody has set the milestone \(title) in \(project) yet")
        }
        guard known.due != template.due else {
            let day = template.due.map { "ends on \(CalendarNotation.dayText($0))" } ?? "has no last day"
            throw Impossible(reason: "the milestone \(title) \(day) already")
        }
        let least = template.kind.form.leastRole
        let people = (template.by?.people ?? []).filter { person in
            !planned.isBlocked(person) && planned.role(of: person, in: project).map { $0 >= least } ?? false
        }
        guard let person = random.pick(people) else {
            throw Impossible(reason: "none of them may change a milestone of \(project)")
        }
        template.by = .oneOf([person])
    }
}
