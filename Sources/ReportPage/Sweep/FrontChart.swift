import Verdict

/// Settings by their requests and one figure of latency: what lies to the lower left of everything else is the front.
struct FrontChart {
    let sweep: Sweep
    /// A position in `SweepFigure.compared`.
    let figure: Int

    private static let width = 900
    private static let left = 90.0
    private static let right = 880.0
    private static let top = 16.0
    private static let bottom = 300.0

    private struct Place {
        var number: Int
        var requests: SweepPoint.Estimate
        var latency: SweepPoint.Estimate
        var mark: ParetoFront.Mark
    }

    private var places: [Place] {
        sweep.points.indices.compactMap { index in
            let point = sweep.points[index]
            guard let latency = point.latency(SweepFigure.compared[figure], confidence: Sweep.confidence) else {
                return nil
            }
            return Place(
                number: index + 1,
                requests: point.requests(confidence: Sweep.confidence),
                latency: latency,
                mark: sweep.fronts[figure].marks[index]
            )
        }
    }

    var isEmpty: Bool { places.isEmpty }

    var finding: String {
        let front = places.filter { $0.mark == .onFront }.map { "\($0.number)" }
        return front.isEmpty ? "No setting is on the front." : "On the front: \(front.joined(separator: ", "))."
    }

    var drawn: Markup { picture.drawn }

    var picture: Picture {
        let places = places
        let across = axis(places.map(\.requests), from: Self.left, to: Self.right)
        let upward = axis(places.map(\.latency), from: Self.bottom, to: Self.top)
        let body =
            grid(across, upward) + line(places, across, upward)
            + places.map { drawn($0, across, upward) }.joined() + labels(places, across, upward)
        return Picture(
            id: "front-\(figure)",
            title: "\(SweepFigure.compared[figure].name) against requests to GitLab",
            finding: finding,
            height: 346,
            width: Self.width,
            body: body
        )
    }

    /// As a file of its own, with a legend of the marks in it.
    func file() -> String {
        var picture = picture
        picture.title = "\(PageText.cut(sweep.scenario)): \(picture.title)"
        let marks: [(ParetoFront.Mark, String)] = [
            (.onFront, "on the front"), (.perhaps(by: 0), "perhaps dominated"), (.dominated(by: 0), "dominated"),
            (.infeasible, "fails a requirement"),
        ]
        let used = marks.filter { mark, _ in places.contains { Self.style($0.mark) == Self.style(mark) } }
        return picture.file(
            legend: used.map { mark, label in
                (
                    shape: "M7 7\(Markup(stringLiteral: Self.shape(mark)))" as Markup, name: Self.style(mark),
                    label: label
                )
            }
        )
    }

    private func axis(_ estimates: [SweepPoint.Estimate], from: Double, to: Double) -> LinearAxis {
        let highest = estimates.map { max($0.value, $0.interval?.upper ?? 0) }.max() ?? 1
        return LinearAxis(highest: highest, from: from, to: to)
    }

    private func grid(_ across: LinearAxis, _ upward: LinearAxis) -> Markup {
        [0, 0.25, 0.5, 0.75, 1].map { share -> Markup in
            let (x, y) = (across(across.end * share), upward(upward.end * share))
            return """
                <path class="grid" d="M\(Coordinate(x)) \(Coordinate(Self.top))V\(Coordinate(Self.bottom))M\(Coordinate(Self.left)) \
                \(Coordinate(y))H\(Coordinate(Self.right))"/>\
                <text class="axis" x="\(Coordinate(x))" y="\(Coordinate(Self.bottom + 18))" text-anchor="middle">\
                \(FigureText.decimal(across.end * share, 0))</text>\
                <text class="axis" x="\(Coordinate(Self.left - 8))" y="\(Coordinate(y + 4))" text-anchor="end">\
                \(FigureText.precise(milliseconds: Int64(upward.end * share)))</text>
                """
        }.joined() + """
            <text class="axis" x="\(Coordinate(Self.left))" y="\(Coordinate(Self.bottom + 38))">requests of a seed to GitLab; upward: \
            excess latency. Both start at zero</text>
            """
    }

    /// Steps between the settings on the front.
    private func line(_ places: [Place], _ across: LinearAxis, _ upward: LinearAxis) -> Markup {
        let front = places.filter { $0.mark == .onFront }.sorted {
            ($0.requests.value, $0.number) < ($1.requests.value, $1.number)
        }
        guard front.count > 1, let first = front.first else { return "" }
        let start: Markup = "M\(Coordinate(across(first.requests.value))) \(Coordinate(upward(first.latency.value)))"
        let steps = front.dropFirst().map { place -> Markup in
            "H\(Coordinate(across(place.requests.value)))V\(Coordinate(upward(place.latency.value)))"
        }
        return "<path class=\"edge\" fill=\"none\" d=\"\(start)\(steps.joined())\"/>"
    }

    private func drawn(_ place: Place, _ across: LinearAxis, _ upward: LinearAxis) -> Markup {
        let (x, y) = (across(place.requests.value), upward(place.latency.value))
        var bars: Markup = ""
        if let interval = place.latency.interval {
            bars += "M\(Coordinate(x)) \(Coordinate(upward(interval.lower)))V\(Coordinate(upward(interval.upper)))"
        }
        if let interval = place.requests.interval {
            bars += "M\(Coordinate(across(interval.lower))) \(Coordinate(y))H\(Coordinate(across(interval.upper)))"
        }
        return """
            <path class="frame" d="\(bars)"/><path class="\(Self.style(place.mark))" d="M\(Coordinate(x)) \(Coordinate(y))\
            \(Markup(stringLiteral: Self.shape(place.mark)))"><title>\(place.number): \(sweep.name(place.number - 1))</title></path>
            """
    }

    private static func style(_ mark: ParetoFront.Mark) -> String {
        switch mark {
        case .onFront: "s-pass"
        case .perhaps: "s-insufficient"
        case .dominated: "bar"
        case .infeasible: "wrong"
        }
    }

    private static func shape(_ mark: ParetoFront.Mark) -> String {
        switch mark {
        case .onFront: "m0-8l8 8-8 8-8-8z"
        case .perhaps: "m-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z"
        case .dominated: "m-4-4h8v8h-8z"
        case .infeasible: "m-5-5l10 10m0-10l-10 10"
        }
    }

    /// Numbers stand to the upper right of their setting where they find room; the table has all.
    private func labels(_ places: [Place], _ across: LinearAxis, _ upward: LinearAxis) -> Markup {
        var taken: [(x: Double, y: Double)] = []
        return places.map { place -> Markup in
            let x = min(across(place.requests.value) + 10, Self.right - 24)
            let y = max(upward(place.latency.value) - 8, Self.top + 12)
            guard !taken.contains(where: { abs($0.x - x) < 26 && abs($0.y - y) < 15 }) else { return "" }
            taken.append((x, y))
            return "<text x=\"\(Coordinate(x))\" y=\"\(Coordinate(y))\">\(place.number)</text>"
        }.joined()
    }
}
