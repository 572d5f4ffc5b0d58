import Testing

@testable import Workbench

/// The words that `simctl` and its workers exchange.
struct WorkerLineTests {
    private static let requests: [WorkerRequest] = [
        .load(scenario: 3, source: ScenarioSource(file: "a/b.json", text: "{\n}")),
        .judge(RunOrder(scenario: 0, seed: .max, exploresSchedules: true)),
        .judge(RunOrder(scenario: 0, seed: 1, tellsFacts: true)),
        .detail(RunOrder(scenario: 0, seed: 1), seedCount: 1, folder: "/there"),
    ]

    @Test(arguments: requests)
    func `a request is one line that reads back`(request: WorkerRequest) throws {
        let line = try WorkerLine.encode(request)
        #expect(line.last == WorkerLine.newline)
        #expect(line.count { $0 == WorkerLine.newline } == 1)
        #expect(try WorkerLine.decode(WorkerRequest.self, from: line.dropLast()) == request)
    }

    @Test func `the same request is the same bytes every time`() throws {
        let line = try WorkerLine.encode(WorkerRequest.judge(RunOrder(scenario: 2, seed: 41)))
        let text = #"{"judge":{"_0":{"exploresSchedules":false,"scenario":2,"seed":41,"tellsFacts":false}}}"# + "\n"
        #expect(String(decoding: line, as: UTF8.self) == text)
    }

    @Test func `a failure of the worker becomes an internal error`() throws {
        let line = try WorkerLine.encode(WorkerResponse.failed(message: "no disk"))
        let error = #expect(throws: ProgramError.self) { try WorkerResponse(line: line) }
        #expect(error?.code == .workerFailed)
        #expect(error?.message == "no disk")
    }

    @Test func `lines are cut wherever the stream was cut`() {
        for size in 1...7 {
            var buffer = LineBuffer()
            var lines: [String] = []
            var rest = Array("one\n\ntwo\nthr".utf8)[...]
            while !rest.isEmpty {
                buffer.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["one", "", "two"])
            #expect(buffer.pendingBytes == 3)
        }
    }
}
