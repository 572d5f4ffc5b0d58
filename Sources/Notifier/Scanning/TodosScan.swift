/// Reads every pending to-do: there may be new ones anywhere, since a snoozed or undone one comes back with its old id
/// (GitLab facts §6, trap 6).
struct TodosScan: ListScan {
    private var progress: ScanProgress<TodoRow>

    init(limits: ScanLimits = ScanLimits()) {
        progress = ScanProgress(limits: limits)
    }

    /// Every row of the pages that were read with content.
    private(set) var pending: [Int64] = []

    /// The unseen rows, newest first.
    var found: [TodoRow] { progress.found }
    var firstPage: Int { 1 }
    var restarts: Int { progress.restarts }

    /// Takes a page that was read.
    mutating func take(_ page: Page<TodoRow>, known: IDSet) -> ScanStep {
        _ = progress.collect(page.rows, unlessIn: known)
        pending += page.rows.map(\.id)
        return take(page.head)
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep { take(head) }

    func begins(at page: Int) -> Bool { page == 1 }

    private mutating func take(_ head: PageHead) -> ScanStep {
        progress.countPage()
        if progress.didShrink(to: head.total) { return progress.restart(at: 1) }
        guard let next = head.nextPage else { return .finished }
        return progress.step(to: next)
    }
}
