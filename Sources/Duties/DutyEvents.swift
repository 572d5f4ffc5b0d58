/// All that happened to the occurrences of a duty. Whoever has heard of the same events, in any order and however often, has the same value.
public struct DutyEvents: Hashable, Sendable {
    /// By their ids.
    private var completions: [EntityID: Completion] = [:]
    private var reassignments: [EntityID: Reassignment] = [:]
    /// The first that ended each occurrence.
    private var ends: [EntityID: EntityID] = [:]
    /// The ids of those that gave an occurrence to somebody.
    private var gifts: [EntityID: Set<EntityID>] = [:]

    /// What came of an event that was heard of.
    public enum Taking: Hashable, Sendable {
        /// It is new.
        case added
        /// It was known; nothing changed.
        case known
        /// Something else has its id; it is not taken.
        case refused
    }

    /// Nothing has happened.
    public init() {}

    /// Takes what somebody did or left out.
    ///
    /// - Parameter completion: the event, as it was first heard of.
    /// - Returns: What came of it.
    public mutating func take(_ completion: Completion) -> Taking {
        guard reassignments[completion.id] == nil else { return .refused }
        if let known = completions[completion.id] { return known == completion ? .known : .refused }
        completions[completion.id] = completion
        let first = ends[completion.occurrence].flatMap { completions[$0]?.stamp }
        if DutyMergePolicy.ends(completion.stamp, before: first) { ends[completion.occurrence] = completion.id }
        return .added
    }

    /// Takes that an occurrence was given to somebody.
    ///
    /// - Parameter reassignment: the event, as it was first heard of.
    /// - Returns: What came of it.
    public mutating func take(_ reassignment: Reassignment) -> Taking {
        guard completions[reassignment.id] == nil else { return .refused }
        if let known = reassignments[reassignment.id] { return known == reassignment ? .known : .refused }
        reassignments[reassignment.id] = reassignment
        gifts[reassignment.occurrence, default: []].insert(reassignment.id)
        return .added
    }

    /// What ended an occurrence: the first, and not the first that was heard of.
    ///
    /// - Parameter occurrence: its id.
    /// - Returns: The event; nil while it is not over.
    public func end(of occurrence: EntityID) -> Completion? {
        ends[occurrence].flatMap { completions[$0] }
    }

    /// To whom an occurrence was given last, before it ended.
    ///
    /// - Parameter occurrence: its id.
    /// - Returns: The event; nil where nobody gave it away.
    public func reassignment(of occurrence: EntityID) -> Reassignment? {
        guard let ids = gifts[occurrence] else { return nil }
        let end = end(of: occurrence)?.stamp
        return ids.compactMap { reassignments[$0] }
            .filter { event in end.map { event.stamp < $0 } ?? true }
            .max { $0.stamp < $1.stamp }
    }
}
