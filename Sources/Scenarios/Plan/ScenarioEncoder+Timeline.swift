import Platform

extension ScenarioEncoder {
    /// One entry of the timeline.
    package static func entry(_ entry: TimelineEntry) -> JSONValue {
        var object = JSONObject()
        write(entry.occurrence, to: &object)
        object.set("id", (entry.id ?? entry.faultID)?.text)
        switch entry.event {
        case .action(let action): write(action, to: &object)
        case .mix(let mix): write(mix, to: &object)
        case .fault(let fault): fault.kind.form.encode(fault, to: &object)
        }
        return object.value
    }

    // MARK: When

    private static func write(_ occurrence: Occurrence, to object: inout JSONObject) {
        switch occurrence {
        case .at(let offset):
            object.set("at", offset)
        case .once(let span):
            object.set("at", "random")
            write(span, to: &object)
        case .every(let interval, let span, let hours):
            object.set("every", interval)
            write(span, to: &object)
            write(hours, to: &object)
        case .rate(let rate, let span, let hours):
            object.set("rate", rate.notation)
            write(span, to: &object)
            write(hours, to: &object)
        }
    }

    private static func write(_ span: TimeSpan, to object: inout JSONObject) {
        object.set("from", span.from)
        object.set("until", span.until)
    }

    private static func write(_ hours: WorkingHours, to object: inout JSONObject) {
        guard hours != .always else { return }
        object.set("weekdays", hours.weekdays.map { CalendarNotation.weekdayNames[$0 - 1] }.joined(separator: ","))
        let times = [hours.opensAtMinute, hours.closesAtMinute].map { minute in
            let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : String($0) }
            return digits.joined(separator: ":")
        }
        object.set("hours", times.joined(separator: "-"))
    }

    // MARK: Actions

    private static func write(_ action: ActionTemplate, to object: inout JSONObject) {
        object.set("action", action.kind.rawValue)
        write(action.by, as: "by", to: &object)
        if case .anyone(let except) = action.by { object.setPeople("except", except) }
        write(action.on, to: &object)
        write(action.user, as: "user", to: &object)
        write(action.mention, as: "mention", to: &object)
        if !action.bodies.isEmpty {
            object.set("body", action.bodies.count == 1 ? .string(action.bodies[0]) : .strings(action.bodies))
        }
        object.set("device", action.device?.text)
        object.set(action.kind == .moveIssue ? "to" : "project", action.project?.text)
        object.set(action.kind == .push ? "commits" : "count", action.count.map { .integer(Int64($0)) })
        object.set(textKey(of: action.kind), action.text)
        object.set("status", action.status?.rawValue)
        object.set(action.kind == .importBurst ? "backdated" : "for", action.length)
        write(action.quietHours, to: &object)
        object.setPeople("assignees", action.assignees)
        object.setPeople("reviewers", action.reviewers)
    }

    private static func write(_ hours: QuietHours?, to object: inout JSONObject) {
        guard let hours else { return }
        object.set("quiet", "\(CalendarNotation.timeText(hours.from))-\(CalendarNotation.timeText(hours.until))")
        object.set("days", hours.weekdays.map { CalendarNotation.weekdayNames[$0 - 1] }.joined(separator: ","))
        object.set("zone", hours.zone.rawValue)
        object.set("urgent", .bool(hours.letsUrgentThrough))
    }

    private static func textKey(of kind: ActionKind) -> String {
        switch kind {
        case .react: "emoji"
        case .addLabel: "label"
        case .setMilestone: "milestone"
        default: "title"
        }
    }

    private static func write(_ selector: PersonSelector?, as key: String, to object: inout JSONObject) {
        switch selector {
        case .oneOf(let people) where people.count == 1: object.set(key, people[0].description)
        case .oneOf(let people): object.set(key, .strings(people.map(\.description)))
        case .anyone: object.set(key, "anyone")
        case nil: break
        }
    }

    private static func write(_ selector: ItemSelector?, to object: inout JSONObject) {
        switch selector {
        case .oneOf(let items) where items.count == 1: object.set("on", items[0].description)
        case .oneOf(let items): object.set("on", .strings(items.map(\.description)))
        case .any: object.set("on", "any")
        case .new(let project): object.set("on", project.text)
        case nil: break
        }
    }

    private static func write(_ mix: MixTemplate, to object: inout JSONObject) {
        object.set("mix", .object(mix.shares.map { JSONMember($0.kind.rawValue, .integer($0.weight)) }))
        write(mix.by, as: "by", to: &object)
        if case .anyone(let except) = mix.by { object.setPeople("except", except) }
        write(mix.on, to: &object)
        write(mix.mention, as: "mention", to: &object)
    }
}

extension Rate {
    /// The rate as scenario files write it.
    fileprivate var notation: String {
        let units: [Int64: String] = [1: "s", 60: "m", 3_600: "h", 86_400: "d", 604_800: "w"]
        return "\(count)/\(units[period.components.seconds] ?? "h")"
    }
}
