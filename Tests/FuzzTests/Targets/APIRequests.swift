import FoundationEssentials
import HTTP

extension FuzzTarget {
    /// A request to the notifier's REST API; `SESSION` among its fields stands for a valid one, `PROGRAM` for the
    /// token of a program that the person has let in.
    static let apiRequests = FuzzTarget("api-requests") { bytes in
        guard var request = MessageText(bytes).request(to: FuzzedNotifier.origin) else { return }
        guard let server = try? FuzzedNotifier() else { return promise(false, "the notifier starts") }
        defer { server.discard() }
        let session = server.signIn() ?? ""
        let fields = request.fields.fields.map {
            HTTPFields.Field(name: $0.name, value: $0.value.replacing("SESSION", with: session))
        }
        .map { field in
            guard field.value.contains("PROGRAM") else { return field }
            let token = server.letProgramIn(session) ?? ""
            return HTTPFields.Field(name: field.name, value: field.value.replacing("PROGRAM", with: token))
        }
        request.fields = HTTPFields(fields)
        let answered = server.answer(request)
        guard let response = answered else { return promise(false, "\(request.target) is answered") }
        promise(response.status != 500, "\(request.method.rawValue) \(request.target): \(server.log.internalFailures)")
        promise((200...503).contains(response.status), "\(response.status) is a status")
        if response.fields["Content-Type"] == "application/json" {
            promise(isJSON(response.body), "an answer is JSON where it says so")
        }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))) != nil
    }
}

/// Any JSON value.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
        }
    }
}
