import Glibc
import JSON
import Scenarios
import Synchronization

/// The program's two outputs: results on standard output, everything else on standard error.
struct LiveConsole {
    /// Whether someone watches standard error, so that progress makes sense.
    var showsProgress: Bool
    /// Whether results may be coloured.
    var usesColour: Bool
    var style: OutputStyle
    /// Shared by all copies.
    private let losses = Losses()

    init(style: OutputStyle, environment: InheritedEnvironment) {
        self.style = style
        showsProgress = isatty(STDERR_FILENO) == 1 && !style.isQuiet
        usesColour = isatty(STDOUT_FILENO) == 1 && !environment.refusesColour && !style.isJSON
    }

    /// Writes a result.
    func print(_ text: String) {
        guard !LiveFile.writeAll(Array(text.utf8), to: STDOUT_FILENO) else { return }
        let failure = SystemFailure("writing the result")
        // A reader that has gone (`| head`) is no failure of ours: the report stands in its folder.
        guard failure.number != EPIPE else { return }
        losses.first.withLock { $0 = $0 ?? failure }
    }

    /// Why a result was lost, the first of all; nil when none was. Whoever reads them must not take the rest for all.
    var lostResult: ProgramError? { losses.first.withLock { $0 }?.programError }

    private final class Losses: Sendable {
        let first = Mutex<SystemFailure?>(nil)
    }

    /// Writes a result as one line of JSON.
    func print(_ value: JSONValue) {
        print(value.text(indented: false) + "\n")
    }

    /// Writes what is no result.
    func note(_ text: String) {
        _ = LiveFile.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Reports why a command ends: for people on standard error, for programs as the result.
    func report(_ error: ProgramError) {
        guard style.isJSON else { return note(error.text) }
        print(.object([JSONMember("error", error.json)]))
    }
}
