import Configuration
import Crypto
import Glibc
import HTTP
import Notifier
import Platform
import Testing

@testable import Daemon

struct ServiceVariablesTests {
    private static let keys = [
        "ENCRYPTION_KEY_CURRENT": String(repeating: "a5", count: 32), "SESSION_KEY": String(repeating: "k", count: 32),
    ]

    /// A key as Apple gives one, without a secret that anybody uses.
    private static let pem = (try? ES256PrivateKey.generate().pem.exposedText) ?? ""

    /// What a server would start from with `variables` beside the keys it cannot do without, and `settings` in a file.
    private func read(_ variables: [String: String], settings: String = "{}") throws -> DaemonInputs {
        let folder = try TemporaryFolder()
        let file = try folder.write(settings.replacing("FOLDER", with: folder.path), to: "notifierd.json")
        _ = try folder.write(Self.pem, to: "AuthKey.p8")
        _ = try folder.write("no key", to: "letter.txt")
        let environment = Self.keys.merging(variables) { $1 }.mapValues { $0.replacing("FOLDER", with: folder.path) }
        return try DaemonInputs.Source(path: file, environment: environment).read()
    }

    private func refusal(_ variables: [String: String], settings: String = "{}") -> DaemonError? {
        do {
            _ = try read(variables, settings: settings)
            return nil
        } catch {
            return error as? DaemonError
        }
    }

    @Test func `every variable reaches the notifier`() throws {
        let inputs = try read(
            [
                "APNS_KEY_PATH": "FOLDER/AuthKey.p8", "APNS_KEY_ID": "KEY1234567", "APNS_TEAM_ID": "TEAM123456",
                "APNS_BUNDLE_ID": "com.example.other", "APNS_ENVIRONMENT": "development",
                "ENCRYPTION_KEYS_OLD": String(repeating: "b6", count: 32), "WEBHOOK_SECRET": "webhook-secret-16",
                "OAUTH_SECRET_WORK": "of-the-application",
                "GITLABS": "https://git.example.com https://Other.example.com:443",
            ],
            settings: """
                {"oauth": [{"gitlab": "https://git.example.com", "clientId": "id", "redirectUri": "app:/oauth",
                            "secretVariable": "OAUTH_SECRET_WORK"},
                           {"gitlab": "https://other.example.com", "clientId": "id", "redirectUri": "app:/oauth"}]}
                """
        )
        #expect(
            inputs.settings.gitlabs.map(\.description) == ["https://git.example.com", "https://other.example.com"]
        )
        let key = try #require(inputs.secrets.apnsKey)
        #expect(key.keyID == "KEY1234567" && key.teamID == "TEAM123456" && key.pem == Secret(Self.pem))
        #expect(inputs.settings.notifier.apnsTopic == "com.example.other")
        #expect(inputs.settings.notifier.apnsEnvironment == .sandbox)
        #expect(inputs.secrets.encryptionKeys.count == 2)
        #expect(inputs.secrets.sessionKey.count == 32)
        #expect(inputs.secrets.webhookSecret == Secret("webhook-secret-16"))
        #expect(inputs.secrets.oauthApplications.map(\.clientSecret) == [Secret("of-the-application"), nil])
        #expect(ServiceVariables.table.allSatisfy { inputs.variableNames.contains($0.name) })
    }

    @Test func `without a key of Apple's there is none`() throws {
        #expect(try read([:]).secrets.apnsKey == nil)
    }

    @Test(arguments: ["APNS_KEY_PATH", "APNS_KEY_ID", "APNS_TEAM_ID"])
    func `a part of Apple's key is a mistake`(name: String) {
        var variables = [
            "APNS_KEY_PATH": "FOLDER/AuthKey.p8", "APNS_KEY_ID": "KEY1234567", "APNS_TEAM_ID": "TEAM123456",
        ]
        variables[name] = nil
        #expect(refusal(variables)?.code == .secretMissing)
        #expect(refusal(variables)?.message.contains(name) == true)
    }

    /// Variables, and a word that their refusal must hold.
    private static let mistakes: [([String: String], DaemonError.Code, String)] = [
        (["APNS_KEYID": "KEY1234567"], .settingsInvalid, "did you mean APNS_KEY_ID?"),
        (["WEBHOOK_SECRETS": "x"], .settingsInvalid, "WEBHOOK_SECRET?"),
        (["OAUTH_SECRET": "x"], .settingsInvalid, "OAUTH_SECRET"),
        (["APNS_ENVIRONMENT": "prod"], .settingsInvalid, "production"),
        (["GITLABS": "http://gitlab.lan"], .settingsInvalid, "allowsPlainHTTP"),
        (["GITLABS": "gitlab.lan"], .settingsInvalid, "GITLABS"),
        (["SESSION_KEY": ""], .secretMissing, "SESSION_KEY"),
        (["ENCRYPTION_KEY_CURRENT": "abc"], .secretInvalid, "ENCRYPTION_KEY_CURRENT"),
        (["WEBHOOK_SECRET": "short-secret"], .secretInvalid, "webhook"),
        (["SESSION_KEY": "short-key"], .secretInvalid, "session"),
    ]

    @Test(arguments: mistakes)
    func `a variable that is wrong is refused by name, without its value`(
        variables: [String: String],
        code: DaemonError.Code,
        word: String
    ) {
        let error = refusal(variables)
        #expect(error?.code == code)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "taken")")
        for value in variables.values where value.count > 4 { #expect(error?.text.contains(value) == false) }
    }

    @Test func `a file that is no key of Apple's is refused before anything starts`() {
        let error = refusal(
            ["APNS_KEY_PATH": "FOLDER/letter.txt", "APNS_KEY_ID": "KEY1234567", "APNS_TEAM_ID": "TEAM123456"]
        )
        #expect(error?.code == .secretInvalid && error?.message.contains("APNs key") == true)
    }

    @Test func `a secret that the settings name must be there`() {
        let settings = """
            {"gitlabs": ["https://x"],
             "oauth": [{"gitlab": "https://x", "clientId": "y", "redirectUri": "z", "secretVariable": "OAUTH_SECRET"}]}
            """
        #expect(refusal([:], settings: settings)?.code == .secretMissing)
    }

    @Test func `an application at a GitLab that is not listed is a mistake`() {
        let oauth = #""oauth": [{"gitlab": "https://x", "clientId": "y", "redirectUri": "z"}]"#
        let error = refusal([:], settings: "{\(oauth)}")
        #expect(error?.code == .settingsInvalid && error?.message.contains("https://x") == true)
        #expect(refusal(["GITLABS": "https://y"], settings: "{\(oauth)}")?.code == .settingsInvalid)
        #expect(refusal(["GITLABS": "https://x"], settings: "{\(oauth)}") == nil)
    }

    // MARK: The file

    @Test func `variables may stand in a file, and the environment's count`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            # Made by openssl rand -hex 32
            WEBHOOK_SECRET = "from the file, quoted"

            APNS_BUNDLE_ID=com.example.file
            """,
            to: "secrets.env"
        )
        let inputs = try read(
            ["APNS_BUNDLE_ID": "com.example.environment"],
            settings: #"{"secrets": "\#(path)"}"#
        )
        #expect(inputs.secrets.webhookSecret == Secret("from the file, quoted"))
        #expect(inputs.settings.notifier.apnsTopic == "com.example.environment")
    }

    @Test func `a file that others can read is refused`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "secrets.env")
        chmod(path, 0o644)
        let error = refusal([:], settings: #"{"secrets": "\#(path)"}"#)
        #expect(error?.code == .settingsInvalid && error?.hint == "chmod o= \(path)")
    }

    @Test(arguments: ["just text", "A=1\nA=2", "a=1", "=1", "NAME WITH=1"])
    func `a line that is none is refused by its number, without its text`(text: String) {
        #expect {
            try SecretsFile.variables("# one\n" + text, "secrets.env")
        } throws: { error in
            guard let error = error as? DaemonError else { return false }
            return error.code == .settingsInvalid && error.message.hasPrefix("line ") && !error.text.contains("1\n")
        }
    }
}
