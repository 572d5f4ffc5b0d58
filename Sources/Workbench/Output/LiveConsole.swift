import Glibc
import JSON
import Scenarios

/// The program's two outputs: results on standard output, everything else on standard error.
struct LiveConsole {
    /// Whether someone watches standard error, so that progress makes sense.
    var showsProgress: Bool
    /// Whether results may be coloured.
    var usesColour: Bool
    var style: OutputStyle

    init(style: OutputStyle, environment: InheritedEnvironment) {
        self.style = style
        showsProgress = isatty(STDERR_FILENO) == 1 && !style.isQuiet
        usesColour = isatty(STDOUT_FILENO) == 1 && !environment.refusesColour && !style.isJSON
    }

    /// Writes a result.
    func print(_ text: String) {
        // A reader that has gone (`| head`) is no failure of ours: the report stands in its folder.
        _ = LiveFile.writeAll(Array(text.utf8), to: STDOUT_FILENO)
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
