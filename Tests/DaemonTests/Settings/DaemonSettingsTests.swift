import Configuration
import HTTP
import Notifier
import Platform
import Testing

@testable import Daemon

struct DaemonSettingsTests {
    private func decode(_ json: String) throws -> DaemonSettings {
        try DaemonSettings(json: Array(json.utf8))
    }

    private func refusal(_ body: () throws -> Void) -> DaemonError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DaemonError
        }
    }

    @Test func `every key of the file can be set`() throws {
        let settings = try decode(
            """
            {
              "listen": { "address": "::1", "port": 1234, "certificate": "chain.pem", "key": "key.pem",
                "trustsForwardedFor": true },
              "gitlabs": [
                "https://GitLab.example.com:443/", { "address": "http://gitlab.lan", "allowsPlainHTTP": true },
                { "address": "https://git.example.com" }, "http://[0:0::1]:8080", "http://localhost:81"
              ],
              "database": "/d", "backups": "/b", "secrets": "/s", "authorities": "/a", "logLevel": "debug",
              "oauth": [
                {
                  "gitlab": "https://gitlab.example.com", "clientId": "id", "redirectUri": "app:/oauth", "scope": "api",
                  "secretVariable": "OAUTH_SECRET"
                }
              ],
              "notifier": { "apnsTopic": "com.example.app" }
            }
            """
        )
        #expect(settings.listen.address == "::1" && settings.listen.port == 1234)
        #expect(settings.listen.certificate == "chain.pem" && settings.listen.key == "key.pem")
        #expect(settings.listen.trustsForwardedFor)
        #expect(settings.database == "/d" && settings.backups == "/b" && settings.secrets == "/s")
        #expect(settings.authorities == "/a" && settings.logLevel == .debug)
        #expect(settings.notifier.apnsTopic == "com.example.app")
        #expect(
            settings.gitlabs.map(\.description) == [
                "https://gitlab.example.com", "http://gitlab.lan", "https://git.example.com", "http://[::1]:8080",
                "http://localhost:81",
            ]
        )
        let application = try #require(settings.oauth.first)
        #expect(application.origin.description == "https://gitlab.example.com" && application.clientID == "id")
        #expect(application.redirectURI == "app:/oauth" && application.scope == "api")
        #expect(application.secretVariable == "OAUTH_SECRET")
    }

    /// The keys above are all there are: a new one needs its line there.
    @Test func `the table holds every key`() {
        #expect(
            SettingsKey.top.map(\.name) == [
                "listen", "database", "backups", "secrets", "gitlabs", "oauth", "authorities", "logLevel", "notifier",
            ]
        )
        #expect(SettingsKey.listen.map(\.name) == ["address", "port", "certificate", "key", "trustsForwardedFor"])
        #expect(SettingsKey.gitlab.map(\.name) == ["address", "allowsPlainHTTP"])
        #expect(SettingsKey.oauth.map(\.name) == ["gitlab", "clientId", "redirectUri", "scope", "secretVariable"])
    }

    @Test(arguments: NotifierConfiguration.keyDescriptions)
    func `every key of the notifier can be set`(key: ConfigurationKeyDescription) throws {
        #expect(try decode(#"{"notifier": {"\#(key.name)": \#(key.standard)}}"#) == DaemonSettings())
        #expect(refusal { _ = try decode(#"{"notifier": {"\#(key.name)": {}}}"#) }?.message.contains(key.name) == true)
    }

    /// A file, and a word that its refusal must hold.
    private static let mistakes = [
        (#"{"databse": "x"}"#, "did you mean \"database\"?"), (#"{"listen": {"adress": "::"}}"#, "\"address\""),
        (#"{"oauth": [{"gitlab": "https://x", "clientID": "y"}]}"#, "\"clientId\""),
        (#"{"oauth": [{"gitlab": "https://x", "clientId": "y"}]}"#, "redirectUri"),
        (#"{"oauth": [{"gitlab": "x", "clientId": "y", "redirectUri": "z"}]}"#, "gitlab"),
        (
            #"{"oauth": [{"gitlab": "https://x", "clientId": "y", "redirectUri": "z", "secretVariable": "A"}]}"#,
            "OAUTH_SECRET"
        ),
        (#"{"notifier": {"intervallSmall": "60s"}}"#, "intervalSmall"), (#"{"logLevel": "loud"}"#, "\"notice\""),
        (#"{"listen": {"port": 65536}}"#, "\"listen.port\" must be a whole number from 0 to 65535"),
        (#"{"listen": {"port": -1}}"#, "from 0 to 65535"), (#"{"listen": {"port": 8080.5}}"#, "from 0 to 65535"),
        (#"{"listen": {"port": 1e99}}"#, "from 0 to 65535"), (#"{"listen": {"port": "80"}}"#, "from 0 to 65535"),
        (#"{"listen": {"address": "localhost"}}"#, "such as \"127.0.0.1\" or \"::1\""),
        (#"{"notifier": {"perPage": 1.5}}"#, "\"perPage\" must be a whole number"),
        (#"{"listen": {"port": 1, "port": 2}}"#, "\"listen.port\" stands there twice"),
        (#"{"database": "a", "logLevel": "info", "database": "b"}"#, "\"database\" stands there twice"),
        ("{\n  \"database\": \"a\",\n}", "line 2"), (#"{"listen": {"key": "a"}}"#, "certificate"),
        (#"{"backups": ""}"#, "backups"), (#"{"gitlabs": "https://x"}"#, "gitlabs"),
        (#"{"gitlabs": ["x"]}"#, "gitlabs"), (#"{"gitlabs": ["https://x/path"]}"#, "gitlabs"),
        (#"{"gitlabs": ["https://x", "https://X.:443/"]}"#, "each once"),
        (#"{"gitlabs": ["http://x"]}"#, "allowsPlainHTTP"),
        (#"{"gitlabs": [{"address": "http://x", "allowsPlainHTTP": false}]}"#, "allowsPlainHTTP"),
        (#"{"gitlabs": [{"adress": "https://x"}]}"#, "did you mean \"address\"?"), (#"{"gitlabs": [{}]}"#, "address"),
        (#"{"gitlabs": ["https://0177.0.0.1"]}"#, "four decimal numbers"),
        (#"{"gitlabs": ["https://2130706433"]}"#, "four decimal numbers"),
        (#"{"gitlabs": ["https://0x7f000001"]}"#, "four decimal numbers"),
        (#"{"gitlabs": ["https://127.0.0.0X1"]}"#, "four decimal numbers"),
        (#"{"gitlabs": ["https://0x7f.1"]}"#, "four decimal numbers"), (#"{"gitlabs": ["https://[::1"]}"#, "gitlabs"),
        (#"{"gitlabs": ["https://[fe80::1%1]"]}"#, "gitlabs"), (#"{"gitlabs": ["https://::1"]}"#, "gitlabs"),
        (#"{"database": 7}"#, "database"), ("[]", "object"), ("{", "JSON"),
        ("", "they are empty"), (" \n", "they are empty"), ("{ // why\n}", "JSON has no comments; in a scenario"),
    ]

    @Test func `several mistakes are told at once`() {
        let error = refusal {
            _ = try decode(
                """
                {"databse": "x", "listen": {"port": 70000, "adress": "::1"}, "logLevel": "loud", "backups": 7,
                 "gitlabs": ["x"], "notifier": {"perPage": 1.5, "intervallSmall": "1m", "watchLimit": "many"}}
                """
            )
        }
        let words = [
            "9 mistakes in the settings", "\"database\"", "listen.port", "\"address\"", "logLevel", "backups",
            "gitlabs", "perPage", "intervalSmall", "watchLimit",
        ]
        for word in words { #expect(error?.message.contains(word) == true, "\(word): \(error?.message ?? "")") }
        let ranges = refusal { _ = try decode(#"{"notifier": {"perPage": 1000, "watchLimit": 0}}"#) }
        #expect(ranges?.message.contains("perPage") == true && ranges?.message.contains("watchLimit") == true)
    }

    @Test(arguments: mistakes) func `a file that is wrong is refused by name`(json: String, word: String) {
        let error = refusal { _ = try decode(json) }
        #expect(error?.code == .settingsInvalid)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "taken")")
    }
}
