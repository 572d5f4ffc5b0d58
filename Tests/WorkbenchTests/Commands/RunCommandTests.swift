import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Workbench

/// `simctl run` as a user meets it: the real program, real workers, real files.
@Suite(.serialized) struct RunCommandTests {
    @Test func `a run prints what it runs first and leaves a report that latest points to`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try SimctlProcess.run(["run", "tiny.json", "--seeds", "1..4"], in: folder)
        let first = result.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.contains("tiny"))
        #expect(first.contains("seeds 1-4"))
        #expect(first.contains("build \(LiveBuild.identification(of: try SimctlProcess.executable()))"))
        #expect(result.errors == "")
        #expect(LiveReportPlace.entries(of: folder.path + "/reports") == ["latest", "tiny-seeds1-4"])
        #expect(try folder.read("reports/latest/summary.json") == folder.read("reports/tiny-seeds1-4/summary.json"))
        #expect(try !folder.read("reports/latest/trace.jsonl").isEmpty)
    }

    @Test func `a second run takes the place of the first`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        _ = try SimctlProcess.run(["run", "tiny.json", "--out", "r"], in: folder)
        try folder.write("old", to: "r/left-over")
        _ = try SimctlProcess.run(["run", "tiny.json", "--out", "r"], in: folder)
        #expect(folder.names == ["r", "tiny.json"])
        #expect(!LiveReportPlace.entries(of: folder.path + "/r").contains("left-over"))
    }

    @Test func `something else called latest is left alone`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        mkdir(folder.path + "/reports", 0o755)
        try folder.write("mine", to: "reports/latest")
        _ = try SimctlProcess.run(["run", "tiny.json"], in: folder)
        #expect(LiveReportPlace.entries(of: folder.path + "/reports") == ["latest", "tiny-seed7"])
        #expect(try folder.read("reports/latest") == "mine\n")
    }

    @Test func `several files are reported in their order, whatever finishes first`() throws {
        let folder = try TestFolder()
        for name in ["slow", "a", "b"] {
            try folder.write(makeScenarioText(name: name, duration: name == "slow" ? "2d" : "1h"), to: name + ".json")
        }
        let files = ["slow.json", "a.json", "b.json"]
        let result = try SimctlProcess.run(["run"] + files + ["--out", "all", "--seeds", "1..2"], in: folder)
        let order = ["slow  ", "a  ", "b  "].compactMap { name in
            result.output.split(separator: "\n").firstIndex { $0.hasPrefix(name) }
        }
        #expect(order.count == 3)
        #expect(order == order.sorted())
        let reports = ["a-seeds1-2", "b-seeds1-2", "slow-seeds1-2"]
        #expect(LiveReportPlace.entries(of: folder.path + "/all") == reports)
    }

    @Test func `one invalid file keeps every file from being run`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "sound.json")
        try folder.write("{ \"name\": ", to: "half.json")
        let result = try SimctlProcess.run(["run", "sound.json", "half.json", "."], in: folder)
        #expect(result.exitCode == .invalidInput)
        #expect(result.output == "")
        #expect(result.errors.contains("half.json"))
        #expect(result.errors.contains("[not-a-file]"))
        #expect(folder.names == ["half.json", "sound.json"])
    }

    @Test(arguments: [
        ("tiny.json", ProgramError.Code.outIsAFile),
        ("tiny.json/r", .outIsAFile),
        (".", .outNotAReport),
        ("/proc/r", .outNotWritable),
    ])
    func `a place where no report can be is refused before anything runs`(
        out: String,
        code: ProgramError.Code
    ) throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try SimctlProcess.run(["run", "tiny.json", "--json", "--out", out], in: folder)
        #expect(result.exitCode == .usage)
        #expect(
            result.output.hasPrefix("{\"error\":{\"code\":\"\(code.rawValue)\",\"hint\":\"name ")
                || result.output.hasPrefix("{\"error\":{\"code\":\"\(code.rawValue)\",\"hint\":\"choose ")
        )
        #expect(result.errors == "")
        #expect(folder.names == ["tiny.json"])
    }

    @Test func `the same scenario twice is refused`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let result = try SimctlProcess.run(["run", "tiny.json", "tiny.json"], in: folder)
        #expect(result.exitCode == .usage)
        #expect(result.errors.contains("[repeated-scenario]"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run leaves no report, no file and no process`(signal: Int32) throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let simctl = try SimctlProcess(
            ["run", "tiny.json", "--seeds", "1..100000", "--jobs", "2", "--out", "r"],
            in: folder
        )
        #expect(simctl.firstLine().contains("tiny"))
        let workers = try simctl.busyWorkers(2)
        kill(simctl.process.identifier, signal)
        let result = simctl.finish()
        #expect(result.exitCode == .interrupted)
        #expect(result.errors.contains("[interrupted]"))
        #expect(folder.names == ["tiny.json"])
        for worker in workers { #expect(kill(worker, 0) == -1 && errno == ESRCH) }
    }

    /// The kernel shoots: a limit on processor time hits in the middle of a seed that needs far more of it, on any machine.
    @Test func `a worker that is shot under a seed is a finding of that run and not its end`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(duration: "40d"), to: "tiny.json")
        let result = try SimctlProcess.run(
            ["run", "tiny.json", "--seeds", "1..2", "--jobs", "1", "--out", "r"],
            in: folder,
            processorLimit: 2
        )
        #expect(result.exitCode == .failed, "\(result.errors)")
        #expect(result.output.contains("crashed  SIGKILL"))
        #expect(folder.names == ["r", "tiny.json"])
    }

    @Test func `workers end when simctl is killed without warning`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let simctl = try SimctlProcess(
            ["run", "tiny.json", "--seeds", "1..100000", "--jobs", "2", "--out", "r"],
            in: folder
        )
        #expect(simctl.firstLine().contains("tiny"))
        let workers = try simctl.busyWorkers(2)
        kill(simctl.process.identifier, SIGKILL)
        #expect(simctl.finish().end == .signalled(SIGKILL))
        // They are nobody's children now, so the kernel's list of processes is all there is to ask.
        for worker in workers { while kill(worker, 0) == 0 && !isZombie(worker) { sched_yield() } }
    }
}
