import FakeAPNs
import HTTP
import Platform
import Scenarios
import Verdict

/// Notes every push, whether its answer arrived, and what became of it on the device.
struct PushObserver {
    private struct Owner {
        var person: Username
        var device: DeviceName
        var installation: Int
    }

    private var ownerByToken: [String: Owner] = [:]
    private var ownerByDevice: [DeviceID: Owner] = [:]
    /// How many things have borne the name, one after the other.
    private var installations: [OwnedDevice: Int] = [:]
    /// Tokens that APNs called dead, with the instant; a new registration takes them out.
    private var deadTokens: [String: Duration] = [:]
    /// When the notifier was told of a token last.
    private var registeredAt: [String: Duration] = [:]
    /// Which token of each device the notifier has taken last, and when.
    private var taken: [OwnedDevice: (token: String, at: Duration)] = [:]
    /// Tokens of which apps tell the notifier, until they have an answer or give up.
    private var beingTold: Set<String> = []
    /// Under which number the notifier has confirmed a token last, until its app tells of it again.
    private var numberByToken: [String: String] = [:]
    /// Tokens of devices that were removed, with the instant; a new registration takes them out.
    private var removedTokens: [String: Duration] = [:]
    /// The push whose answer has just been formed, as an index into the record; the next reply sent is its.
    private var justAnswered: Int?
    private var pushByExchange: [Int64: Int] = [:]
    /// Tokens by the push, as its place in the record, whose answer called them dead first.
    private var deathNotices: [Int: String] = [:]
    /// Exchanges that ended in vain before anything was answered in them.
    private var abandoned: Set<Int64> = []
    /// What would be wrong of the request that was answered last if it left the notifier a while after that instant.
    private var delayed: (what: String, since: Duration)?
    /// When what is on its way to APNs left the notifier, by the exchange.
    private var sentAt: [Int64: Duration] = [:]
    /// Accepted pushes that nobody sees.
    private var silentPushes: Set<PushID> = []
    /// Collapse ids shown on each device.
    private var shown: [DeviceID: Set<String>] = [:]
    /// Where the record has an accepted push, by the id that APNs gave it: what it told is read once. Nil where pushes that tell different
    /// things have gone by one id.
    private var accepted: [String: Int?] = [:]

    /// A refusal needs this long at most to reach the notifier.
    private static let grace = Duration.seconds(30)
    /// So long after an app has told of its token the notifier tries again what APNs calls dead: APNs may not know it yet (APNs facts §5).
    private static let freshness = Duration.minutes(4)

    /// A device of a person, under the name it has in the fleet.
    mutating func learn(_ id: DeviceID, person: Username, device: DeviceName) {
        guard ownerByDevice[id] == nil else { return }
        let count = installations[OwnedDevice(person: person, device: device), default: 0]
        installations[OwnedDevice(person: person, device: device)] = count + 1
        ownerByDevice[id] = Owner(person: person, device: device, installation: count)
    }

    /// A token that leads to a device of a person, from now on: to the thing that bears the name now.
    mutating func learn(token: String, person: Username, device: DeviceName) {
        let count = installations[OwnedDevice(person: person, device: device), default: 1]
        ownerByToken[token] = Owner(person: person, device: device, installation: count - 1)
        deadTokens[token] = nil
        removedTokens[token] = nil
    }

    /// An app begins to tell the notifier of its token, as often as it takes.
    mutating func tell(token: String) {
        beingTold.insert(token)
        numberByToken[token] = nil
    }

    /// An app has told the notifier of its token, which has answered with that number of the device, or has not.
    mutating func register(token: String, as number: String? = nil, at now: Duration) {
        registeredAt[token] = now
        beingTold.remove(token)
        numberByToken[token] = number
    }

    /// The notifier has taken a token of a device.
    mutating func take(token: String, of person: Username, _ device: DeviceName, at now: Duration) {
        let key = OwnedDevice(person: person, device: device)
        if taken[key]?.token != token { taken[key] = (token, now) }
    }

    /// When the notifier took the newest token of the thing to which another one leads; nil where that is the newest, and where nobody knows.
    private func newerTokenAt(than token: String) -> Duration? {
        guard let owner = ownerByToken[token],
            let newest = taken[OwnedDevice(person: owner.person, device: owner.device)], newest.token != token,
            ownerByToken[newest.token]?.installation == owner.installation
        else { return nil }
        return newest.at
    }

    /// A token is at the notifier. Where its app tells of it, it may be used from now on, whatever was said of it before, and before its app has
    /// the answer.
    mutating func arrived(token: String, at now: Duration) {
        guard beingTold.contains(token) else { return }
        registeredAt[token] = now
        deadTokens[token] = nil
        removedTokens[token] = nil
    }

    /// To whom a token leads; nil where nobody knows.
    func person(behind request: HTTPRequest) -> Username? { ownerByToken[request.deviceToken]?.person }

    /// How many devices the person that a token leads to has ever had.
    func deviceCount(behind request: HTTPRequest) -> Int {
        guard let person = person(behind: request) else { return 0 }
        return ownerByDevice.values.count { $0.person == person }
    }

    /// The notifier has confirmed that a device with that token was removed: with it go the tokens that it had before under its number.
    mutating func remove(token: String, of number: String? = nil, at now: Duration) {
        removedTokens[token] = now
        guard let number else { return }
        for (former, known) in numberByToken where known == number { removedTokens[former] = now }
    }

    /// A sentence when the request went to a device that was removed; what was under way at the time may still arrive.
    mutating func violation(against request: HTTPRequest, at now: Duration, _ faults: [FaultRecord]) -> String? {
        guard let removed = removedTokens[request.deviceToken], now > removed + Self.grace else { return nil }
        let what = "a push went to a device \(now - removed) after it was removed"
        guard faults.mayDelay(from: removed - Self.grace, until: now) else { return what }
        delayed = (what, removed)
        return nil
    }

    /// The same of the request that was answered last, which travels in that exchange, where it was clear only from when it left: a link or APNs
    /// was slow.
    mutating func delayedViolation(in exchange: Int64) -> String? {
        guard let (what, removed) = delayed.take(), let left = sentAt[exchange], left > removed + Self.grace else {
            return nil
        }
        return what
    }

    /// Notes one request; returns a sentence when it went to a token that APNs had declared dead.
    mutating func note(_ request: HTTPRequest, _ reply: SentResponse, at now: Duration, in record: inout RunRecord)
        -> String?
    {
        let token = request.deviceToken
        let owner = ownerByToken[token]
        forgetNotice(of: token, downtimes: record.downtimes)
        let status = reply.response.status
        justAnswered = record.pushes.count
        record.pushes.append(
            PushRecord(
                at: now,
                person: owner?.person,
                device: owner?.device,
                apnsID: request.fields["apns-id"] ?? "",
                status: status,
                reason: status == 200 ? "" : Self.reason(in: reply.response.body),
                answerLost: reply.travel != .whole,
                faultID: reply.faultID,
                content: PayloadReader.content(of: request.body).map { record.pool.pooled($0) }
            )
        )
        record.pushes[record.pushes.count - 1].installation = owner?.installation ?? 0
        record.pushes[record.pushes.count - 1].newerTokenAt = newerTokenAt(than: token)
        record.pushes[record.pushes.count - 1].expiration = request.fields["apns-expiration"].flatMap { Int64($0) }
        if status == 200, let id = reply.response.fields["apns-id"] { noteAccepted(under: id, in: record) }
        defer {
            let isFresh = registeredAt[token].map { now < $0 + Self.freshness } ?? false
            if status == 410, reply.travel == .whole, deadTokens[token] == nil, !isFresh {
                deadTokens[token] = now
                deathNotices[record.pushes.count - 1] = token
            }
        }
        guard let dead = deadTokens[token], now > dead + Self.grace,
            !record.faults.mayDelay(from: dead - Self.grace, until: now)
        else { return nil }
        return "a push went to a token \(now - dead) after APNs had called it dead"
    }

    /// Notes what was said of a device to which a push went that nobody sees, if that was heard.
    func note(silent request: HTTPRequest, _ reply: SentResponse, at now: Duration, in record: inout RunRecord) {
        guard let owner = ownerByToken[request.deviceToken], reply.travel == .whole,
            record.silentPushes.count < RunLimits.silentPushes
        else { return }
        let status = reply.response.status
        record.silentPushes.append(
            SilentPushRecord(
                at: now,
                person: owner.person,
                device: owner.device,
                status: status,
                reason: status == 200 ? "" : Self.reason(in: reply.response.body)
            )
        )
    }

    /// Something leaves for APNs.
    mutating func sent(in exchange: Int64, at now: Duration) { sentAt[exchange] = now }

    /// The answer of the push noted last goes home in this exchange.
    mutating func lastPush(travelsIn exchange: Int64, in record: inout RunRecord) {
        let left = sentAt.removeValue(forKey: exchange)
        guard let index = justAnswered.take() else { return }
        record.pushes[index].sentAt = left
        guard abandoned.remove(exchange) == nil else {
            // Nobody waits for it any more.
            return loseAnswer(of: index, in: &record)
        }
        pushByExchange[exchange] = index
    }

    /// An exchange is over; when it carried a push, the record says whether the answer arrived.
    mutating func exchangeEnded(_ exchange: Int64, failure: String?, at now: Duration, in record: inout RunRecord) {
        guard let index = pushByExchange.removeValue(forKey: exchange) else {
            if failure != nil { abandoned.insert(exchange) }
            return
        }
        guard failure != nil else { return record.pushes[index].answeredAt = now }
        loseAnswer(of: index, in: &record)
    }

    /// The notifier has gone back to a backup, and is told anew.
    mutating func forgetTokens() { (deadTokens, taken) = ([:], [:]) }

    /// A process that ended soon after it was told that a token is dead may not have stored it, and one that had ended before was not told.
    private mutating func forgetNotice(of token: String, downtimes: [Span]) {
        guard let dead = deadTokens[token] else { return }
        if downtimes.contains(where: { $0.from <= dead + Self.grace && dead < $0.until }) { deadTokens[token] = nil }
    }

    /// What it said is not known, that a token is dead included.
    private mutating func loseAnswer(of index: Int, in record: inout RunRecord) {
        record.pushes[index].answerLost = true
        if let token = deathNotices.removeValue(forKey: index) { deadTokens[token] = nil }
    }

    /// Notes what happened on a device.
    mutating func note(_ event: DeviceEvent, at now: Duration, in record: inout RunRecord) {
        // What nobody sees is no delivery, though it may take the place of what somebody was to see.
        guard !event.push.isBackground else {
            if event.kind == .accepted { silentPushes.insert(event.push.id) }
            return
        }
        guard let owner = ownerByDevice[event.device], let kind = kind(of: event) else { return }
        let content = content(under: event.push.apnsID, of: event.push.payload, in: record)
        record.deviceEvents.append(
            DeviceEventRecord(
                at: now,
                person: owner.person,
                device: owner.device,
                kind: kind,
                apnsID: event.push.apnsID,
                cause: cause(of: event),
                content: content
            )
        )
        record.deviceEvents[record.deviceEvents.count - 1].installation = owner.installation
        guard let id = event.push.collapseID, id != content?.notificationID else { return }
        record.deviceEvents[record.deviceEvents.count - 1].collapseID = id
    }

    /// Notes that the app on a device shows something by itself: an alert, whether it was shown before or not.
    mutating func note(shown content: PushContent, on device: DeviceID, at now: Duration, in record: inout RunRecord) {
        guard let owner = ownerByDevice[device] else { return }
        shown[device, default: []].insert(content.notificationID)
        var event = DeviceEventRecord(
            at: now,
            person: owner.person,
            device: owner.device,
            kind: .displayed,
            apnsID: "",
            cause: nil,
            content: content
        )
        event.installation = owner.installation
        record.deviceEvents.append(event)
    }

    private mutating func kind(of event: DeviceEvent) -> DeviceEventRecord.Kind? {
        switch event.kind {
        case .displayed:
            guard let collapseID = event.push.collapseID else { return .displayed }
            return shown[event.device, default: []].insert(collapseID).inserted ? .displayed : .replaced
        case .stored, .held: return .stored
        case .discarded: return .discarded
        case .accepted, .replaced, .delivered: return nil
        }
    }

    /// What a push with that id and payload tells; nil where that cannot be read.
    func content(under id: String, of payload: [UInt8], in record: RunRecord) -> PushContent? {
        guard case .some(let index?) = accepted[id] else { return PayloadReader.content(of: payload) }
        return record.pushes[index].content
    }

    /// The record's last push was accepted.
    private mutating func noteAccepted(under id: String, in record: RunRecord) {
        let last = record.pushes.count - 1
        guard let known = accepted[id] else { return accepted[id] = .some(last) }
        if let known, record.pushes[known].content == record.pushes[last].content { return }
        accepted[id] = .some(nil)
    }

    private func cause(of event: DeviceEvent) -> String? {
        guard case .discarded(let cause) = event.kind else { return nil }
        if case .overwritten(let other) = cause, silentPushes.contains(other.id) { return "overwrittenBySilentPush" }
        return String("\(cause)".prefix { $0 != "(" })
    }

    private static func reason(in body: [UInt8]) -> String {
        let text = String(decoding: body, as: UTF8.self)
        let parts = text.split(separator: "\"")
        guard let key = parts.firstIndex(of: "reason"), key + 2 < parts.count else { return "" }
        return String(parts[key + 2])
    }
}

extension FaultRecord {
    /// Whether it makes a link or a service so slow that something may be on its way when it is over.
    fileprivate var mayDelay: Bool {
        [.latency, .apnsSlow, .stallBeforeFirstByte, .stallInBody, .slowBody].contains(kind)
    }

    /// When nothing is on its way any more that it has delayed: an hour later at most.
    var passedAt: Duration { span.until + (mayDelay ? .hours(1) : .zero) }
}

extension [FaultRecord] {
    /// Whether a link or a service was so slow at some time between the two instants that what arrives at the second may have been sent before the
    /// first.
    func mayDelay(from start: Duration, until end: Duration) -> Bool {
        contains { $0.mayDelay && $0.span.from <= end && start < $0.passedAt }
    }
}
