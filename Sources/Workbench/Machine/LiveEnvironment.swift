import Glibc

/// Reads the environment of this process.
package enum LiveEnvironment {
    /// The few variables that mean something to `simctl`.
    static func read() -> InheritedEnvironment {
        var variables: [String: String] = [:]
        for name in InheritedEnvironment.names {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return InheritedEnvironment(variables)
    }

    /// Processors this machine offers, at least one.
    static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
