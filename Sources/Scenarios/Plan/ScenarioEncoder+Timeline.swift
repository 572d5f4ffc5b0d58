package import JSON
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
        for key in action.kind.form.keys { key.write(action, to: &object) }
    }

    private static func write(_ mix: MixTemplate, to object: inout JSONObject) {
        object.set("mix", .object(mix.shares.map { JSONMember($0.kind.rawValue, .integer($0.weight)) }))
        object.set("by", mix.by)
        if case .anyone(let except) = mix.by { object.setPeople("except", except) }
        object.set("on", mix.on)
        object.set("mention", mix.mention)
    }
}

extension Rate {
    /// The rate as scenario files write it.
    fileprivate var notation: String {
        let units: [Int64: String] = [1: "s", 60: "m", 3_600: "h", 86_400: "d", 604_800: "w"]
        return "\(count)/\(units[period.components.seconds] ?? "h")"
    }
}
