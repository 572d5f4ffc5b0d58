import FoundationEssentials
import NotifierKit

/// Secrets in files of mode 0600, one for each key. Other processes of the program are kept out by a lock, which ends with its process.
struct LiveKeyFiles: KeyStore {
    /// How long another process may refresh the session.
    private static let patience = Duration.seconds(40)
    private static let pause = Duration.milliseconds(20)

    let folder: String
    let clock: any KitClock

    func read(_ key: String) throws(KeyStoreError) -> Data? {
        do { return try LivePrivateFile.read(path(key)).map { Data($0) } } catch { throw .unavailable(error.text) }
    }

    func write(_ value: Data, for key: String) throws(KeyStoreError) {
        do {
            try LivePrivateFile.makeFolder(folder)
            try LivePrivateFile.replace(path(key), by: Array(value))
        } catch {
            throw .unavailable(error.text)
        }
    }

    func delete(_ key: String) throws(KeyStoreError) {
        do { try LivePrivateFile.remove(path(key)) } catch { throw .unavailable(error.text) }
    }

    func exclusively<Result: Sendable>(
        _ body: @Sendable () async -> Result
    ) async throws(KeyStoreError) -> Result {
        let descriptor = try await lock()
        defer { LivePrivateFile.unlock(descriptor) }
        return await body()
    }

    private func lock() async throws(KeyStoreError) -> Int32 {
        var waited = Duration.zero
        while waited < Self.patience {
            do throws(LivePrivateFile.Failure) {
                try LivePrivateFile.makeFolder(folder)
                if let descriptor = try LivePrivateFile.lock("\(folder)/refresh.lock") { return descriptor }
            } catch {
                throw .unavailable(error.text)
            }
            guard (try? await clock.sleep(for: Self.pause)) != nil else { throw .unavailable("cancelled") }
            waited += Self.pause
        }
        throw .unavailable("another gitlab-notify is refreshing the session and does not end")
    }

    private func path(_ key: String) -> String { "\(folder)/\(key).json" }
}
