import FoundationEssentials
import Glibc

/// The process's environment.
package enum LiveVariables {
    /// Every variable.
    package static func all() -> [String: String] { ProcessInfo.processInfo.environment }

    /// The variables of these names that are set.
    static func read(_ names: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for name in names {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return values
    }
}
