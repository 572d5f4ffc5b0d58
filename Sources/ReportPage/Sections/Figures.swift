import Verdict

/// Figures as the terminal writes them.
enum Figures {
    static func duration(_ seconds: Double?) -> String {
        seconds.map { FigureText.duration(milliseconds: Int64(($0 * 1_000).rounded())) } ?? "-"
    }

    static func duration(milliseconds: Int64?) -> String {
        milliseconds.map { FigureText.duration(milliseconds: $0) } ?? "-"
    }

    static func instant(nanoseconds: Int64) -> String { FigureText.instant(milliseconds: nanoseconds / 1_000_000) }
}
