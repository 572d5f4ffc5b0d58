/// What several groups of endpoints ask of a caller or of parameters.
extension InstanceState {
    func role(_ call: Call, in project: Int) -> Role? { projects[project].members[call.reader] }

    /// 403 for members with less than the role, and for those who are none.
    func requireRole(_ role: Role, _ call: Call, in project: Int) throws(APIError) {
        guard let own = self.role(call, in: project), own >= role else { throw .forbidden }
    }
}

extension Parameters {
    /// Whether it was given, as one value or as a list.
    func has(_ name: String) -> Bool { entries.contains { $0.name == name || $0.name == name + "[]" } }

    /// Updates need something to update (supplement §1.6).
    func requireOne(of names: [String]) throws(APIError) {
        guard !names.contains(where: has) else { return }
        let list = names.joined(separator: ", ")
        throw .error(400, "\(list) are missing, at least one parameter must be provided")
    }
}

extension APIError {
    /// What a model's validation says: 400 with one list of sentences for each field (GitLab facts §1).
    static func fields(_ complaints: [(field: String, sentence: String)]) -> APIError {
        var writer = JSONWriter()
        writer.object { object in
            object.objectField("message") { message in
                for complaint in complaints {
                    message.key(complaint.field)
                    message.array { $0.string(complaint.sentence) }
                }
            }
        }
        return APIError(status: 400, body: writer.bytes)
    }
}
