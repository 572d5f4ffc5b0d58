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
        case .fault(let fault): write(fault, to: &object)
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

    // MARK: Faults

    private static func write(_ fault: Fault, to object: inout JSONObject) {
        object.set("fault", fault.kind.rawValue)
        switch fault.effect {
        case .link(let effect, let link, let ratio):
            object.set("link", link.rawValue)
            write(effect, to: &object)
            object.set("ratio", ratio.description)
        case .gitlabOutage(let mode, let ratio):
            object.set("mode", mode.rawValue)
            object.set("ratio", ratio.description)
        case .gitlabRouteOutage(let mode, let route, let ratio):
            object.set("mode", mode.rawValue)
            object.set("route", route)
            object.set("ratio", ratio.description)
        case .gitlabRouteMissing(let route, let ratio):
            object.set("route", route)
            object.set("ratio", ratio.description)
        case .gitlabUpgrade(let version): object.set("version", version.rawValue)
        case .gitlabRateLimit(let limiter, let limit):
            object.set("limiter", limiter.rawValue)
            object.set("requests", .integer(Int64(limit.requests)))
            object.set("period", limit.period)
        case .gitlabSlow(let table, let ratio), .apnsSlow(let table, let ratio):
            object.set("latency", latency(table))
            object.set("ratio", ratio.description)
        case .replicaLag(let lag, let ratio):
            object.set("lag", lag)
            object.set("ratio", ratio.description)
        case .lateCommit(let hold, let ratio):
            object.set("hold", hold)
            object.set("ratio", ratio.description)
        case .apnsOutage(let mode, let ratio):
            object.set("mode", mode.rawValue)
            object.set("ratio", ratio.description)
        case .apnsReason(let reason, let ratio):
            object.set("reason", reason.rawValue)
            object.set("ratio", ratio.description)
        case .pageDrift(let ratio), .apnsLostAnswer(let ratio), .apnsNeverAnswers(let ratio), .apnsSticky500(let ratio),
            .apnsShutdown(let ratio), .webhookDuplicate(let ratio), .webhookForged(let ratio):
            object.set("ratio", ratio.description)
        case .tokenUpdateLimit(let period): object.set("period", period)
        case .crash, .restart, .stall, .diskFull, .diskDamaged, .approvalNoteLost: break
        case .crashAtStep(let step, let occurrence):
            object.set("step", step.rawValue)
            object.set("occurrence", .integer(Int64(occurrence)))
        case .clockOffset(let node, let offset):
            object.set("node", node.rawValue)
            object.set("offset", offset)
        case .clockStep(let node, let jump):
            object.set("node", node.rawValue)
            object.set("jump", jump)
        case .clockDrift(let node, let drift):
            object.set("node", node.rawValue)
            object.set("partsPerMillion", .integer(drift))
        }
        writeLength(fault, to: &object)
    }

    private static func writeLength(_ fault: Fault, to object: inout JSONObject) {
        switch fault.kind {
        case .crash, .crashAtStep, .restart: object.set("downFor", fault.length)
        case .clockStep: break
        default: object.set("for", fault.length)
        }
    }

    private static func write(_ effect: LinkFault, to object: inout JSONObject) {
        switch effect {
        case .latency(let table): object.set("latency", latency(table))
        case .stallBeforeFirstByte(let stall), .stallInBody(let stall): object.set("stall", stall)
        case .truncate(let afterBytes): object.set("afterBytes", .integer(Int64(afterBytes)))
        case .slowBody(let bytesPerSecond): object.set("bytesPerSecond", .integer(Int64(bytesPerSecond)))
        case .refuse, .resetBefore, .resetAfter: break
        }
    }
}

extension Rate {
    /// The rate as scenario files write it.
    fileprivate var notation: String {
        let units: [Int64: String] = [1: "s", 60: "m", 3_600: "h", 86_400: "d", 604_800: "w"]
        return "\(count)/\(units[period.components.seconds] ?? "h")"
    }
}
