import JSON
import Scenarios

extension Traffic {
    /// Requests, as reports tell them.
    var requests: JSONValue { .object(requestMembers) }

    /// Requests with their answers by class.
    var requestsByStatus: JSONValue {
        let classes = gitlabStatuses.classes.enumerated().map { index, count in
            JSONMember("\(index + 1)xx", .integer(Int64(count)))
        }
        return .object(requestMembers + [JSONMember("gitlabByStatus", .object(classes))])
    }

    private var requestMembers: [JSONMember] {
        [
            JSONMember("gitlab", .integer(Int64(gitlabRequests))),
            JSONMember("gitlabRefused", .integer(Int64(gitlabRefused))),
            JSONMember("apns", .integer(Int64(apnsRequests))),
        ]
    }

    /// What became of pushes and of what devices told, as reports tell it.
    var pushes: JSONValue {
        .object([
            JSONMember("accepted", .integer(Int64(pushesAccepted))),
            JSONMember("refused", .integer(Int64(pushesRefused))),
            JSONMember("repeated", .integer(Int64(pushesRepeated))),
            JSONMember("tokensDropped", .integer(Int64(tokensDropped))),
            JSONMember("catchUps", .integer(Int64(catchUps))),
            JSONMember("shown", .integer(Int64(shown))),
            JSONMember("receipts", .integer(Int64(receipts))),
            JSONMember("opened", .integer(Int64(opened))),
        ])
    }
}
