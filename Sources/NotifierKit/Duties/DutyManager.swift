public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a person does in turn with others, as it is shown.
public struct DutyList: Sendable, Equatable {
    /// With what waits.
    public var copy: DutyCopy
    /// Occurrences of which something waits to be sent.
    public var waiting: Set<EntityID>
    /// How many choices wait to be sent, those about other things among them.
    public var waitingCount: Int
    /// When the server last told everything, by this device's clock; nil before it has.
    public var fetchedAt: Date?

    init(_ state: SyncState) {
        copy = state.shown.rota
        waiting = Set(state.pending.compactMap(\.wanted.occurrence))
        waitingCount = state.pending.count
        fetchedAt = state.counters.pulledAt
    }
}

/// What a person does in turn with others, as a ``SyncEngine`` keeps it on this device: what they say shows at once, waits while nobody
/// answers, and is dated by when they said it.
public struct DutyManager: Sendable {
    private let engine: SyncEngine
    private let chance: any ChanceSource

    /// Shows what `engine` keeps, and lets `chance` make ids.
    public init(engine: SyncEngine, chance: any ChanceSource) { (self.engine, self.chance) = (engine, chance) }

    /// What is known at the moment, with what waits: also without a network.
    public func list() async throws(NotifierError) -> DutyList { DutyList(try await engine.state()) }

    /// Says that what was due is done, or left out. Nothing is sent here.
    ///
    /// - Parameters:
    ///   - occurrence: what was due.
    ///   - kind: which of both.
    ///   - member: who did it; nil for the person.
    ///   - note: for the next in turn.
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func end(
        _ occurrence: EntityID,
        _ kind: Completion.Kind,
        by member: EntityID? = nil,
        note: String? = nil
    ) async throws(NotifierError) -> PendingChange {
        let id = await EntityID.made(by: chance)
        return try await choose(.end(id, of: occurrence, kind, by: member, note: note), about: occurrence)
    }

    /// Gives an occurrence to somebody who takes part, whatever the rotation says. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func give(_ occurrence: EntityID, to member: EntityID) async throws(NotifierError) -> PendingChange {
        let id = await EntityID.made(by: chance)
        return try await choose(.give(id, of: occurrence, to: member), about: occurrence)
    }

    /// What is taken back later is told by the duty's title.
    private func choose(_ wish: DutyWish, about occurrence: EntityID) async throws(NotifierError) -> PendingChange {
        let copy = try await list().copy
        let duty = copy.turns[occurrence].flatMap { copy.duties[$0.dutyId] }
        return try await engine.choose(.duty(wish), label: duty.map { ItemLabel(title: $0.title) })
    }

    /// Lets somebody take part no longer, also the person themselves. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func leave(_ member: EntityID, of duty: EntityID) async throws(NotifierError) -> PendingChange {
        try await engine.choose(.duty(.leave(member, of: duty)))
    }

    /// Keeps a duty silent for the person until an instant, or with nil lets it speak again; everybody else hears of it as ever. Nothing is
    /// sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func mute(_ duty: EntityID, until end: Date?) async throws(NotifierError) -> PendingChange {
        let title = try await list().copy.duties[duty]?.title
        return try await engine.choose(.duty(.mute(duty, until: end)), label: title.map { ItemLabel(title: $0) })
    }

    /// Makes a duty; members that have no id get one. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func make(_ duty: NewDuty) async throws(NotifierError) -> PendingChange {
        var duty = duty
        for index in duty.members.indices where duty.members[index].memberId == nil {
            duty.members[index].memberId = await EntityID.made(by: chance)
        }
        return try await engine.choose(.duty(.make(duty)))
    }

    /// Changes what of a duty may change. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func change(_ duty: EntityID, _ changes: DutyChanges) async throws(NotifierError) -> PendingChange {
        try await engine.choose(.duty(.change(duty, changes)))
    }
}
