public import Duties

/// What a person does in turn with others, as a ``SyncEngine`` keeps it on this device: what they say shows at once, waits while nobody
/// answers, and is dated by when they said it.
public struct DutyManager: Sendable {
    private let engine: SyncEngine
    private let chance: any ChanceSource

    /// Shows what `engine` keeps, and lets `chance` make ids.
    public init(engine: SyncEngine, chance: any ChanceSource) { (self.engine, self.chance) = (engine, chance) }

    /// What is known at the moment, with what waits: also without a network.
    public func copy() async throws(NotifierError) -> DutyCopy { try await engine.state().shown.rota }

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
        return try await engine.choose(.duty(.end(id, of: occurrence, kind, by: member, note: note)))
    }

    /// Gives an occurrence to somebody who takes part, whatever the rotation says. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func give(_ occurrence: EntityID, to member: EntityID) async throws(NotifierError) -> PendingChange {
        let id = await EntityID.made(by: chance)
        return try await engine.choose(.duty(.give(id, of: occurrence, to: member)))
    }

    /// Lets somebody take part no longer, also the person themselves. Nothing is sent here.
    ///
    /// - Returns: what waits now.
    /// - Throws: why nothing can be kept.
    @discardableResult
    public func leave(_ member: EntityID, of duty: EntityID) async throws(NotifierError) -> PendingChange {
        try await engine.choose(.duty(.leave(member, of: duty)))
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
