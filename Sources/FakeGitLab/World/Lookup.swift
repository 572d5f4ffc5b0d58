/// Finding what a call names, or refusing the call.
extension InstanceState {
    func person(_ username: String) throws -> Int {
        if let index = peopleByUsername[username] { return index }
        throw FakeGitLabError(
            .unknownPerson,
            "There is no person \"\(username)\".",
            hint: "Add the person first; usernames are written without @."
        )
    }

    func project(_ path: String) throws -> Int {
        if let index = projectsByPath[path] { return index }
        throw FakeGitLabError(
            .unknownProject,
            "There is no project \"\(path)\".",
            hint: "Add the project first, by its full path such as team/backend."
        )
    }

    func item(_ reference: ItemReference) throws -> Int {
        let project = try project(reference.project)
        let index =
            reference.kind == .issue
            ? projects[project].issues[reference.iid] : projects[project].mergeRequests[reference.iid]
        if let index { return index }
        throw FakeGitLabError(
            .unknownItem,
            "There is no \(reference).",
            hint: "Add the item first, or check the mark: # is an issue, ! a merge request."
        )
    }

    func mergeRequest(_ reference: ItemReference) throws -> Int {
        guard reference.kind == .mergeRequest else {
            throw FakeGitLabError(
                .wrongKind,
                "\(reference) is an issue.",
                hint: "Name a merge request, such as team/backend!847."
            )
        }
        return try item(reference)
    }

    func issue(_ reference: ItemReference) throws -> Int {
        guard reference.kind == .issue else {
            throw FakeGitLabError(
                .wrongKind,
                "\(reference) is a merge request.",
                hint: "Name an issue, such as team/backend#234."
            )
        }
        return try item(reference)
    }

    func note(_ id: Int64, on item: Int) throws -> Int {
        guard let index = items[item].notes.index(of: id), items[item].notes.rows[index].visibleUntil == .distantFuture
        else {
            throw FakeGitLabError(
                .unknownNote,
                "\(items[item].reference(in: projects)) has no note \(id).",
                hint: "Use a note id of the activity that wrote it, unless it was deleted."
            )
        }
        return index
    }

    func label(_ name: String, in project: Int) throws -> Int {
        if let index = knownLabel(name, in: project) { return index }
        throw FakeGitLabError(.invalidValue, "There is no label \"\(name)\".", hint: "Add the label first.")
    }

    func milestone(_ title: String, project: Int) throws -> Int {
        if let index = milestoneIndex(title, in: project) { return index }
        throw FakeGitLabError(.invalidValue, "There is no milestone \"\(title)\".", hint: "Add the milestone first.")
    }

    func milestoneIndex(_ title: String, in project: Int) -> Int? {
        milestones.firstIndex { $0.project == project && $0.title == title && !$0.isDeleted }
    }

    func webURL(of item: Int) -> String {
        let base = "\(configuration.externalURL)/\(projects[items[item].project].path)/-/"
        return base + "\(items[item].kind.folder)/\(items[item].iid)"
    }
}
