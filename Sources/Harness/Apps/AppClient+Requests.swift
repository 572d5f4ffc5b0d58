import Duties
import FoundationEssentials
import NotifierKit

/// What the app asks for each choice by a route of its own.
extension AppClient {
    /// Where a choice is made.
    enum ChoicePlace {
        case item(NotifierKit::ItemReference)
        case entry(String)

        /// Nil when the watch list has no entry that it could be about.
        init?(of choice: WatchChoice, _ item: NotifierKit::ItemReference, entry: String?) {
            switch (choice, entry) {
            case (.watch, _): self = .item(item)
            case (_, let entry?): self = .entry(entry)
            case (_, nil): return nil
            }
        }
    }

    /// How a choice stands that was answered.
    enum Standing: Equatable {
        case holds
        /// Another, which was made later, stands.
        case overtaken
        /// There is no entry any more that it could be about.
        case gone
    }

    /// Asks for a choice that was made at an instant of the device's clock.
    func ask(
        _ choice: WatchChoice,
        at place: ChoicePlace,
        chosenAt: Date,
        while isWanted: () -> Bool
    ) async -> Outcome<Standing> {
        await ask(while: isWanted) { kit in
            switch (choice, place) {
            case (.watch, .item(let item)): try await kit.watch(item, chosenAt: chosenAt).watching ? .holds : .overtaken
            case (.unwatch, .entry(let id)): try await Self.unwatch(id, chosenAt, by: kit)
            case (.mute(let end?), .entry(let id)):
                try await kit.mute(entry: id, until: end, chosenAt: chosenAt) == end ? .holds : .overtaken
            case (.mute(nil), .entry(let id)):
                try await kit.unmute(entry: id, chosenAt: chosenAt) == nil ? .holds : .overtaken
            default: preconditionFailure("a watch is about an item, everything else about an entry")
            }
        }
    }

    private static func unwatch(
        _ id: String,
        _ chosenAt: Date,
        by kit: NotifierClient
    ) async throws(NotifierError) -> Standing {
        do throws(NotifierError) {
            return try await kit.unwatch(entry: id, chosenAt: chosenAt).watching ? .overtaken : .holds
        } catch {
            guard error.status == 404 else { throw error }
            return .gone
        }
    }

    /// An earlier attempt, whose answer was lost, may have done it.
    private static func goneAfter(_ call: () async throws(NotifierError) -> Void) async throws(NotifierError) {
        do throws(NotifierError) {
            try await call()
        } catch {
            guard error.status == 404 else { throw error }
        }
    }

    /// Tells the server of something that was done about a duty; returns how the occurrence stands then, nil for who leaves.
    func ask(
        _ wish: DutyWish,
        at date: Date,
        while isWanted: () -> Bool
    ) async -> Outcome<SharedDuty.Turn?> {
        await ask(while: isWanted) { kit in
            switch wish {
            case .end(let id, let occurrence, let kind, _, _):
                return try await kit.end(occurrence, kind, id: id, at: date).occurrence
            case .give(let id, let occurrence, let to):
                return try await kit.give(occurrence, to: to, id: id, at: date).occurrence
            case .leave(let member, let duty):
                try await Self.goneAfter { () async throws(NotifierError) in
                    try await kit.removeMember(member, of: duty)
                }
                return nil
            case .stop(let duty):
                try await Self.goneAfter { () async throws(NotifierError) in try await kit.endDuty(duty) }
                return nil
            case .change(let duty, let changes):
                var dated = changes
                dated.changedAt = date
                _ = try await kit.change(duty, dated)
                return nil
            case .add(let member, let name, let duty):
                _ = try await kit.addMember(member, named: name, to: duty)
                return nil
            default: preconditionFailure("whoever takes part does, gives, leaves, changes or ends")
            }
        }
    }
}
