import JSON
import Platform

/// A person begins to hear of an item, or hears of it again, and within three minutes things happen to that very item, some of them in the same
/// second: what was there before is not news, and what comes next is.
struct Beginning {
    /// How long it takes, with what goes before it.
    static let length = Duration.seconds(600)
    private static let longest: Int64 = 180

    private let user: String
    private let item: String
    private let kind: ItemKind
    private let project: DrawnProject

    /// The entries of one around that many seconds from the start; none where nobody but the person may write there.
    static func entries(at seconds: Int64, _ draw: inout FieldDraw) -> [JSONValue] {
        guard let project = draw.random.pick(draw.cast.places),
            let kind = draw.random.pick(ItemKind.allCases),
            let user = draw.random.pick(draw.cast.users.filter { project.role(of: $0) != nil }),
            let item = draw.random.pick(project.references(of: [kind]))
        else { return [] }
        let beginning = Beginning(user: user, item: item, kind: kind, project: project)
        draw.focus = FieldDraw.Focus(person: user, item: item)
        defer { draw.focus = nil }
        // What goes before it lies up to five minutes back.
        let instant = seconds + 300
        return beginning.opening(at: instant, &draw) + beginning.happenings(after: instant, &draw)
    }

    // MARK: How it begins

    private func opening(at instant: Int64, _ draw: inout FieldDraw) -> [JSONValue] {
        let lead: Int64 = draw.random.pick([1, 5, 60, 300]) ?? 60
        let before = instant - lead
        let onItem = [JSONMember("by", .string(user)), JSONMember("on", .string(item))]
        let byUser = [JSONMember("by", .string(user))]
        let ofUser = [JSONMember("user", .string(user)), JSONMember("project", .string(project.path))]
        switch draw.random.next(below: 10) {
        case 0: return [Self.entry(.register, at: instant, byUser)]
        case 1: return [Self.entry(.unwatch, at: before, onItem), Self.entry(.watch, at: instant, onItem)]
        case 2: return [Self.entry(.loseAccess, at: before, ofUser), Self.entry(.regainAccess, at: instant, ofUser)]
        case 3:
            let mute = Self.entry(.mute, at: before, onItem + [JSONMember("for", "1h")])
            return [mute, Self.entry(.unmute, at: instant, onItem)]
        case 4:
            return [Self.entry(.revokeToken, at: before, byUser), Self.entry(.replaceToken, at: instant, byUser)]
        case 5:
            return [Self.entry(.blockAccount, at: before, byUser), Self.entry(.unblockAccount, at: instant, byUser)]
        case 6: return withoutDevice(from: before, until: instant, draw.cast) + happenings(after: before, &draw)
        case 7:
            let off = Self.entry(.pushesOff, at: before, byUser)
            let on = Self.entry(.pushesOn, at: instant, byUser)
            return [off, on] + happenings(after: before, &draw)
        case 8: return newcomer(at: before, instant, draw.cast, &draw.random)
        default: return disclosure(from: before, until: instant, &draw.random)
        }
    }

    /// They remove all of their devices, the last one on itself, and then set up the first anew: until then the notifier knows nowhere to
    /// push to.
    private func withoutDevice(from start: Int64, until end: Int64, _ cast: DrawnCast) -> [JSONValue] {
        func device(_ name: String) -> [JSONMember] {
            [JSONMember("by", .string(user)), JSONMember("device", .string(name))]
        }
        let devices = cast.devices(of: user)
        let removals = devices.reversed().map { Self.entry(.removeDevice, at: start, device($0)) }
        return removals + devices.prefix(1).map { Self.entry(.deviceReplace, at: end, device($0)) }
    }

    /// They are in no project from the beginning on. Then they come into this one, and sign in to the notifier for the first time soon before
    /// or after.
    private func newcomer(
        at first: Int64,
        _ second: Int64,
        _ cast: DrawnCast,
        _ random: inout RandomStream
    ) -> [JSONValue] {
        func place(_ path: String) -> [JSONMember] {
            [JSONMember("user", .string(user)), JSONMember("project", .string(path))]
        }
        let own = cast.places.filter { $0.role(of: user) != nil }.map(\.path)
        let isEager = random.chance(1, in: 3)
        return own.map { Self.entry(.loseAccess, at: 1, place($0)) } + [
            Self.entry(.regainAccess, at: isEager ? second : first, place(project.path)),
            Self.entry(.register, at: isEager ? first : second, [JSONMember("by", .string(user))]),
        ]
    }

    /// An issue that was kept from some is shown to all; of others there is nothing to show.
    private func disclosure(from start: Int64, until end: Int64, _ random: inout RandomStream) -> [JSONValue] {
        guard kind == .issue, let member = random.pick(project.members(least: .reporter)) else {
            let byUser = [JSONMember("by", .string(user)), JSONMember("on", .string(item))]
            return [Self.entry(.watch, at: end, byUser)]
        }
        let byMember = [JSONMember("by", .string(member)), JSONMember("on", .string(item))]
        return [
            Self.entry(.confidentialOn, at: start, byMember), Self.entry(.confidentialOff, at: end, byMember),
        ]
    }

    // MARK: What happens to it

    /// Three to six things, by others mostly. Two in the same second are several people's.
    private func happenings(after instant: Int64, _ draw: inout FieldDraw) -> [JSONValue] {
        let writers = project.members(least: .developer).filter { $0 != user }
        guard !writers.isEmpty else { return [] }
        var milliseconds = (instant + draw.random.next(in: -5...30)) * 1_000
        let last = (instant + Self.longest) * 1_000
        var place = Int(draw.random.next(below: UInt64(writers.count)))
        return (0..<(3 + draw.random.next(below: 4))).map { _ in
            // Whose turn it is changes each time, so that the same second is that of two where there are two.
            place = (place + 1) % writers.count
            let mayWrite = (project.role(of: user) ?? .guest) >= .developer
            let actor = mayWrite && draw.random.chance(1, in: 8) ? user : writers[place]
            let form = (draw.random.pick(deeds) ?? .comment).form
            let fields = form.fields.filter { !["by", "on"].contains($0.key) }
            var members = [JSONMember("by", .string(actor)), JSONMember("on", .string(item))]
            members += draw.members(fields, actors: [actor], kinds: [kind])
            let entry = Self.entry(form.kind, milliseconds: milliseconds, members)
            let gap: Int64 = draw.random.pick([0, 1, 400, 1_000, 5_000, 20_000, 60_000]) ?? 1_000
            milliseconds = min(milliseconds + gap, last)
            return entry
        }
    }

    /// What people do to an item all day, but what ends it.
    private var deeds: [ActionKind] {
        let common: [ActionKind] = [
            .comment, .comment, .addLabel, .changeTitle, .close, .reopen, .assign, .setMilestone, .publishReview,
            .approve, .unapprove, .push, .pipeline, .pipeline, .merge, .markDraft, .markReady, .requestReview, .react,
            .resolveThread, .reply, .setDueDate, .quickActions,
        ]
        return common.filter { deed in
            guard case .item(let kinds) = deed.target else { return false }
            return kinds.contains(kind)
        }
    }

    private static func entry(_ kind: ActionKind, at seconds: Int64, _ members: [JSONMember]) -> JSONValue {
        entry(kind, milliseconds: seconds * 1_000, members)
    }

    private static func entry(_ kind: ActionKind, milliseconds: Int64, _ members: [JSONMember]) -> JSONValue {
        let head = [
            JSONMember("at", .string(DurationNotation.text(.milliseconds(milliseconds)))),
            JSONMember("action", .string(kind.rawValue)),
        ]
        return .object(head + members)
    }
}
