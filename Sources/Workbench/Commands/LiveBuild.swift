import Glibc
import Platform

/// Which build this is: the same text for the same program file, another for any other.
enum LiveBuild {
    static let version = "0.1.0"

    /// Twelve hexadecimal digits: the beginning of the identification the linker wrote, else of a digest over the file.
    static func identification(of path: String = ProcessLaunch.ownExecutable) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "unknown" }
        defer { close(descriptor) }
        let head = LivePipe.read(descriptor) ?? []
        return ELFBuildID.find(in: head) ?? digest(head, rest: descriptor)
    }

    private static func digest(_ head: [UInt8], rest descriptor: Int32) -> String {
        var digest = RunningDigest()
        var part = head
        while !part.isEmpty {
            for byte in part { digest.fold(UInt64(byte)) }
            part = LivePipe.read(descriptor) ?? []
        }
        return String(digest.text.prefix(12))
    }
}
