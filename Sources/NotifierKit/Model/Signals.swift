#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A program that the person lets send them signals.
public struct SignalProgram: Sendable, Equatable, Codable, Identifiable {
    /// The id of its token, which is not the token.
    public var tokenId: String
    /// What the person calls it.
    public var name: String
    /// What its notifications are about, as they name it; a slash and the run follow where it names one.
    public var subject: String
    /// When it was let in.
    public var createdAt: Date
    /// When it said something new last; absent before it did.
    public var lastUsedAt: Date?
    /// Until when it is not heard; absent when it is.
    public var mutedUntil: Date?

    /// The same as ``tokenId``.
    public var id: String { tokenId }
}

/// A token for a program, shown once.
public struct NewSignalToken: Sendable, Equatable, Codable {
    /// Its id, which is not the token.
    public var tokenId: String
    /// What the person calls the program.
    public var name: String
    /// As ``SignalProgram/subject``.
    public var subject: String
    /// When it was made.
    public var createdAt: Date
    /// What the program shows. Nobody can be told it again.
    public var token: String
}
