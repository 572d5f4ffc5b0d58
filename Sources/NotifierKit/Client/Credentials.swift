#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What this device is signed in with. Prints without its tokens.
public struct Credentials: Sendable, Equatable, Codable, CustomStringConvertible, CustomReflectable {
    /// Where it is signed in.
    public var server: ServerAddress
    /// Goes with every request.
    var token: String
    /// Gives new tokens once this one's time is over, and ends with that.
    var refreshToken: String
    /// When `token` ends, by the server's clock.
    public var expiresAt: Date
    /// The server's id of this device; nil while the session belongs to none.
    public var deviceID: String?
    /// Tells one sign-in from the next: the token that it gave first. A refresh leaves it as it is.
    var signIn: String

    /// A value of these members; without `signIn` one that has just been given.
    public init(
        server: ServerAddress,
        token: String,
        refreshToken: String,
        expiresAt: Date,
        deviceID: String? = nil,
        signIn: String? = nil
    ) {
        (self.server, self.token, self.refreshToken) = (server, token, refreshToken)
        (self.expiresAt, self.deviceID, self.signIn) = (expiresAt, deviceID, signIn ?? token)
    }

    private enum CodingKeys: CodingKey { case server, token, refreshToken, expiresAt, deviceID, signIn }

    /// Reads what was kept; a former version kept no `signIn`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            server: try container.decode(ServerAddress.self, forKey: .server),
            token: try container.decode(String.self, forKey: .token),
            refreshToken: try container.decode(String.self, forKey: .refreshToken),
            expiresAt: try container.decode(Date.self, forKey: .expiresAt),
            deviceID: try container.decodeIfPresent(String.self, forKey: .deviceID),
            signIn: try container.decodeIfPresent(String.self, forKey: .signIn)
        )
    }

    /// In words, without anything secret.
    public var description: String { "signed in at \(server), tokens <redacted>" }

    /// Without the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["server": server, "tokens": "<redacted>"]) }
}

/// Keeps the credentials of one sign-in in a ``KeyStore``.
public struct CredentialStore: Sendable {
    private let keys: any KeyStore
    private let key: String

    /// `key` tells several sign-ins of one store apart.
    public init(_ keys: any KeyStore, key: String = "credentials") {
        (self.keys, self.key) = (keys, key)
    }

    /// The credentials; nil when nobody is signed in.
    ///
    /// - Throws: `NotifierError` of kind `storage` while they cannot be read, which is no sign-out; of kind `signedOut` when what lies there
    ///   is none.
    public func read() async throws(NotifierError) -> Credentials? {
        do throws(KeyStoreError) {
            guard let data = try await keys.read(key) else { return nil }
            guard let found = try? JSONDecoder().decode(Credentials.self, from: data) else {
                throw KeyStoreError.damaged("What lies in the key store is no sign-in of this program.")
            }
            return found
        } catch {
            throw NotifierError(error)
        }
    }

    func write(_ credentials: Credentials) async throws(NotifierError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(credentials) else {
            preconditionFailure("texts and an instant encode")
        }
        do { try await keys.write(data, for: key) } catch { throw NotifierError(error) }
    }

    func delete() async throws(NotifierError) {
        do { try await keys.delete(key) } catch { throw NotifierError(error) }
    }

    func exclusively<Result: Sendable>(
        _ body: @Sendable () async -> Result
    ) async throws(NotifierError) -> Result {
        do { return try await keys.exclusively(body) } catch { throw NotifierError(error) }
    }
}
