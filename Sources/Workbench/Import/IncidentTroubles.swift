import JSON
import Platform
import Scenarios

/// What went wrong, as entries of a scenario's timeline: faults of the services and the process, tokens and devices.
struct IncidentTroubles {
    private let bundle: IncidentBundle
    private let timeline: IncidentTimeline
    private let cast: IncidentCast
    private let pushes: IncidentPushes

    init(_ bundle: IncidentBundle, _ timeline: IncidentTimeline, _ cast: IncidentCast) {
        (self.bundle, self.timeline, self.cast) = (bundle, timeline, cast)
        pushes = IncidentPushes(bundle)
    }

    var entries: [JSONValue] {
        var entries = timeline.outages.enumerated().compactMap { outage($1, number: $0 + 1) }
        entries += timeline.limits.enumerated().compactMap { limit($1, number: $0 + 1) }
        entries += timeline.downtimes.compactMap(downtime)
        entries += timeline.skews.enumerated().compactMap { skew($1, number: $0 + 1) }
        entries += bundle.accounts.flatMap { tokens(of: $0) + devices(of: $0) + watches(of: $0) }
        return entries
    }

    // MARK: Services and process

    private func length(_ from: WallTime, _ until: WallTime) -> JSONValue {
        .string(DurationNotation.text(max(.seconds(1), from.duration(to: min(until, timeline.end)))))
    }

    private func outage(_ outage: IncidentTimeline.Outage, number: Int) -> JSONValue? {
        guard let at = timeline.offset(outage.from) else { return nil }
        let (fault, mode) = Self.fault(outage)
        var members = [
            JSONMember(
                "description",
                .string("Guess: it began and ended between what was answered before, in it and after.")
            ), at, JSONMember("fault", .string(fault)), JSONMember("id", .string("outage-\(number)")),
        ]
        if let mode {
            members.append(JSONMember(Self.guises[fault] ?? "mode", .string(mode)))
        }
        members.append(JSONMember("for", length(outage.from, outage.until)))
        if outage.percent < 95 { members.append(JSONMember("ratio", .string("\(outage.percent)%"))) }
        return .object(members)
    }

    /// What the guise of a fault is called, where it is no mode.
    private static let guises = ["refuse": "link", "apns-reason": "reason"]

    /// The fault that looks so to the notifier, and its guise or its link.
    private static func fault(_ outage: IncidentTimeline.Outage) -> (fault: String, mode: String?) {
        if let reason = outage.reason { return ("apns-reason", reason.rawValue) }
        return switch (outage.service, outage.status) {
        case (.gitlab, 500): ("gitlab-outage", "500-json")
        case (.gitlab, 503): ("gitlab-outage", "503-json")
        case (.gitlab, .some): ("gitlab-outage", "502-text")
        case (.gitlab, nil) where outage.failure == "timedOut": ("gitlab-outage", "hang")
        case (.gitlab, nil) where outage.failure == "bodyTruncated": ("gitlab-outage", "truncated-json")
        case (.gitlab, nil): ("refuse", "gitlab")
        case (.apns, 500): ("apns-outage", "500")
        case (.apns, .some): ("apns-outage", "503")
        case (.apns, nil) where outage.failure == "timedOut": ("apns-outage", "hang")
        case (.apns, nil): ("refuse", "apns")
        case (.webhook, _): ("refuse", "webhook")
        }
    }

    private func limit(_ limit: IncidentTimeline.Limit, number: Int) -> JSONValue? {
        guard let at = timeline.offset(max(limit.from, timeline.start)) else { return nil }
        let people = Int64(max(1, bundle.accounts.count))
        return .object([
            JSONMember("description", .string("Guess: each person had an equal share of what was let through.")), at,
            JSONMember("fault", "gitlab-rate-limit"), JSONMember("id", .string("limit-\(number)")),
            JSONMember("limiter", "a"), JSONMember("requests", .integer(max(1, limit.requests / people))),
            JSONMember("period", .string(DurationNotation.text(limit.period))),
            JSONMember("for", length(max(limit.from, timeline.start), limit.until)),
        ])
    }

    private func downtime(_ downtime: IncidentTimeline.Downtime) -> JSONValue? {
        guard let at = timeline.offset(downtime.from) else { return nil }
        let kind = downtime.wasOrderly ? "restart" : "crash"
        var members = [at, JSONMember("fault", .string(kind))]
        if !downtime.wasOrderly {
            members.insert(JSONMember("description", "Guess: it died shortly before it started again."), at: 0)
        }
        members.append(JSONMember("downFor", length(downtime.from, downtime.until)))
        return .object(members)
    }

    private func skew(_ skew: IncidentSkew, number: Int) -> JSONValue? {
        guard let at = timeline.offset(skew.from), skew.from < skew.until else { return nil }
        let ahead =
            skew.ahead < .zero ? "-" + DurationNotation.text(.zero - skew.ahead) : DurationNotation.text(skew.ahead)
        return .object([
            JSONMember("description", "Guess: it was GitLab's clock that was wrong, and the server's was right."), at,
            JSONMember("fault", "clock-offset"), JSONMember("id", .string("clock-\(number)")),
            JSONMember("node", "gitlab"), JSONMember("offset", .string(ahead)),
            JSONMember("for", length(skew.from, skew.until)),
        ])
    }

    // MARK: Tokens and devices

    private func action(_ name: String, by account: Int64, at: WallTime, _ guess: String?, _ more: [JSONMember] = [])
        -> JSONValue?
    {
        timeline.action(name, by: cast.name(account), at: at, guess: guess, more)
    }

    /// GitLab refused a token some time before its person was told; a new one came before the next news, or when GitLab was asked about
    /// it.
    private func tokens(of account: IncidentBundle.Account) -> [JSONValue] {
        var entries: [JSONValue?] = []
        if !cast.isRegistered(account, at: timeline.start) {
            entries.append(action("register", by: account.id, at: account.createdAt, nil))
        }
        let expiries = bundle.notifications.filter { $0.account == account.id && $0.kind == "auth_expired" }
        for (index, expiry) in expiries.enumerated() {
            let next = index + 1 < expiries.count ? expiries[index + 1].createdAt : timeline.end
            entries.append(
                action(
                    "expire-token",
                    by: account.id,
                    at: refusal(before: expiry.createdAt) ?? expiry.createdAt.advanced(by: .seconds(-30)),
                    "a token that expired; whether somebody had revoked it is not known"
                )
            )
            guard let renewed = renewal(of: account, between: expiry.createdAt, next) else { continue }
            entries.append(
                action("replace-token", by: account.id, at: renewed, "the person gave a new token shortly before")
            )
        }
        return entries.compactMap(\.self)
    }

    /// When GitLab first refused a token in the minutes before the person was told.
    private func refusal(before told: WallTime) -> WallTime? {
        let answers = bundle.minutes.filter { $0.service == .gitlab }.flatMap(\.answers)
        let refused = answers.filter {
            $0.status == 401 && $0.first <= told && told.advanced(by: .minutes(-10)) <= $0.first
        }
        guard let first = refused.map(\.first).min() else { return nil }
        let before = answers.filter { $0.status == 200 && $0.last <= first }.map(\.last).max()
        let half = before.map { Duration.microseconds($0.duration(to: first).wholeMicroseconds / 2) } ?? .seconds(1)
        return first.advanced(by: .zero - min(half, .seconds(30)))
    }

    private func renewal(of account: IncidentBundle.Account, between told: WallTime, _ next: WallTime) -> WallTime? {
        if let read = account.tokenReadAt, told < read, read < next { return read }
        let news = bundle.facts.filter { $0.account == account.id && told < $0.noticedAt && $0.noticedAt < next }
        guard let first = news.map(\.noticedAt).min(), !(account.isExpired && next == timeline.end) else { return nil }
        return first.advanced(by: .seconds(-20))
    }

    private func devices(of account: IncidentBundle.Account) -> [JSONValue] {
        cast.devices(of: account.id).flatMap { device in
            let name = [JSONMember("device", .string(device.name))]
            var entries: [JSONValue?] = []
            if cast.joinsLater(device, of: account, start: timeline.start) {
                entries.append(action("pair-device", by: account.id, at: device.first.registeredAt, nil, name))
            }
            for successor in device.successors {
                entries.append(action("device-replace", by: account.id, at: successor.registeredAt, nil, name))
            }
            entries += pushes.absences(of: device).flatMap { absence -> [JSONValue?] in
                let guess = "it was off from the first push on that it said to have had so late"
                return [
                    action("device-offline", by: account.id, at: absence.from, guess, name),
                    action("device-online", by: account.id, at: absence.until, nil, name),
                ]
            }
            if device.last.state == .dead {
                entries.append(
                    action(
                        "app-remove",
                        by: account.id,
                        at: device.last.stateChangedAt.advanced(by: .minutes(-20)),
                        "the app was gone for a while before Apple said so",
                        name
                    )
                )
            }
            return entries.compactMap(\.self)
        }
    }

    /// What was watched later than from the beginning.
    private func watches(of account: IncidentBundle.Account) -> [JSONValue] {
        cast.laterWatches(of: account, timeline).compactMap { watch in
            guard let reference = cast.reference(watch.item) else { return nil }
            let guess = watch.isAutomatic ? "it was watched by itself; here the person does it" : nil
            return action("watch", by: account.id, at: watch.createdAt, guess, [JSONMember("on", .string(reference))])
        }
    }
}
