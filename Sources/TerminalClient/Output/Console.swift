/// Where a command writes, and asks.
protocol Console: Sendable {
    /// Whether results may be coloured.
    var usesColour: Bool { get }

    /// Writes a result.
    func print(_ text: String)

    /// Writes what is no result.
    func note(_ text: String)

    /// Asks for a secret, which is not shown as it is typed; nil when nobody can be asked.
    func askSecret(_ question: String) -> String?

    /// What a file, or standard input for `-`, holds.
    ///
    /// - Throws: `TerminalError` of what is wrong with it.
    func readFile(_ path: String) throws(TerminalError) -> String
}
