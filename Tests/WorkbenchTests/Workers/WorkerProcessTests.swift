import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Workbench

/// The hidden command `worker`, spoken to by hand.
@Suite(.serialized) struct WorkerProcessTests {
    @Test func `a worker that crashes leaves the backtrace of the runtime`() throws {
        let worker = try makeWorker()
        try #require(readLine(worker) != nil)
        kill(worker.identifier, SIGILL)
        var errors: [UInt8] = []
        // The runtime reports a crash and returns, because the failing instruction would then fail again. A signal from
        // outside has no such instruction, so it is sent a second time, after the report.
        while !String(decoding: errors, as: UTF8.self).contains("Backtrace took") {
            let more = wait(worker.errors)
            try #require(!more.isEmpty, "\(String(decoding: errors, as: UTF8.self))")
            errors += more
        }
        kill(worker.identifier, SIGILL)
        while case let more = wait(worker.errors), !more.isEmpty { errors += more }
        let crash = WorkerCrash(worker.end(), errors: errors)
        #expect(crash.cause == "SIGILL")
        #expect(crash.text.contains("Program crashed: Illegal instruction"), "\(crash.text)")
        #expect(crash.text.contains(" crashed:\n"), "\(crash.text)")
        #expect(!crash.text.contains("\u{1B}"))
    }

    @Test func `a worker ends by itself when nobody gives it work any more`() throws {
        let worker = try makeWorker()
        try #require(readLine(worker) != nil)
        worker.closeInput()
        #expect(wait(worker.output) == [])
        #expect(worker.end() == .exited(status: 0))
    }

    @Test func `a scenario that cannot be loaded fails the requests about it and no others`() throws {
        let worker = try makeWorker()
        try #require(readLine(worker) != nil)
        try send(.load(scenario: 0, source: ScenarioSource(file: "half.json", text: "{")), to: worker)
        try send(.load(scenario: 1, source: ScenarioSource(file: "tiny.json", text: makeScenarioText())), to: worker)
        try send(.judge(RunOrder(scenario: 0, seed: 1)), to: worker)
        guard case .failed(let message) = try answer(worker) else {
            Issue.record("half a scenario was judged")
            return
        }
        #expect(message.contains("half.json"))
        try send(.judge(RunOrder(scenario: 1, seed: 5)), to: worker)
        guard case .judged(let result) = try answer(worker) else {
            Issue.record("a sound scenario was not judged")
            return
        }
        #expect(result.seed == 5)
        #expect(result.digest.count == 16)
    }

    @Test func `a measurement repeats as often as it was asked to`() throws {
        let worker = try makeWorker()
        try #require(readLine(worker) != nil)
        try send(.load(scenario: 0, source: ScenarioSource(file: "tiny.json", text: makeScenarioText())), to: worker)
        try send(.measure(RunOrder(scenario: 0, seed: 1), repeats: 3), to: worker)
        guard case .measured(let measurement) = try answer(worker) else {
            Issue.record("nothing was measured")
            return
        }
        #expect(measurement.wallNanoseconds.count == 3)
        #expect(measurement.wallNanoseconds.allSatisfy { $0 > 0 })
        #expect(measurement.simulatedNanoseconds >= 3_600_000_000_000)
        #expect(measurement.peakBytes > 1_000_000)
    }

    private func makeWorker() throws -> LiveProcess {
        let environment = WorkerEnvironment.fixed(LiveEnvironment.read())
        let executable = try SimctlProcess.executable()
        return try LiveProcess(
            ProcessLaunch(executable: executable, arguments: ["worker"], environment: environment)
        )
    }

    private func send(_ request: WorkerRequest, to worker: LiveProcess) throws {
        #expect(LiveFile.writeAll(try WorkerLine.encode(request), to: worker.input))
    }

    private func answer(_ worker: LiveProcess) throws -> WorkerResponse {
        try WorkerLine.decode(WorkerResponse.self, from: try #require(readLine(worker)))
    }

    private func readLine(_ worker: LiveProcess) -> [UInt8]? {
        var buffer = LineBuffer()
        while case let more = wait(worker.output), !more.isEmpty {
            buffer.append(more)
            if let line = buffer.next() { return line }
        }
        return nil
    }

    private func wait(_ descriptor: Int32) -> [UInt8] {
        while true {
            var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&interest, 1, -1)
            if let bytes = LivePipe.read(descriptor) { return bytes }
        }
    }
}
