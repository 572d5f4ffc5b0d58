import Glibc

/// A failure of the operating system: what was tried, and its reason.
struct SystemFailure: Error, Equatable {
    var attempt: String
    var number: Int32

    /// The failure of the call that has just returned.
    init(_ attempt: String, number: Int32 = errno) {
        self.attempt = attempt
        self.number = number
    }

    var programError: ProgramError {
        ProgramError(.system, "\(attempt) failed: \(String(cString: strerror(number)))")
    }
}
