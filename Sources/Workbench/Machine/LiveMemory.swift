import Scenarios

/// How much memory this process has held at most.
enum LiveMemory {
    /// The high-water mark of resident memory; 0 when the kernel does not tell.
    static var peakBytes: Int64 {
        guard let status = try? FileBytes.read(path: "/proc/self/status", limitBytes: 65_536) else { return 0 }
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return (Int64(line.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0) * 1_024
        }
        return 0
    }
}
