import Scenarios

/// How much memory this process has held at most, and how much it could still get.
enum LiveMemory {
    /// The high-water mark of resident memory; 0 when the kernel does not tell.
    static var peakBytes: Int64 {
        guard let status = try? FileBytes.read(path: "/proc/self/status", limitBytes: 65_536) else { return 0 }
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return (Int64(line.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0) * 1_024
        }
        return 0
    }

    /// What the kernel takes to be free for new programs, and no more than the limit of this process's own group, if it has one; nil when
    /// neither is told.
    static var availableBytes: Int64? {
        let machine = (try? FileBytes.read(path: "/proc/meminfo", limitBytes: 65_536)).flatMap {
            available(meminfo: $0)
        }
        let group = number("/sys/fs/cgroup/memory.max")
        return [machine, group].compactMap { $0 }.min()
    }

    /// `MemAvailable` of `/proc/meminfo`, in bytes; nil without such a line.
    static func available(meminfo: [UInt8]) -> Int64? {
        let lines = String(decoding: meminfo, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }) else { return nil }
        return Int64(line.drop { !$0.isNumber }.prefix { $0.isNumber }).map { $0 * 1_024 }
    }

    /// The number in a file; nil for `max`, and where there is none.
    private static func number(_ path: String) -> Int64? {
        guard let bytes = try? FileBytes.read(path: path, limitBytes: 64) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    }
}
