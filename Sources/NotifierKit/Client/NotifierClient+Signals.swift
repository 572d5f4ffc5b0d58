#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Programs that may send the person signals.
extension NotifierClient {
    private struct List: Decodable, Sendable {
        var tokens: [SignalProgram]
    }

    /// The programs that were let in, the first first.
    public func signalPrograms() async throws(NotifierError) -> [SignalProgram] {
        let list: List = try await value(.listSignalTokens)
        return list.tokens
    }

    private struct Request: Encodable, Sendable {
        var name: String
    }

    /// Lets a program in. Should the answer be lost, a program stands in the list whose token nobody has.
    ///
    /// - Throws: `signal_token_limit` when there are too many.
    public func makeSignalToken(named name: String) async throws(NotifierError) -> NewSignalToken {
        try await value(.makeSignalToken, body: Request(name: name))
    }

    /// Takes a program's token back: it is heard no more, and what it asked is over.
    public func revokeSignalToken(_ id: String) async throws(NotifierError) {
        try await done(.revokeSignalToken, id)
    }

    private struct Mute: Encodable, Sendable {
        var until: Date
    }

    /// Keeps a program silent until an instant within a year; what it asked is over.
    public func muteSignals(of id: String, until end: Date) async throws(NotifierError) {
        try await done(.muteSignals, id, body: Mute(until: end))
    }

    /// Lets a program that is muted speak again.
    public func unmuteSignals(of id: String) async throws(NotifierError) {
        try await done(.unmuteSignals, id)
    }
}
