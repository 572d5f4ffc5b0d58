/// What the database holds but this program cannot use.
enum StoreError: Error, Equatable {
    /// A secret was sealed with a key that is not configured any more.
    case unknownKeyVersion(Int64)
    /// A column holds a text this program never writes.
    case unreadable(column: String)
}
