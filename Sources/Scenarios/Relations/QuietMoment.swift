import Platform

extension ResolvedScenario {
    /// Shorter rests are none: what went before may not be over.
    static let leastRest = Duration.seconds(900)
    /// So long before something happens again.
    static let beforeNext = Duration.seconds(60)

    /// A moment in which nothing is going on: a minute before the end of the longest rest between two things that happen, the first of
    /// equally long ones. Nil when no rest lasts a quarter of an hour.
    var quietMoment: Duration? {
        var restsFrom = Duration.zero
        var longest = (length: Self.leastRest - .milliseconds(1), until: Duration.zero)
        for step in steps {
            if step.offset - restsFrom > longest.length { longest = (step.offset - restsFrom, step.offset) }
            restsFrom = max(restsFrom, end(of: step))
        }
        return longest.until > .zero ? longest.until - Self.beforeNext : nil
    }

    /// When it is over. A crash at a step may come at any time afterwards, and counts restarts.
    private func end(of step: Step) -> Duration {
        guard case .fault(let fault) = step.event else { return step.offset }
        if case .crashAtStep = fault.effect { return scenario.duration }
        return step.offset + fault.length
    }
}
