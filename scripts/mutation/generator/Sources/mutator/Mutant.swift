/// One mistake that can be switched on in the copy.
struct Mutant {
    /// The number by which the copy knows it, from 1 on; it changes with every generation.
    var id: Int
    /// What stays the same when other lines change: file, rule, which of the same on such a line, and the line's text.
    var key: String
    /// The rule that made it.
    var rule: Rule
    /// Where it is in the source, relative to the root; lines and columns count from 1, columns in bytes.
    var file: String
    var line: Int
    var column: Int
    /// What stands there and what stands there with the mistake, cut to one line each.
    var original: String
    var mutated: String
}

/// The rules by which mistakes are made.
enum Rule: String, CaseIterable {
    /// A condition of `if`, `guard`, `while` or `?:` turned round.
    case conditionNegated = "condition-negated"
    /// `if let` and `guard let` that find nothing.
    case bindingNil = "binding-nil"
    /// `<` for `<=`, and so on.
    case comparisonOffByOne = "comparison-off-by-one"
    /// `==` for `!=`, and so on.
    case equalityNegated = "equality-negated"
    /// `&&` for `||`, and so on.
    case andOr = "and-or"
    /// The end of a range, or a `prefix`, by one.
    case boundOffByOne = "bound-off-by-one"
    /// `true` for `false`, and so on.
    case literalFlipped = "literal-flipped"
    /// An integer, one larger.
    case constantChanged = "constant-changed"
    /// A duration, twice as long.
    case durationDoubled = "duration-doubled"
    /// A statement that is only a call.
    case callLeftOut = "call-left-out"
    /// The same where it writes the log or counts for the metrics.
    case logLeftOut = "log-left-out"
    /// An assignment.
    case assignmentLeftOut = "assignment-left-out"
    /// `insert` into a set or dictionary that keeps nothing.
    case setForgets = "set-forgets"
    /// Two neighbouring arguments of one type.
    case argumentsSwapped = "arguments-swapped"
    /// A function that ends at its beginning, with nothing to say.
    case earlyReturn = "early-return"
    /// A `catch` with an empty body.
    case catchSwallows = "catch-swallows"
    /// Two neighbouring calls, the second one first.
    case stepsReordered = "steps-reordered"
    /// A comparison, a conjunction, a test for null or an order in SQL.
    case sqlChanged = "sql-changed"
}

/// Where the text of a mutant lies in the written file: a refusal of the compiler in it is this mutant's.
struct WrittenRange {
    var id: Int
    /// Offsets in bytes: of the mutated text, and of everything that was put round the original for it.
    var text: Range<Int>
    var whole: Range<Int>
}
