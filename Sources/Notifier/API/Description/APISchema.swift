/// What a JSON value of the API may be; published as JSON Schema 2020-12 within the OpenAPI document.
indirect enum APISchema: Sendable, Equatable {
    /// A text with so many characters.
    case text(ClosedRange<Int> = 0...65_536)
    /// A text of which all matches a regular expression (ECMA 262), with so many characters.
    case matching(String, length: ClosedRange<Int>)
    /// No value: what must be left out, or be `null`.
    case null
    /// A text made by the server that means nothing to anyone else: a token, a cursor, a pairing code.
    case opaque
    /// An id made by the server: a UUID in lower case.
    case id
    /// RFC 3339 in UTC, such as `2026-03-02T09:00:00.000Z`.
    case instant
    /// A day such as `2026-12-31`.
    case day
    case url
    /// One of these words.
    case word([String])
    /// A whole number.
    case number(ClosedRange<Int64> = 0...Int64.max)
    /// Any number in the range.
    case decimal(ClosedRange<Double>)
    case boolean
    case list(APISchema, count: ClosedRange<Int> = 0...10_000)
    /// Exactly these members.
    case object([Property])
    /// An object whose names are data.
    case map(APISchema)
    /// At least one of these.
    case either([APISchema])
    /// Any object.
    case anyObject

    /// One member of an object.
    struct Property: Sendable, Equatable {
        var name: String
        var schema: APISchema
        /// A sentence: what it says, and what its absence says.
        var summary: String
        var isRequired: Bool

        static func required(_ name: String, _ schema: APISchema, _ summary: String) -> Property {
            Property(name: name, schema: schema, summary: summary, isRequired: true)
        }

        static func optional(_ name: String, _ schema: APISchema, _ summary: String) -> Property {
            Property(name: name, schema: schema, summary: summary, isRequired: false)
        }
    }
}
