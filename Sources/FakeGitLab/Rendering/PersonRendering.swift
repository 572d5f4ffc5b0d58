import Platform

/// People and projects inside other entities.
extension InstanceState {
    /// `UserBasic` (GitLab facts §1), rendered once.
    mutating func personJSON(_ index: Int) -> [UInt8] {
        if people[index].json.isEmpty {
            var writer = JSONWriter(capacity: 256)
            writer.object { writeIdentity(of: index, into: &$0, email: true) }
            people[index].json = writer.bytes
        }
        return people[index].json
    }

    func writeIdentity(of index: Int, into object: inout JSONWriter, email: Bool) {
        let person = people[index]
        object.field("id", person.id)
        object.field("username", person.username)
        if version.tellsLocked { object.nullField("public_email") }
        object.field("name", person.name)
        object.field("state", person.state.wireName)
        if version.tellsLocked { object.field("locked", false) }
        object.nullField("avatar_url")
        object.field("web_url", "\(configuration.externalURL)/\(person.username)")
    }

    /// Renders everyone the list names, so that rendering rows needs no change of state.
    mutating func personJSONs(_ indices: [Int]) -> [[UInt8]] {
        indices.map { personJSON($0) }
    }

    mutating func write(_ name: StaticString, person: Int?, into object: inout JSONWriter) {
        if let person { object.field(name, json: personJSON(person)) } else { object.nullField(name) }
    }

    mutating func write(_ name: StaticString, people: [Int], into object: inout JSONWriter) {
        let rendered = personJSONs(people)
        object.arrayField(name) { array in
            for json in rendered { array.raw(json) }
        }
    }

    /// The basics of a project.
    func writeProject(_ index: Int, into object: inout JSONWriter) {
        let project = projects[index]
        object.field("id", project.id)
        object.nullField("description")
        object.field("name", project.name)
        object.field("name_with_namespace", "\(project.namespace) / \(project.name)")
        object.field("path", project.slug)
        object.field("path_with_namespace", project.path)
        object.field("created_at", project.createdAt)
    }
}
