import Crypto
import FoundationEssentials
import HTTP
import Platform
import Simulation

@testable import FakeAPNs

extension FuzzTarget {
    /// A request to the fake APNs; `TOKEN` stands for a valid provider token, `DEVICE` in the target for a device.
    static let pushRequests = FuzzTarget("push-requests") { bytes in
        let origin = HTTPOrigin(scheme: "https", host: "api.push.apple.com")
        guard var request = MessageText(bytes).request(to: origin) else { return }
        let world = VirtualWorld()
        let apns = FakeAPNs(time: world.simulation.clock, scheduler: world.simulation, seed: 1)
        guard let provider = try? Provider.shared.get() else { return promise(false, "keys can be made") }
        apns.register(provider.key)
        apns.fleet.addDevice(DeviceID(rawValue: "phone"))
        let device = apns.fleet.installApp("com.example.app", on: DeviceID(rawValue: "phone"))
        request.target = request.target.replacing("DEVICE", with: device.hex)
        let fields = request.fields.fields.map {
            HTTPFields.Field(name: $0.name, value: $0.value.replacing("TOKEN", with: provider.token))
        }
        request.fields = HTTPFields(fields)
        let reply = apns.respond(to: request, from: HTTPPeer(address: "192.0.2.1", connection: 1))
        world.simulation.run(for: .minutes(1))
        judge(reply.response, to: request, accepted: apns.fleet.pushes.count)
        world.simulation.discard()
    }

    private static func judge(_ response: HTTPResponse, to request: HTTPRequest, accepted: Int) {
        promise((response.status == 200) == (accepted == 1), "what is accepted stands in the ledger")
        let isObject = (try? JSONDecoder().decode([String: AnyJSON].self, from: Data(request.body))) != nil
        // Ours may be stricter than the decoder (depth), never more lenient.
        if PayloadScanner.scan(request.body) != nil { promise(isObject, "what the scanner takes is a JSON object") }
        if accepted == 1 { promise(request.body.count <= 5_120, "no payload beyond the limit is accepted") }
    }

    private struct Provider {
        let key: ProviderKey
        let token: String

        static let shared = Result { try Provider() }

        init() throws {
            let signer = try ES256PrivateKey.generate()
            key = ProviderKey(keyID: "KEY1234567", teamID: "TEAM123456", publicKey: signer.publicKey)
            let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"KEY1234567"}"#.utf8))
            let start = VirtualWorld.start.secondsSinceEpoch
            let signed = header + "." + Base64URL.encode(Array(#"{"iss":"TEAM123456","iat":\#(start)}"#.utf8))
            token = signed + "." + Base64URL.encode(try signer.sign(Array(signed.utf8)))
        }
    }
}
