/// The number that a push brings is what the person has not read as it leaves: one that has waited would bring back an old number, and of those
/// that leave together any may arrive last (APNs facts §4, §9).
enum Badges {
    private static let member = Array(#""badge":"#.utf8)

    /// Gives the deliveries the number that holds now, but for those that bring none.
    ///
    /// - Throws: What the store throws.
    static func renew(_ deliveries: inout [ClaimedDelivery], in store: Store) throws {
        var counts: [AccountID: Int] = [:]
        for place in deliveries.indices {
            guard let digits = numberRange(in: deliveries[place].payload) else { continue }
            let account = deliveries[place].account
            let count = try counts[account] ?? store.unreadCount(of: account)
            counts[account] = count
            let number = Array(String(count).utf8)
            // An older number is better than a push that APNs refuses.
            guard deliveries[place].payload.count - digits.count + number.count <= PayloadComposer.limitBytes else {
                continue
            }
            deliveries[place].payload.replaceSubrange(digits, with: number)
        }
    }

    /// Where the digits of the number stand. Within a text a quotation mark is escaped, so that nobody can write this member there.
    private static func numberRange(in payload: [UInt8]) -> Range<Int>? {
        guard payload.count > member.count else { return nil }
        let starts = 0..<(payload.count - member.count)
        guard let start = starts.first(where: { payload[$0...].starts(with: member) }) else { return nil }
        let digits = payload[(start + member.count)...].prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? nil : digits.startIndex..<digits.endIndex
    }
}
