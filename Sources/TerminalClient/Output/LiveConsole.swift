import Glibc

/// The process's own streams.
struct LiveConsole: Console {
    let usesColour: Bool

    /// `refusesColour`: whether `NO_COLOR` asks for plain text (no-color.org).
    init(refusesColour: Bool) {
        usesColour = isatty(STDOUT_FILENO) == 1 && !refusesColour
    }

    func print(_ text: String) { LivePrivateFile.writeAll(Array(text.utf8), to: STDOUT_FILENO) }

    func note(_ text: String) { LivePrivateFile.writeAll(Array(text.utf8), to: STDERR_FILENO) }

    func askSecret(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        note(question)
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            note("\n")
        }
        return readLine()
    }

    func readFile(_ path: String) throws(TerminalError) -> String {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalError(
                .badInput,
                "unreadable_file",
                "\(path) cannot be read: \(String(cString: strerror(errno)))"
            )
        }
        defer { if path != "-" { close(descriptor) } }
        guard let bytes = LivePrivateFile.readAll(descriptor, limit: 65_536) else {
            throw TerminalError(
                .badInput,
                "unreadable_file",
                "\(path) is not what it should be: it holds more than 64 KiB"
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
