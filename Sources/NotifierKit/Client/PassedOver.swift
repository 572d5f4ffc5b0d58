/// What stands in a list of an answer, each by itself: one that this program cannot read, as a newer server may tell of other kinds of items, is
/// passed over, and stops nothing of the rest. What makes sense as a whole alone, such as the order of a rotation, is none.
protocol PassedOver: Decodable {}

extension AppNotification: PassedOver {}
extension UnreadCount.Subject: PassedOver {}
extension Ask: PassedOver {}
extension RegisteredDevice: PassedOver {}
extension SignalProgram: PassedOver {}
extension DeniedActor: PassedOver {}
extension WatchedItem: PassedOver {}
extension ItemPage.Entry: PassedOver {}
extension ImportAnswer.Entry: PassedOver {}
extension SharedDuty: PassedOver {}
extension SharedDuty.Member: PassedOver {}
extension SharedDuty.Turn: PassedOver {}
extension DutyEnd: PassedOver {}
extension DutyGift: PassedOver {}
extension DutyMute: PassedOver {}
extension SyncPage.Choice: PassedOver {}
extension SyncPage.ReadMark: PassedOver {}
extension SyncPage.Deleted: PassedOver {}
extension SyncReceipt.Applied: PassedOver {}
extension SyncReceipt.Conflict: PassedOver {}
extension SyncReceipt.Refused: PassedOver {}

/// What the compiler writes for a type to be decoded takes these before the standard library's, as they say more of what is decoded.
extension KeyedDecodingContainer {
    /// What can be read of a list.
    func decode<Element: PassedOver>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        if let whole = try? whole(type, key) { return whole }
        var list = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        while !list.isAtEnd {
            if let element = try list.decode(Readable<Element>.self).element { elements.append(element) }
        }
        return elements
    }

    /// The same of a list that may be absent.
    func decodeIfPresent<Element: PassedOver>(_ type: [Element].Type, forKey key: Key) throws -> [Element]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }

    /// What has an item of a kind that this program does not know has none for it.
    func decodeIfPresent(_ type: ItemKind.Type, forKey key: Key) throws -> ItemKind? {
        try decodeIfPresent(String.self, forKey: key).flatMap { ItemKind(rawValue: $0) }
    }

    /// As the standard library does it.
    private func whole<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

/// Nil where it cannot be read.
private struct Readable<Element: Decodable>: Decodable {
    var element: Element?

    init(from decoder: any Decoder) throws {
        element = try? Element(from: decoder)
    }
}
