/// Which of Apple's two services knows a device token.
package enum PushEnvironment: String, Sendable, CaseIterable {
    case production, sandbox

    /// The names that people give them: Apple calls the sandbox `development` in entitlements and provisioning profiles.
    package static let names = allCases.map(\.rawValue) + ["development"]

    /// By any of ``names``.
    package init?(name: String) {
        guard name == "development" else {
            self.init(rawValue: name)
            return
        }
        self = .sandbox
    }
}
