import HTTP
import Platform
import Synchronization

/// What a finished reading of one list brought.
struct ListReading<Scan: ListScan>: Sendable {
    /// Finished; holds what is new.
    var scan: Scan
    /// The page the next reading begins with, as it was read now; nil when it was not read or has not changed.
    var beginning: PageMark?
    var requests: Int
    /// True when it ended before the list did: what is found must be dealt with before more can be held, or another reading goes on with the rest.
    var isPartial = false
    /// What it has left to another reading, since GitLab is not to be asked for now.
    var rest: ListRest?
    /// What ended it behind the pages that make a reading by themselves.
    var failure: GitLabError?
    /// Bytes of all pages.
    var bytes = 0
    /// How long GitLab took for all answers.
    var answering = Duration.zero
    /// What is new holds these of the budget for answers, until the reading is gone.
    var rooms: [ResponseAllowance] = []
    /// True when GitLab said that the page to begin with is as it was.
    var isUnchanged: Bool
    /// True when that goes for the whole list: no further page was read, which may have changed by itself.
    var isWholeUnchanged: Bool { isUnchanged && requests <= 1 }
    /// True when that was another account's look: this one was spared.
    var isSpared = false
    /// The server's clock at the last page with content.
    var serverTime: WallTime?
}

/// Carries out a scan: asks for the pages it wants, one after the other. A class, for it is handed on with every list.
final class ListReader: Sendable {
    let client: GitLabClient
    /// Stands before every request; nil lets all pass.
    let gate: RequestGate?
    /// Measures every reading; nil for none.
    private let meter: ReadingMeter?
    private let time: (any TimeSource)?
    private let sharedBounds: Mutex<ListBounds>

    /// Without a clock there is no bound in time.
    init(
        client: GitLabClient,
        gate: RequestGate?,
        meter: ReadingMeter? = nil,
        time: (any TimeSource)? = nil,
        bounds: ListBounds = ListBounds()
    ) {
        self.client = client
        self.gate = gate
        self.meter = meter
        self.time = time ?? meter?.time
        sharedBounds = Mutex(bounds)
    }

    /// Of the readings to come.
    var bounds: ListBounds {
        get { sharedBounds.withLock { $0 } }
        set { sharedBounds.withLock { $0 = newValue } }
    }

    /// Reads `list` as far as `scan` wants. Where the page to begin with is remembered and there is no `need` to ask for it any more, it
    /// counts as unchanged.
    ///
    /// - Throws: the first failure, but for one behind a sufficient scan, or a limit where another reading can go on; nothing that was read before
    ///   it may move any state.
    func read<Scan: ListScan>(
        _ list: ListRequest,
        by scan: Scan,
        known: IDSet,
        memory: ListMemory?,
        need: RequestNeed? = nil
    ) async throws(GitLabError) -> ListReading<Scan> {
        guard let meter else { return try await readPages(of: list, by: scan, known: known, memory: memory, need) }
        let startedAt = meter.time.monotonicNow
        do {
            let reading = try await readPages(of: list, by: scan, known: known, memory: memory, need)
            guard !reading.isSpared else { return reading }
            meter.finished(Scan.source, since: startedAt, found: reading.scan.found.count)
            return reading
        } catch {
            meter.failed(Scan.source, error)
            throw error
        }
    }

    private func readPages<Scan: ListScan>(
        of list: ListRequest,
        by scan: Scan,
        known: IDSet,
        memory: ListMemory?,
        _ need: RequestNeed?
    ) async throws(GitLabError) -> ListReading<Scan> {
        var reading = ListReading(scan: scan, beginning: nil, requests: 0, isUnchanged: false)
        let bounds = bounds
        let startedAt = time?.monotonicNow
        var step = ScanStep.read(page: scan.firstPage)
        var isAnswered = false
        if let memory, memory.page == scan.firstPage {
            isAnswered = true
            step = try await readBeginning(of: list, memory: memory, known: known, need, into: &reading)
        }
        while case .read(let number) = step {
            try checkSize(reading, against: bounds)
            do throws(GitLabError) {
                try checkTime(reading, against: bounds, since: startedAt)
                step = try await readPage(number, of: list, known: known, into: &reading)
                isAnswered = true
            } catch {
                reading.rest = isAnswered && error.isHeldBack ? reading.scan.rest(from: number) : nil
                guard reading.scan.isSufficient || reading.rest != nil else { throw error }
                reading.isPartial = !reading.scan.isSufficient
                reading.failure = error
                return reading
            }
        }
        if case .failed(let error) = step { throw error }
        try checkSize(reading, against: bounds)
        guard !reading.isPartial, let front = reading.scan.front else { return reading }
        (reading.isPartial, reading.rest) = (true, front)
        return reading
    }

    private func readPage<Scan: ListScan>(
        _ number: Int,
        of list: ListRequest,
        known: IDSet,
        into reading: inout ListReading<Scan>
    ) async throws(GitLabError) -> ScanStep {
        let answer: PageResponse<Scan.Row> = try await ask(number, by: list.request(page: number), counting: &reading)
        guard case .page(let page) = answer else { throw .undecodable(.redirect) }
        return try take(page, known: known, into: &reading)
    }

    private func checkSize<Scan: ListScan>(
        _ reading: ListReading<Scan>,
        against bounds: ListBounds
    ) throws(GitLabError) {
        guard reading.bytes <= bounds.bytes, reading.scan.found.count <= bounds.newRows else { throw .listTooLong }
    }

    private func checkTime<Scan: ListScan>(
        _ reading: ListReading<Scan>,
        against bounds: ListBounds,
        since startedAt: MonotonicInstant?
    ) throws(GitLabError) {
        guard let time, let startedAt else { return }
        let isLate =
            reading.answering >= bounds.answering || startedAt.duration(to: time.monotonicNow) >= bounds.duration
        if isLate { throw .listTooLong }
    }

    /// One page that is a whole list.
    ///
    /// - Throws: the failure, also `tooManyPages` when there are more, and `spared` when there is no `need` of it any more.
    func page<Row: IdentifiedRow>(
        by request: HTTPRequest,
        need: RequestNeed? = nil
    ) async throws(GitLabError) -> PageResponse<Row> {
        try await gate?.admit()
        do throws(GitLabError) {
            let answer = try await RequestNeed.given(need) { () async throws(GitLabError) -> PageResponse<Row> in
                try await client.page(1, as: Row.self, by: request)
            }
            gate?.noteSuccess()
            charge(for: answer)
            if case .page(let page) = answer, page.head.nextPage != nil { throw .tooManyPages(pages: 1) }
            return answer
        } catch {
            gate?.noteFailure(error)
            throw error
        }
    }

    /// Asks whether the page to begin with is as it was.
    private func readBeginning<Scan: ListScan>(
        of list: ListRequest,
        memory: ListMemory,
        known: IDSet,
        _ need: RequestNeed?,
        into reading: inout ListReading<Scan>
    ) async throws(GitLabError) -> ScanStep {
        let answer: PageResponse<Scan.Row>
        do throws(GitLabError) {
            answer = try await RequestNeed.given(need) { () async throws(GitLabError) -> PageResponse<Scan.Row> in
                try await ask(memory.page, by: memory.request, counting: &reading)
            }
        } catch .spared {
            reading.isUnchanged = true
            reading.isSpared = true
            reading.requests -= 1
            return reading.scan.takeUnchanged(memory, memory.head(PageHead()))
        }
        switch answer {
        case .unchanged(let head):
            reading.isUnchanged = true
            return reading.scan.takeUnchanged(memory, memory.head(head))
        case .page(let page):
            return try take(page, known: known, into: &reading)
        }
    }

    private func take<Scan: ListScan>(
        _ page: Page<Scan.Row>,
        known: IDSet,
        into reading: inout ListReading<Scan>
    ) throws(GitLabError) -> ScanStep {
        reading.bytes += page.bytes
        guard hold(page, known: known, in: &reading) else {
            guard Scan.mayEndEarly, !reading.scan.found.isEmpty else { throw .crowded }
            reading.isPartial = true
            return .finished
        }
        let step = reading.scan.take(page, known: known)
        reading.serverTime = page.head.serverTime ?? reading.serverTime
        if reading.scan.begins(at: page.number) { reading.beginning = page.mark }
        return step
    }

    /// Gives back what the page holds of the budget but for its new rows; false when there is no room for those.
    private func hold<Scan: ListScan>(
        _ page: Page<Scan.Row>,
        known: IDSet,
        in reading: inout ListReading<Scan>
    ) -> Bool {
        guard let room = page.room else { return true }
        let bytes = page.rows.reduce(0) { known.contains($1.id) ? $0 : $0 + $1.heldBytes }
        guard room.keep(bytes) else { return false }
        if bytes > 0 { reading.rooms.append(room) }
        return true
    }

    private func charge<Row: IdentifiedRow>(for answer: PageResponse<Row>) {
        guard case .page(let page) = answer, page.bytes > ListBounds.bytesPerRequest else { return }
        gate?.charge((page.bytes - 1) / ListBounds.bytesPerRequest)
    }

    private func ask<Scan: ListScan>(
        _ number: Int,
        by request: HTTPRequest,
        counting reading: inout ListReading<Scan>
    ) async throws(GitLabError) -> PageResponse<Scan.Row> {
        try await gate?.admit()
        reading.requests += 1
        let askedAt = time?.monotonicNow
        do {
            let answer = try await client.page(number, as: Scan.Row.self, by: request)
            if let time, let askedAt { reading.answering += askedAt.duration(to: time.monotonicNow) }
            gate?.noteSuccess()
            charge(for: answer)
            return answer
        } catch {
            gate?.noteFailure(error)
            throw error
        }
    }
}
