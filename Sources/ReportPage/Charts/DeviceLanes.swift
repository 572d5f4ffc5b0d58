import Verdict

/// What happened to abnormal notifications on each device, over the time of the run: a lane for each device.
struct DeviceLanes {
    private struct Event {
        var at: Int64
        var what: String
    }

    let timeline: RunTimeline
    private var lanes: [(name: String, events: [Event])] = []
    /// Devices that found no lane.
    private(set) var leftOut = 0

    /// So many devices have a lane.
    private static let lanesShown = 40
    private static let laneHeight = 44.0
    private static let top = 8.0
    private static let labelLength = 40

    init(_ timeline: RunTimeline, _ lines: [LedgerLine]) {
        self.timeline = timeline
        var events: [String: [Event]] = [:]
        for line in lines where line.seed == timeline.seed {
            for attempt in line.attempts {
                let name = "\(line.person) \(attempt.device ?? "unknown")"
                let what = attempt.status == 200 ? "pushed" : "refused"
                events[name, default: []].append(Event(at: attempt.atNanoseconds / 1_000_000, what: what))
            }
            for event in line.deviceEvents {
                let name = "\(line.person) \(event.device)"
                events[name, default: []].append(Event(at: event.atNanoseconds / 1_000_000, what: event.event))
            }
        }
        let all = events.sorted { $0.key < $1.key }.map { (name: $0.key, events: $0.value) }
        lanes = Array(all.prefix(Self.lanesShown))
        leftOut = all.count - lanes.count
    }

    var isEmpty: Bool { lanes.isEmpty }

    /// What happened, in the order of the alphabet, each with its shape.
    var kinds: [String] { Set(lanes.flatMap { $0.events.map(\.what) }).sorted() }

    /// A legend of the shapes.
    var legend: [Markup] {
        kinds.enumerated().map { index, kind in
            """
            <svg class="key" aria-hidden="true" viewBox="0 0 14 14"><path class="ring" d="\(shape(index, 7, 7))"/></svg> \
            \(PageText.cut(kind, to: 40))
            """
        }
    }

    func drawn() -> Markup {
        let bottom = Self.top + Double(lanes.count) * Self.laneHeight * 2
        let body =
            TimeAxis(timeline: timeline).drawn(top: Self.top, bottom: bottom)
            + lanes.enumerated().map { drawn($0.element, top: Self.top + Double($0.offset) * Self.laneHeight * 2) }
            .joined()
        let events = lanes.reduce(0) { $0 + $1.events.count }
        return Picture(
            id: "device-lanes",
            title: "Devices of abnormal notifications, seed \(timeline.seed)",
            finding: "\(events) pushes and events on \(lanes.count) devices.",
            height: bottom + 26,
            body: body
        ).drawn
    }

    /// The device's name stands above its lane.
    private func drawn(_ lane: (name: String, events: [Event]), top: Double) -> Markup {
        let axis = TimeAxis(timeline: timeline)
        let y = top + 26
        let shapes = kinds.enumerated().map { index, kind -> Markup in
            let own = lane.events.filter { $0.what == kind }
            guard !own.isEmpty else { return "" }
            // What happens at one instant stands below each other.
            let path = own.map { shape(index, axis.x($0.at), y + 9 * Double(index % 6)) }.joined()
            return
                "<path class=\"ring\" d=\"\(path)\"><title>\(own.count) times \(PageText.cut(kind, to: 40))</title></path>"
        }
        return """
            <path class="grid" d="M\(Coordinate(TimeAxis.left)) \(Coordinate(y))H\(Coordinate(TimeAxis.right))"/>\
            <text x="\(Coordinate(TimeAxis.left))" y="\(Coordinate(top + 14))">@\(PageText.cut(lane.name, to: Self.labelLength))</text>\
            \(shapes.joined())
            """
    }

    private func shape(_ index: Int, _ x: Double, _ y: Double) -> Markup {
        let (x, y) = (Coordinate(x), Coordinate(y))
        switch index % 6 {
        case 0: return "M\(x) \(y)m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
        case 1: return "M\(x) \(y)m0-5l5 5-5 5-5-5z"
        case 2: return "M\(x) \(y)m-3.5-3.5h7v7h-7z"
        case 3: return "M\(x) \(y)m-4-4l8 8m0-8l-8 8"
        case 4: return "M\(x) \(y)m-4.5 3.5h9l-4.5-8z"
        default: return "M\(x) \(y)m-4.5-3.5h9l-4.5 8z"
        }
    }
}
