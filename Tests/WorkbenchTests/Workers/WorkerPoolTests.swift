import Glibc
import ScenarioFixtures
import Testing
import Verdict

@testable import Workbench

/// The pool with real processes: small shell scripts stand for workers, so that a death can be arranged to the letter.
@Suite(.serialized) struct WorkerPoolTests {
    /// Answers each line with the same line, dies by SIGSEGV on seed 3, leaves by itself on seed 5.
    private static let script = """
        echo ready
        while read -r line; do
            case $line in
                *'"seed":3'[,}]*) echo 'Fatal error: index out of range' >&2; kill -SEGV $$ ;;
                *'"seed":5'[,}]*) exit 9 ;;
                *'"load"'*) ;;
                *) echo "$line" ;;
            esac
        done
        """

    @Test(arguments: 1...4)
    func `every request has one outcome, whoever dies`(count: Int) throws {
        var pool = try makePool(Self.script, count: count)
        var answered: [UInt64] = []
        var crashed: [UInt64: WorkerCrash] = [:]
        try pool.run((1...8).map(makeRequest)) { (request, outcome) throws(ProgramError) in
            switch outcome {
            case .answer(let line):
                #expect((try? WorkerLine.decode(WorkerRequest.self, from: line)) == request)
                answered.append(request.seed)
            case .crash(let crash): crashed[request.seed] = crash
            }
            return []
        }
        #expect(answered.sorted() == [1, 2, 4, 6, 7, 8])
        #expect(crashed.keys.sorted() == [3, 5])
        #expect(crashed[3]?.cause == "SIGSEGV")
        #expect(crashed[3]?.text == "Fatal error: index out of range\n")
        #expect(crashed[5]?.cause == "exit status 9")
    }

    @Test func `what an outcome calls for is carried out next`() throws {
        var pool = try makePool(Self.script, count: 1)
        var order: [UInt64] = []
        try pool.run([makeRequest(1), makeRequest(2)]) { (request, _) throws(ProgramError) in
            order.append(request.seed)
            return request.seed == 1 ? [makeRequest(10), makeRequest(11)] : []
        }
        #expect(order == [1, 10, 11, 2])
    }

    @Test func `a worker that never becomes ready is an internal error and no finding`() throws {
        var pool = try makePool("echo 'no such library' >&2; exit 127", count: 1)
        let error = #expect(throws: ProgramError.self) {
            try pool.run([makeRequest(1)]) { (_, _) throws(ProgramError) in
                Issue.record("there is no outcome")
                return []
            }
        }
        #expect(error?.code == .workerFailed)
        #expect(error?.message.contains("no such library") == true)
    }

    @Test func `a program that does not exist is an internal error`() throws {
        let launch = ProcessLaunch(executable: "/nonexistent/worker", arguments: [], environment: [])
        var pool = WorkerPool(
            count: 1,
            preamble: [],
            timeLimit: .seconds(60),
            signals: try LiveSignals(),
            launch: { _ in launch }
        )
        let error = #expect(throws: ProgramError.self) {
            try pool.run([makeRequest(1)]) { (_, _) throws(ProgramError) in [] }
        }
        #expect(error?.code == .system)
    }

    @Test func `a worker that speaks without being asked is refused`() throws {
        var pool = try makePool("echo ready; read -r line; printf 'one\ntwo\n'; cat > /dev/null", count: 1)
        let error = #expect(throws: ProgramError.self) {
            try pool.run([makeRequest(1)]) { (_, _) throws(ProgramError) in [] }
        }
        #expect(error?.code == .workerFailed)
    }

    @Test func `a worker that dies once it has answered is an internal error and not the next request's end`() throws {
        var pool = try makePool("echo ready; read -r load; read -r line; echo $$; kill -SEGV $$", count: 1)
        let error = #expect(throws: ProgramError.self) {
            try pool.run([makeRequest(1), makeRequest(2)]) { (_, outcome) throws(ProgramError) in
                guard case .answer(let line) = outcome, let worker = pid_t(String(decoding: line, as: UTF8.self)) else {
                    Issue.record("only the answer is an outcome")
                    return []
                }
                while !isZombie(worker) { sched_yield() }
                return []
            }
        }
        #expect(error?.code == .workerFailed)
        #expect(error?.message.contains("SIGSEGV") == true)
    }

    @Test func `a request over the time limit ends the run with its own exit code`() throws {
        var pool = try makePool("echo ready; cat > /dev/null", count: 2, timeLimit: .milliseconds(20))
        let error = #expect(throws: ProgramError.self) {
            try pool.run([makeRequest(1), makeRequest(2)]) { (_, _) throws(ProgramError) in [] }
        }
        #expect(error?.code.exitCode == .timeLimit)
        #expect(error?.message.contains("seed ") == true)
    }

    @Test func `what a crash wrote is kept up to a bound, its end first`() throws {
        let flood = "echo ready; read -r line; head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2; kill -ABRT $$"
        var pool = try makePool(flood, count: 1)
        var crash: WorkerCrash?
        try pool.run([makeRequest(1)]) { (_, outcome) throws(ProgramError) in
            if case .crash(let found) = outcome { crash = found }
            return []
        }
        #expect(crash?.cause == "SIGABRT")
        #expect(crash?.text.utf8.count == WorkerCrash.textLimitBytes)
        #expect(crash?.text.hasSuffix("xend\n") == true)
    }

    @Test func `what a dead worker had started ends with it and keeps nobody waiting`() throws {
        var pool = try makePool("echo ready; read -r line; tail -f /dev/null & echo $! >&2; kill -KILL $$", count: 1)
        var left: pid_t?
        try pool.run([makeRequest(1)]) { (_, outcome) throws(ProgramError) in
            if case .crash(let crash) = outcome { left = pid_t(crash.text.filter(\.isNumber)) }
            return []
        }
        let orphan = try #require(left)
        while kill(orphan, 0) == 0 && !isZombie(orphan) { sched_yield() }
    }

    @Test func `a request larger than a pipe reaches its worker whole`() throws {
        let text = String(repeating: "z", count: 300_000)
        var pool = try makePool("echo ready; read -r load; read -r line; echo ${#load}; cat > /dev/null", count: 1)
        pool.preamble = [.load(scenario: 0, source: ScenarioSource(file: "", text: text))]
        var answer = 0
        try pool.run([makeRequest(1)]) { (_, outcome) throws(ProgramError) in
            if case .answer(let line) = outcome { answer = Int(String(decoding: line, as: UTF8.self)) ?? 0 }
            return []
        }
        #expect(answer > text.utf8.count)
    }

    private func makePool(
        _ script: String,
        count: Int,
        timeLimit: Duration = .seconds(60)
    ) throws -> WorkerPool {
        let launch = ProcessLaunch(
            executable: "/bin/sh",
            arguments: ["-c", script],
            environment: ["PATH=/usr/bin:/bin"]
        )
        let preamble = [WorkerRequest.load(scenario: 0, source: ScenarioSource(file: "f", text: "{}"))]
        return WorkerPool(
            count: count,
            preamble: preamble,
            timeLimit: timeLimit,
            signals: try LiveSignals(),
            launch: { _ in launch }
        )
    }
}

private func makeRequest(_ seed: UInt64) -> WorkerRequest {
    .judge(RunOrder(scenario: 0, seed: seed))
}

extension WorkerRequest {
    fileprivate var seed: UInt64 {
        guard case .judge(let order) = self else { return 0 }
        return order.seed
    }
}
