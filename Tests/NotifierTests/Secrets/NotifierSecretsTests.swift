import Testing

@testable import Notifier

struct NotifierSecretsTests {
    @Test func `secrets print as redacted`() throws {
        let secrets = try makeSecrets()
        #expect(!"\(secrets)".contains("PRIVATE KEY"))
        try secrets.validate()
    }
}
