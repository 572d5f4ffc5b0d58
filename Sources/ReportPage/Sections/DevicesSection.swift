import Verdict

/// What devices made of abnormal notifications.
struct DevicesSection {
    let data: ReportData

    var drawn: Markup { Section(id: "devices", title: "Devices", body: body).drawn }

    private var body: Markup {
        guard !data.abnormal.isEmpty else { return Section.note("Nothing abnormal: no device needs a lane.") }
        guard let timeline = data.timeline else { return Section.note(TimelineSection.missing) }
        let lanes = DeviceLanes(timeline, data.abnormal)
        guard !lanes.isEmpty else {
            return Section.note("No push of an abnormal notification under seed \(timeline.seed) came near a device.")
        }
        let legend = lanes.legend.map { "<li>\($0)</li>" as Markup }.joined()
        return """
            <figure>\(lanes.drawn())<figcaption>Pushes and what became of them, for abnormal notifications under seed \
            \(timeline.seed).</figcaption></figure>
            <ul class="plain">\(legend)</ul>
            \(lanes.leftOut > 0 ? Section.note("\(lanes.leftOut) more devices are in ledger.jsonl.") : "")
            """
    }
}
