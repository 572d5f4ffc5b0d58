/// What happens to merge requests alone: approvals, pushes, pipelines, merges.
extension ActionForm {
    static let onMergeRequests: [ActionForm] = [
        .onItem(
            .approve,
            .approved,
            "Approves a merge request.",
            on: [.mergeRequest],
            least: .developer,
            rules: ItemRules(
                unless: \.notOpened,
                unlessBy: { item, person, _ in
                    if item.author == person { return "\(person) wrote \(item) and cannot approve it" }
                    return item.approvers.contains(person) ? "\(person) has approved \(item) already" : nil
                },
                isPlausibleBy: { $0.author != $1 },
                then: { $0.approvers.append(try $1.person) }
            )
        ) { _ in .approve },
        .onItem(
            .unapprove,
            .unapproved,
            "Takes an approval back.",
            on: [.mergeRequest],
            least: .developer,
            rules: ItemRules(
                unlessBy: { item, person, _ in
                    item.approvers.contains(person) ? nil : "\(person) has not approved \(item)"
                },
                then: { item, details in
                    let person = try details.person
                    item.approvers.removeAll { $0 == person }
                }
            )
        ) { _ in .unapprove },
        .onItem(
            .requireApproval,
            .approvalRequired,
            "A merge request's author lets its approval rule ask for a person (Enterprise Edition).",
            on: [.mergeRequest],
            least: .developer,
            [.user],
            rules: ItemRules(
                enterprise: "only the Enterprise Edition asks people for their approval",
                unless: \.notOpened,
                unlessBy: { item, person, _ in
                    item.author == person ? nil : "GitLab asks in the name of \(item.author), who wrote \(item)"
                },
                unlessUser: { item, user, role in
                    if role < .developer {
                        return
                            "\(user) is only \(role.rawValue) of \(item.reference.project) and cannot approve \(item)"
                    }
                    if item.author == user { return "\(user) wrote \(item) and cannot approve it" }
                    return item.requiredApprovers.contains(user) ? "\(user) is asked for it already" : nil
                },
                then: { $0.requiredApprovers.append(try $1.user) }
            )
        ) { .requireApproval(try $0.user) },
        .onItem(
            .push,
            .pushed,
            "Pushes commits to a merge request.",
            on: [.mergeRequest],
            least: .developer,
            [Field("commits", .integer(1...100), "How many commits; 1 by default.")],
            rules: ItemRules(
                unless: \.notOpened,
                isPlausibleBy: { $0.author == $1 },
                then: { item, _ in (item.hasConflicts, item.isAutoMerge) = (false, false) }
            )
        ) { .push(commits: try $0.count) },
        .onItem(
            .pipeline,
            .pipelineFinished,
            "A pipeline of a merge request changes its status.",
            on: [.mergeRequest],
            least: .developer,
            [Field("status", .oneOf(PipelineStatus.self), isRequired: true, "How the pipeline stands.")],
            rules: ItemRules(then: { $0.runPipeline(to: try $1.status) })
        ) { .pipeline(try $0.status) },
        .onItem(
            .retryPipeline,
            .pipelineFinished,
            "A pipeline that has ended runs again.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false,
            rules: ItemRules(
                unless: { item in
                    if item.pipeline == nil { return "\(item) has no pipeline" }
                    return item.pipeline == .running ? "the pipeline of \(item) is running" : nil
                },
                then: { item, _ in item.pipeline = .running }
            )
        ) { _ in .retryPipeline },
        .onItem(
            .setAutoMerge,
            .autoMergeSet,
            "A merge request is to be merged in the person's name once its running pipeline succeeds.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false,
            rules: ItemRules(
                unless: { item in
                    if let reason = item.notOpened { return reason }
                    if item.isAutoMerge { return "\(item) is to be merged automatically already" }
                    return item.pipeline == .running ? nil : "no pipeline of \(item) is running"
                },
                then: { item, _ in item.isAutoMerge = true }
            )
        ) { _ in .setAutoMerge },
        .onItem(
            .conflict,
            .unmergeable,
            "A merge request cannot be merged before the next push; its author gets a to-do.",
            on: [.mergeRequest],
            least: .developer,
            isMixable: false,
            rules: ItemRules(
                unless: { $0.notOpened ?? ($0.hasConflicts ? "\($0) has conflicts already" : nil) },
                then: { item, _ in item.hasConflicts = true }
            )
        ) { _ in .conflict },
        .onItem(
            .merge,
            .merged,
            "Merges a merge request.",
            on: [.mergeRequest],
            least: .developer,
            rules: ItemRules(
                unless: { item in
                    if let reason = item.notOpened { return reason }
                    if item.hasConflicts { return "\(item) has conflicts" }
                    return item.isDraft ? "\(item) is a draft" : nil
                },
                isPlausible: { $0.state == .opened && !$0.approvers.isEmpty },
                then: { item, _ in item.state = .merged }
            )
        ) { _ in .merge },
    ]
}
