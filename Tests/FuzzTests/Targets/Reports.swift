import FoundationEssentials
import JSON
import Live
import Platform

@testable import Verdict
@testable import Workbench

extension FuzzTarget {
    /// What `simctl explain` reads: a line with an activity and perhaps a seed, then the ledger, then behind `---` the trace.
    static let reports = FuzzTarget("reports") { bytes in
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        guard let activity = words.first.flatMap({ Int($0) }), let folder = try? ScratchFolder() else { return }
        let parts = split(bytes[end...].dropFirst())
        do {
            try folder.write([UInt8](#"{}"#.utf8), to: "summary.json")
            try folder.write(parts.first, to: "ledger.jsonl")
            if let trace = parts.second { try folder.write(trace, to: "trace.jsonl") }
            let seed = words.dropFirst().first.flatMap { UInt64($0) }
            let story = try Explanation.story(of: activity, in: folder.path, seed: seed)
            promise(story.hasPrefix("activity \(activity) ") && story.hasSuffix("\n"), "a story tells what was asked")
            let lines = story.split(separator: "\n", omittingEmptySubsequences: false)
            promise(lines.allSatisfy { TerminalText.plain(String($0)) == $0 }, "no title moves the cursor")
        } catch let error as ReportError {
            promise(!error.code.isEmpty && !error.hint.isEmpty, "a refusal says what to do")
        } catch {
            promise(false, "a report that cannot be read is told as one, not \(error)")
        }
        readBack(parts.first)
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> (first: [UInt8], second: [UInt8]?) {
        let mark = Array("---\n".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
            return (Array(bytes), nil)
        }
        return (Array(bytes[..<start]), Array(bytes[(start + mark.count)...]))
    }

    private static func readBack(_ ledger: [UInt8]) {
        for line in String(decoding: ledger, as: UTF8.self).split(separator: "\n") {
            guard let read = try? LedgerFile.lines(String(line)).first else { continue }
            let again = (try? DeterministicJSON.line(read)).flatMap { try? LedgerFile.lines($0) }
            promise(again == [read], "a line of the ledger reads back")
        }
    }

    /// Lines that a worker and the process that started it say to each other, and what the workers leave in files.
    static let workerLines = FuzzTarget("worker-lines") { bytes in
        let whole = lines(bytes, cutEvery: bytes.count + 1)
        promise(whole == lines(bytes, cutEvery: 1), "lines are the same however they arrive")
        for line in whole {
            if let request = try? WorkerLine.decode(WorkerRequest.self, from: line) {
                let written = try? WorkerLine.encode(request)
                let again = written.flatMap { try? WorkerLine.decode(WorkerRequest.self, from: $0) }
                promise(again == request, "a request reads back")
            }
            readAnswer(line)
        }
        let crash = WorkerCrash(.exited(status: 1), errors: bytes)
        promise(!crash.message.isEmpty && !crash.message.contains("\n"), "a crash is told in one line")
        if let id = ELFBuildID.find(in: bytes) {
            promise(id.utf8.count == 12 && id.allSatisfy(\.isHexDigit), "a build has twelve digits")
        }
        expectDifference(whole.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func lines(_ bytes: [UInt8], cutEvery length: Int) -> [[UInt8]] {
        var buffer = LineBuffer()
        var lines: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            buffer.append(Array(bytes[start..<min(start + length, bytes.count)]))
            while let line = buffer.next() { lines.append(line) }
        }
        let rest = bytes.count - lines.reduce(0) { $0 + $1.count + 1 }
        promise(buffer.pendingBytes == rest, "nothing is lost between lines")
        return lines
    }

    private static func readAnswer(_ line: [UInt8]) {
        do throws(ProgramError) {
            let answer = try WorkerResponse(line: line)
            guard let written = try? WorkerLine.encode(answer) else {
                return promise(false, "an answer that was read can be written")
            }
            let again = (try? WorkerLine.decode(WorkerResponse.self, from: written)).flatMap {
                try? WorkerLine.encode($0)
            }
            promise(again == written, "an answer reads back")
        } catch {
            promise(error.code == .workerFailed, "a bad answer is the worker's failure")
        }
    }

    /// Two traces, as `simctl doctor` compares them: one, and the same without a line.
    private static func expectDifference(_ trace: [String]) {
        promise(TraceDifference.find(trace, trace) == nil, "a trace is like itself")
        guard let last = trace.last else { return }
        let shorter = trace.dropLast()
        let difference = TraceDifference.find(trace, shorter)
        promise(difference?.event == trace.count, "they part where one ends")
        promise(difference?.left.contains("> \(last)") == true, "and that is shown")
    }
}
