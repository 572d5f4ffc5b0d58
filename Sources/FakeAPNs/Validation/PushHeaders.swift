import HTTP

/// The header fields APNs reads, gathered in one pass. Everything else a client sends is ignored (APNs facts §2).
struct PushHeaders {
    var authorization: String?
    var topic: String?
    var pushType: String?
    var apnsID: String?
    var expiration: String?
    var priority: String?
    var collapseID: String?
    /// True when a field APNs reads came more than once.
    private(set) var hasDuplicates = false
    /// Names and values of every field line, in bytes.
    private(set) var byteCount = 0
    /// How many field lines there are.
    private(set) var lineCount = 0

    init(_ fields: HTTPFields) {
        for field in fields.fields {
            lineCount += 1
            byteCount += field.name.utf8.count + field.value.utf8.count
            guard let first = field.name.utf8.first, first | 0x20 == UInt8(ascii: "a") else { continue }
            if !take(field.name, field.value), field.name.utf8.contains(where: { $0 & 0xE0 == 0x40 }) {
                _ = take(field.name.lowercased(), field.value)
            }
        }
    }

    /// Takes one field line; false when the name is none of APNs'.
    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "authorization": set(\.authorization, value)
        case "apns-topic": set(\.topic, value)
        case "apns-push-type": set(\.pushType, value)
        case "apns-id": set(\.apnsID, value)
        case "apns-expiration": set(\.expiration, value)
        case "apns-priority": set(\.priority, value)
        case "apns-collapse-id": set(\.collapseID, value)
        default: return false
        }
        return true
    }

    private mutating func set(_ field: WritableKeyPath<PushHeaders, String?>, _ value: String) {
        if self[keyPath: field] == nil {
            self[keyPath: field] = value
        } else {
            hasDuplicates = true
        }
    }
}
