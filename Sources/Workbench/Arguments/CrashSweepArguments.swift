import Scenarios

/// What `simctl crash-sweep` was asked to do.
struct CrashSweepArguments: Equatable {
    var file: String
    var seed: SeedSelection
    /// The one crash to make; nil for all.
    var point: CrashPoint?
    /// Of each step every so manieth occurrence; 1 for all.
    var every: Int
    /// After each crash, at how many occurrences of each step the next process dies, too; nil for crashes that come alone.
    var then: Int?
    /// What the disk keeps of writes that were not made sure of; all of them unless the power goes.
    var keeps: KeptWrites
    /// Worker processes; nil for one per core.
    var jobs: Int?
    /// Where the scenarios of findings go; nowhere when nil.
    var out: String?

    /// The crashes to make, given how often a run reaches each step.
    func points(of counts: [String: Int]) -> [CrashPoint] {
        if let point { return [point] }
        let steps = DurableStep.allCases.filter { counts[$0.rawValue, default: 0] > 0 && makesDifference(at: $0) }
        let first = steps.flatMap { step in
            stride(from: 1, through: counts[step.rawValue, default: 0], by: every).map {
                CrashPoint(step: step, occurrence: $0)
            }
        }
        guard let then else { return first }
        let second = steps.flatMap { step in (1...then).map { CrashPoint.Place(step: step, occurrence: $0) } }
        return first.flatMap { first in
            second.map { CrashPoint(step: first.first.step, occurrence: first.first.occurrence, then: $0) }
        }
    }

    /// - Throws: `ProgramError` when the one crash would never come: a world in which nobody dies has no findings, and proves nothing.
    func checkThatItComes(_ counts: [String: Int]) throws(ProgramError) {
        guard let place = point?.first else { return }
        let count = counts[place.step.rawValue, default: 0]
        guard place.occurrence > count else { return }
        let reached = DurableStep.allCases.map(\.rawValue).filter { counts[$0, default: 0] > 0 }
        throw ProgramError(
            .badValue,
            count == 0
                ? "the run never reaches \(place.step.rawValue)"
                : "the run reaches \(place.step.rawValue) \(count == 1 ? "once" : "\(count) times"), not "
                    + "\(place.occurrence) times",
            hint: count == 0
                ? "it reaches \(reached.joined(separator: ", "))"
                : "--at \(place.step.rawValue):\(count) is the last of them"
        )
    }

    /// A process that dies in the middle of a commit leaves what one leaves that dies before it or after it, and so does the power
    /// where nothing is being written.
    private func makesDifference(at step: DurableStep) -> Bool {
        let isOnDisk = step == .beforeDiskWrite || step == .beforeDiskSync
        return isOnDisk == (keeps != .all)
    }
}

extension CrashSweepArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        file = arguments.scenarioFiles[0]
        seed = try SeedSelection(arguments)
        point = nil
        every = 1
        then = nil
        keeps = .all
        if let text = arguments.values["--then"] { then = try Self.number(text, of: "--then", in: 1...100, example: 2) }
        if let text = arguments.values["--keeps"] { keeps = try Self.keeps(text) }
        if let text = arguments.values["--at"] { point = try Self.point(text) }
        for flag in ["--every", "--then"] where point != nil && arguments.values[flag] != nil {
            throw ProgramError(
                .conflictingFlags,
                "\(flag) is for a sweep, --at for one crash",
                hint: "keep one of them"
            )
        }
        if let text = arguments.values["--every"] {
            every = try Self.number(text, of: "--every", in: 1...1_000_000, example: 10)
        }
        out = arguments.values["--out"]
        if let text = arguments.values["--jobs"] { jobs = try RunArguments.jobs(text) }
    }

    private static func point(_ text: String) throws(ProgramError) -> CrashPoint {
        guard let point = CrashPoint(text) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a step with its number: --at takes one of "
                    + DurableStep.allCases.map(\.rawValue).joined(separator: ", "),
                hint: "--at after-push:12"
            )
        }
        return point
    }

    private static func keeps(_ text: String) throws(ProgramError) -> KeptWrites {
        guard let keeps = KeptWrites(rawValue: text) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is nothing that a disk keeps: --keeps takes one of "
                    + KeptWrites.allCases.map(\.rawValue).joined(separator: ", "),
                hint: "--keeps torn"
            )
        }
        return keeps
    }

    /// A whole number of the range, written in digits alone.
    private static func number(
        _ text: String,
        of flag: String,
        in range: ClosedRange<Int>,
        example: Int
    ) throws(ProgramError) -> Int {
        guard let number = Int(text), range.contains(number), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a number: \(flag) takes \(range.lowerBound) to \(range.upperBound)",
                hint: "\(flag) \(example)"
            )
        }
        return number
    }
}
