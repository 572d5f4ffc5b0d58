/// Booleans as the framework reads them: clients write `true`, `True` or `1`, as their languages do.
enum BooleanText {
    private static let yes: Set<String> = [
        "1", "on", "On", "ON", "t", "T", "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES",
    ]
    private static let no: Set<String> = [
        "0", "off", "Off", "OFF", "f", "F", "false", "False", "FALSE", "n", "N", "no", "No", "NO",
    ]

    /// Nil for what is no boolean; an empty text is none.
    static func value(_ text: String) -> Bool? {
        if yes.contains(text) { return true }
        return no.contains(text) ? false : nil
    }
}
