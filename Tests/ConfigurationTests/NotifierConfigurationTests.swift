import FoundationEssentials
import Platform
import Testing

@testable import Configuration

struct NotifierConfigurationTests {
    private func decode(_ json: String) throws -> NotifierConfiguration {
        try JSONDecoder().decode(NotifierConfiguration.self, from: Data(json.utf8))
    }

    @Test func `an empty object means the defaults`() throws {
        #expect(try decode("{}") == NotifierConfiguration())
        try NotifierConfiguration().validate()
    }

    @Test func `what is written is read back`() throws {
        var configuration = NotifierConfiguration()
        configuration.intervalSmall = .seconds(30)
        configuration.retryDelays = [.milliseconds(1_500), .hours(2)]
        configuration.deliveryConcurrency = 3
        configuration.changeDetection = .perItem
        let bytes = try JSONEncoder().encode(configuration)
        #expect(try JSONDecoder().decode(NotifierConfiguration.self, from: bytes) == configuration)
    }

    @Test func `an unknown key is refused with the nearest name`() {
        #expect(throws: ConfigurationError.unknownKey("intervallSmall", nearest: "intervalSmall")) {
            try decode(#"{"intervallSmall": "60s"}"#)
        }
        #expect(throws: ConfigurationError.unknownKey("colour", nearest: nil)) { try decode(#"{"colour": 1}"#) }
    }

    @Test(arguments: [
        #"{"intervalSmall": 60}"#, #"{"intervalSmall": "60"}"#, #"{"intervalSmall": "s"}"#,
        #"{"changeDetection": "per-item"}"#, #"{"changeDetection": 1}"#,
        #"{"perPage": "100"}"#, #"{"productionAPNs": "ftp://x"}"#, #"{"retryDelays": ["2"]}"#,
    ])
    func `a value of the wrong shape is refused by name`(_ json: String) {
        #expect {
            try decode(json)
        } throws: { error in
            guard case ConfigurationError.badValue = error else { return false }
            return true
        }
    }

    @Test(arguments: [
        (#"{"perPage": 101}"#, "perPage"), (#"{"intervalSmall": "0s"}"#, "intervalSmall"),
        (#"{"sweepInterval": "1s"}"#, "sweepInterval"), (#"{"patrolInterval": "30s"}"#, "patrolInterval"),
        (#"{"leaseDuration": "20s"}"#, "leaseDuration"), (#"{"retryDelays": []}"#, "retryDelays"),
        (#"{"apnsTopic": ""}"#, "apnsTopic"), (#"{"backoffInitial": "1h"}"#, "backoffMaximum"),
        (#"{"productionAPNs": "http://api.push.apple.com"}"#, "productionAPNs"),
        (#"{"sandboxAPNs": "http://127.0.0.1.example.com:8444"}"#, "sandboxAPNs"),
    ])
    func `a value out of range is refused by name`(_ json: String, _ key: String) {
        #expect {
            try decode(json)
        } throws: { error in
            guard case ConfigurationError.outOfRange(key, _) = error else { return false }
            return true
        }
    }

    @Test(arguments: ["http://localhost:8444", "http://127.0.0.1:8444", "http://[::1]", "https://apns.lan"])
    func `pushes go in the clear to this machine alone`(origin: String) throws {
        _ = try decode(#"{"productionAPNs": "\#(origin)"}"#)
    }

    @Test func `the table has every property once`() {
        let properties = Mirror(reflecting: NotifierConfiguration()).children.compactMap(\.label)
        #expect(NotifierConfiguration.fields.map(\.name).sorted() == properties.sorted())
    }
}
