import JSON
import SQLite

/// What a report passes on of the server's log: lines whose message stands in the tables of log messages, and of those the fields that are
/// named here, each with what may stand in it. All else is struck, whoever wrote it: a file that is given as the log may hold anything.
enum IncidentLog {
    static let mark = "<redacted>"

    /// The line as the report shows it; nil for one that is no object with a message.
    static func entry(_ line: Substring) -> String? {
        var reader = JSONReader(bytes: Array(line.utf8))
        guard let members = try? reader.read().members,
            let message = members.first(where: { $0.key == "message" })?.node.string, !message.isEmpty
        else { return nil }
        guard messages.contains(message) else { return #"{"kind":"log","message":"\#(mark)"}"# }
        let shown = members.compactMap { member in
            field(member.key, member.node.value).map { JSONMember(member.key, $0) }
        }
        return #"{"kind":"log","entry":\#(JSONValue.object(shown).text(indented: false))}"#
    }

    /// What is shown of a field; nil for one that no message has, whose name may say as much as its value.
    private static func field(_ key: String, _ value: JSONValue) -> JSONValue? {
        switch value {
        case .number where numbers.contains(key): return value
        case .string(let text) where isShown(text, under: key): return value
        default: return isKnown(key) ? .string(mark) : nil
        }
    }

    /// Whether a message of the server has a field of that name.
    static func isKnown(_ key: String) -> Bool {
        numbers.contains(key) || words.contains(key) || factKeys.contains(key) || personal.contains(key)
            || ["time", "level", "message", "error"].contains(key)
    }

    private static func isShown(_ text: String, under key: String) -> Bool {
        switch key {
        case "message": true
        case "time", "level": text.utf8.count <= 40 && isWord(text)
        case "error": isCode(text) || isSentence(text)
        case _ where words.contains(key): isWord(text)
        case _ where factKeys.contains(key): text.split(separator: ",").allSatisfy(isFactKey)
        default: false
        }
    }

    // MARK: What may stand in a field

    /// Codes, ids, days and numbers of releases, also several of them.
    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.utf8.allSatisfy { isLetterOrDigit($0) || "_.:+- ".utf8.contains($0) }
    }

    /// Why something failed, as the notifier's own errors call it: `unreachable.responseTooLarge`.
    private static func isCode(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 80 else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "_.".utf8.contains($0) }
    }

    /// What SQLite's errors say; behind a bracket stand codes, or names of tables and columns.
    private static func isSentence(_ text: String) -> Bool {
        let beginning = text.prefix { $0 != "(" }
        return sentences.contains(String(beginning))
            && text.dropFirst(beginning.count).utf8.allSatisfy { isLetterOrDigit($0) || "_.,() -".utf8.contains($0) }
    }

    private static let sentences: Set<String> = {
        let plain: [SQLiteError] = [
            .busy, .full, .ioError(code: 0), .corrupt, .readOnly, .cannotOpen, .misuse, .other(code: 0),
        ]
        let rules = SQLiteError.ConstraintKind.allCases.flatMap { kind in
            [SQLiteError.constraint(kind, subject: ""), .constraint(kind, subject: "table")]
        }
        return Set((plain + rules).map { String($0.description.prefix { $0 != "(" }) })
    }()

    /// Keys of what GitLab and duties tell, which are numbers, ids and words of GitLab's; not of what a person's program calls its own.
    private static func isFactKey(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && factKinds.contains(String(parts[0])) && parts.allSatisfy { isWord(String($0)) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    // MARK: Names

    private static func names(_ text: String) -> Set<String> {
        Set(text.split { $0.isWhitespace }.map(String.init))
    }

    private static let factKinds = names(
        "note mention state todo event label milestone approval pipeline due duty"
    )
    private static let factKeys = names("fact.key facts")
    /// Fields that are known, and whose text is never shown.
    private static let personal = names("file listen.address signal.id")

    private static let numbers = names(
        """
        account.id actor.id apns.key_changed asks budget.waits bytes counted deliveries delivery.attempt delivery.id
        device.id devices due.step fact.count failing_ms listen.port notifications offset_ms pause_ms poll.base_ms
        poll.deaths poll.interval_ms poll.requests poll.retry_after_ms probe.count project.id reminder.step
        restart_needed rows scan.requests scan.restarts scan.rows step_ms subscription.is_on sweep.items
        sync.applied sync.conflicts sync.refused token.age_ms wait.ms waiting watch.count watch.id
        watch.limit
        """
    )

    private static let words = names(
        """
        apns.environment apns.id apns.outcome apns.reason ask.id auth.expires_on auth.rejection backup
        capability.activity capability.missing device due.on duty.id duty.step error.code error.reason fact.action
        fact.source fault gitlab.version list notification.id occurrence.id reason receipt.kind signal.kind
        signal.result signal.token table version watch.id
        """
    )

    /// Every message that the server writes.
    static let messages = names(
        """
        account.gitlab_not_served account.registered account.removed account.revived account.sign_in_failed
        actor.allowed actor.denied api.request_failed apns.configured apns.not_configured apns.switched_off
        approvals.checked ask.postponed ask.settled auth.check_failed auth.confirming auth.expired auth.expiring
        auth.renamed auth.restored auth.works backup.failed backup.made breaker.closed breaker.opened breaker.probed
        budget.waited capability.found capability.version_changed clock.agrees clock.differs clock.stepped
        connection.suspect connection.warm daemon.database_unread daemon.file_was_readable daemon.polls_unmarked
        daemon.ready daemon.reload_failed daemon.reloaded daemon.requests_unrecorded daemon.stopping
        delivery.accepted delivery.claim_failed delivery.dead delivery.dropped delivery.expired
        delivery.lease_reclaimed delivery.lease_released delivery.moot delivery.outcome_not_recorded
        delivery.redriven delivery.requeued delivery.retry delivery.sent delivery.unknown delivery.withheld
        device.deactivated device.held device.moved device.paired device.registered device.removed device.revived
        device.throttled device.token_unreadable device.unregistered digest.dropped digest.failed digest.queued
        due.held due.noted due.queued duty.ended duty.joined duty.made duty.muted duty.reminder_queued duty.unmuted
        duty.upkeep_failed extra.first_read fact.backdated fact.correlated fact.covered fact.denied_actor
        fact.dismissed fact.held fact.merged fact.muted fact.muted_duty fact.notified fact.own_action
        fact.switched_off fact.system_note fallback.began fallback.ended fallback.feed_read gitlab.none_served
        grant.ended grant.renewal_failed grant.renewed grant.revocation_failed grant.revoked instance.narrowed
        instance.waited instance.widened item.dismissed item.undismissed look.shared_found look.woke
        notification.acknowledged notification.pull_reset notification.queued notification.read_elsewhere
        notification.read_marks_changed notifier.started notifier.stopped pairing.refused
        poll.cycle poll.failed poll.given_up poll.interrupted poll.interval poll.named poll.pace poll.probe
        poll.rate_limited poll.recovered poll.refused poll.set_aside poll.started poll.stopped poll.store_failed
        poll.taken_back queue.paused quota.spread receipt.recorded reminder.failed reminder.held reminder.queued
        retention.failed retention.purged retention.put_off
        scan.failed scan.late_row scan.not_modified scan.notes_in_parts
        scan.page_followed scan.reconciled scan.restarted scan.todos_in_parts secrets.resealed
        secrets.rotation_failed secrets.unreadable service.failing service.recovered service.trouble
        session.refresh_token_reused session.revoked_all settings.changed signal.muted signal.refused signal.taken
        signal.token_made signal.token_revoked signal.unmuted store.damaged store.failing store.recovered
        subscription.changed subscription.failed sweep.changed sweep.failed sweep.hot_found sweep.patrol_found
        sync.changes_taken sync.push_sent sync.reset token.kept token.refused token.renewed token.reused watch.added
        watch.auto_added watch.followed watch.gave_way watch.imported watch.list_full watch.missing watch.muted
        watch.not_followed watch.paused watch.removed watch.returned watch.unmuted
        """
    )
}
