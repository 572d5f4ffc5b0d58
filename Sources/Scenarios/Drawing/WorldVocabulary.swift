import Configuration

/// Every entry of the format's tables that a drawn world can hold, each with its table, such as `fault crash`.
package enum WorldVocabulary {
    /// What is drawn, in the order of the tables.
    package static let all = actions + faults + settings + quirks + releases + editions

    static let actions = ActionKind.allCases.map { action($0) }
    /// A world in which none of these is switched on has no duties.
    static let dutyActions = ActionKind.allCases.filter { $0.form.target == .duty }.map { action($0) }
    /// A backup that is brought back makes the notifier tell again what it has forgotten; of much of that the verdict says nothing.
    static let faults = FaultKind.allCases.filter { $0 != .restoreBackup }.map { fault($0) }
    /// Without pushes nobody is told: a drawn world's devices do not fetch by themselves.
    static let settings = NotifierOverrides.keys.map(\.name).filter { $0 != "pushEnabled" }.map(setting)
    static let quirks = QuirkSetting.Quirk.allCases.map { "quirk \($0.rawValue)" }
    static let releases = GitLabWorld.Version.allCases.map { "release \($0.rawValue)" }
    static let editions = GitLabWorld.Edition.allCases.map { "edition \($0.rawValue)" }

    static func action(_ kind: ActionKind) -> String { "action \(kind.rawValue)" }
    static func fault(_ kind: FaultKind) -> String { "fault \(kind.rawValue)" }
    static func setting(_ key: String) -> String { "setting \(key)" }
}
