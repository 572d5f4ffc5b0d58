/// Why a bundle cannot be read, and where.
struct IncidentFault: Error, Equatable {
    /// From 1; nil for what concerns the whole of it.
    var line: Int?
    var message: String
    var hint: String?

    init(line: Int? = nil, _ message: String, hint: String? = nil) {
        (self.line, self.message, self.hint) = (line, message, hint)
    }
}
