import JSON

/// Turns a payload of any size into bytes that APNs takes.
enum PayloadComposer {
    /// APNs refuses more (APNs facts §4).
    static let limitBytes = 4_096
    /// What is kept for the text before fact keys may use the room.
    private static let bodyReserveBytes = 600

    /// The encoded payload, at most ``limitBytes`` long: long names are shortened, links that cannot fit are dropped, then as
    /// many fact keys as fit are kept beside the beginning of the body.
    ///
    /// - Throws: what the encoder throws, which would be a mistake in the program.
    static func encode(_ payload: PushPayload) throws -> [UInt8] {
        let clipped = clip(payload)
        let body = clipped.aps.alert.body ?? ""
        let keys = clipped.data.facts
        // Most payloads fit as they are; encoding is the dearest part of a notification, so it is done once for those.
        if JSONText.encodedLength(body) + keys.count * 24 < limitBytes, let whole = try encodeWhole(clipped) {
            return whole
        }
        return try encodeFitted(clipped, body: body, keys: keys)
    }

    /// The payload as it is, or nil when that is too long.
    private static func encodeWhole(_ payload: PushPayload) throws -> [UInt8]? {
        var whole = payload
        if whole.aps.alert.body?.isEmpty == true { whole.aps.alert.body = nil }
        let encoded = try DeterministicJSON.bytes(whole)
        return encoded.count <= limitBytes ? encoded : nil
    }

    /// The payload with as many keys and as much of the body as fit.
    private static func encodeFitted(_ payload: PushPayload, body: String, keys: [String]) throws -> [UInt8] {
        var fitted = payload
        fitted.aps.alert.body = ""
        fitted.data.facts = []
        fitted.data.factsTruncated = true
        let room = limitBytes - (try DeterministicJSON.bytes(fitted).count)
        let reserved = min(JSONText.encodedLength(body), bodyReserveBytes)
        let (kept, used) = fitting(keys, in: room - reserved)
        let text = JSONText.prefix(body, encodedLimit: room - used)
        fitted.data.facts = kept
        fitted.data.factsTruncated = kept.count < payload.data.facts.count ? true : nil
        fitted.aps.alert.body = text.isEmpty ? nil : text
        let encoded = try DeterministicJSON.bytes(fitted)
        precondition(encoded.count <= limitBytes, "the limits of the parts leave room for the whole")
        return encoded
    }

    /// Shortens what only reads worse and drops what would be wrong when cut.
    private static func clip(_ payload: PushPayload) -> PushPayload {
        var clipped = payload
        clipped.aps.alert.title = JSONText.prefix(payload.aps.alert.title, encodedLimit: 240)
        clipped.aps.alert.subtitle = payload.aps.alert.subtitle.map { JSONText.prefix($0, encodedLimit: 240) }
        clipped.data.actionType = payload.data.actionType.map { JSONText.prefix($0, encodedLimit: 64) }
        clipped.data.projectPath = whole(payload.data.projectPath, upTo: 300)
        clipped.data.webUrl = whole(payload.data.webUrl, upTo: 900)
        guard let actor = payload.data.actor else { return clipped }
        clipped.data.actor = PushPayload.Person(
            name: JSONText.prefix(actor.name, encodedLimit: 200),
            username: JSONText.prefix(actor.username, encodedLimit: 200),
            avatarUrl: whole(actor.avatarUrl, upTo: 300)
        )
        return clipped
    }

    private static func whole(_ text: String?, upTo limit: Int) -> String? {
        text.flatMap { JSONText.encodedLength($0) <= limit ? $0 : nil }
    }

    /// The first keys that fit into `room`, with quotes and commas, and how much they take.
    private static func fitting(_ keys: [String], in room: Int) -> (kept: [String], used: Int) {
        var used = 0
        var kept = 0
        for key in keys {
            let cost = JSONText.encodedLength(key) + 3
            guard used + cost <= room else { break }
            used += cost
            kept += 1
        }
        return (Array(keys.prefix(kept)), used)
    }
}
