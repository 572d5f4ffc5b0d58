/// What `simctl` reads from its own environment, once, when it starts.
package struct InheritedEnvironment: Sendable {
    /// `NAME=value` texts without which the program or its crash reporter would not start.
    var loaderVariables: [String]
    /// Whether `NO_COLOR` asks for plain text.
    var refusesColour: Bool

    /// The last one is where a build that counts what it runs writes its counts; others do not look at it.
    private static let loaderNames = ["LD_LIBRARY_PATH", "SWIFT_ROOT", "LLVM_PROFILE_FILE"]
    /// The variables that are looked at.
    static let names = loaderNames + ["NO_COLOR"]

    init(_ variables: [String: String]) {
        loaderVariables = Self.loaderNames.compactMap { name in
            variables[name].map { "\(name)=\($0)" }
        }
        refusesColour = !(variables["NO_COLOR"] ?? "").isEmpty
    }
}
