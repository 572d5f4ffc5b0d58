import Configuration
import HTTP
import Platform

/// The lists that are read only for who wants them (labels, milestones, pipelines), and the approvals now and then. None of
/// them decides about the item's health: a failure is counted and the next cycle asks again.
extension AccountPoller {
    func readMetadataLists(
        of item: PolledItem,
        for reason: DueReason,
        at now: MonotonicInstant
    ) async -> [MetadataReading] {
        guard let polled else { return [] }
        let (activities, offered) = (polled.rules.activities, polled.capabilities)
        let wanted = Self.metadataLists(of: item.watched.item.kind).filter { list in
            activities.contains(list.kind) && offered[list.source]
        }
        let isForThemAlone = reason == .metadataLists
        var readings: [MetadataReading] = []
        for list in item.metadataLists.begin(wanted, isForThemAlone: isForThemAlone, at: now) {
            if let reading = await readList(list, of: item, at: now) { readings.append(reading) }
        }
        return readings
    }

    /// In the order in which they are asked for.
    private static func metadataLists(of kind: ItemKind) -> [MetadataList] {
        switch kind {
        case .issue: [.labelEvents, .milestoneEvents]
        case .mergeRequest: [.labelEvents, .milestoneEvents, .pipelines, .approvals]
        }
    }

    private func readList(
        _ list: MetadataList,
        of item: PolledItem,
        at now: MonotonicInstant
    ) async -> MetadataReading? {
        switch list {
        case .labelEvents: return await readEvents(.labelEvents, \.labels, of: item)
        case .milestoneEvents: return await readEvents(.milestoneEvents, \.milestones, of: item)
        case .pipelines: return await readPipelines(of: item)
        case .approvals: return await checkApprovals(of: item, at: now)
        }
    }

    /// A list could not be read.
    private func take(_ error: GitLabError, from list: MetadataList, of item: PolledItem) async {
        if error.isHeldBack { item.metadataLists.holdBack(list) }
        await take(error, watch: item.watched.watch)
    }

    // MARK: Labels and milestones

    private func readEvents(
        _ list: MetadataList,
        _ place: WritableKeyPath<ItemMetadata, ItemMetadata.Events?>,
        of item: PolledItem
    ) async -> MetadataReading? {
        guard let reader = polled?.reader else { return nil }
        do {
            if item.metadataLists[keyPath: place] == nil {
                item.metadataLists[keyPath: place] = try await load(list, of: item)
            }
            guard let events = item.metadataLists[keyPath: place] else { return nil }
            let askedAt = context.time.monotonicNow
            let reading = try await reader.read(
                events.list.list,
                by: OldestFirstScan<MetadataEventRow>(resume: events.end, rowsPerPage: reader.client.rowsPerPage),
                known: events.list.seen.ids,
                memory: events.end == nil ? nil : events.list.memory
            )
            countRead()
            item.metadataLists.noteAnswer()
            item.metadataLists[keyPath: place]?.endAfterwards = reading.scan.resume
            remember(reading.beginning, ifQuiet: reading.isQuiet && events.isRead, at: place, of: item)
            if reading.isQuiet, events.isRead {
                item.metadataLists[keyPath: place]?.end = reading.scan.resume
                return nil
            }
            let news = item.newRows(
                of: list,
                isListRead: events.isRead,
                askedAt: askedAt,
                serverTime: reading.serverTime
            )
            return .events(list, reading.scan.found, news: news, serverTime: reading.serverTime)
        } catch let error as GitLabError {
            await take(error, from: list, of: item)
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
        return nil
    }

    /// Only a page all of whose rows have been dealt with is remembered.
    private func remember(
        _ page: PageMark?,
        ifQuiet isQuiet: Bool,
        at place: WritableKeyPath<ItemMetadata, ItemMetadata.Events?>,
        of item: PolledItem
    ) {
        guard let page, isQuiet, let list = item.metadataLists[keyPath: place]?.list.list else { return }
        item.metadataLists[keyPath: place]?.list.memory = ListMemory(page, of: list)
    }

    private func load(_ list: MetadataList, of item: PolledItem) async throws -> ItemMetadata.Events? {
        guard let client = polled?.reader.client else { return nil }
        let watch = item.watched.watch
        let (sightings, isRead) = try await context.store.read { store in
            (try store.seenRows(list, of: watch), try store.isRead(list, of: watch))
        }
        let seen = SeenIDs(
            sightings,
            wallNow: context.time.wallNow,
            now: context.time.monotonicNow,
            overlap: context.configuration.overlap
        )
        let source = list == .labelEvents ? ListSource.labelEvents : ListSource.milestoneEvents
        return ItemMetadata.Events(
            list: PolledList(list: client.list(source(item.watched.item)), seen: seen),
            isRead: isRead
        )
    }

    // MARK: Pipelines

    private func readPipelines(of item: PolledItem) async -> MetadataReading? {
        guard let client = polled?.reader.client else { return nil }
        do {
            if item.metadataLists.pipelines == nil {
                let watch = item.watched.watch
                item.metadataLists.pipelines = try await context.store.read { store in
                    PipelineNews(
                        known: try store.seenPipelines(of: watch),
                        isRead: try store.isRead(.pipelines, of: watch)
                    )
                }
            }
            guard let known = item.metadataLists.pipelines else { return nil }
            let list = client.list(.pipelines(item.watched.item))
            let askedAt = context.time.monotonicNow
            let answer = try await firstPage(of: list, memory: item.metadataLists.pipelinesMemory)
            item.metadataLists.noteAnswer()
            guard let page = answer else { return nil }
            let news = try await counting(known, for: page.rows, of: item)
            if news.isQuiet(page.rows, at: page.head.serverTime) {
                item.metadataLists.pipelinesMemory = page.head.entityTag.map { tag in
                    ListMemory(request: list.request(page: 1, entityTag: tag), entityTag: tag)
                }
                return nil
            }
            let new = item.newRows(
                of: .pipelines,
                isListRead: news.isRead,
                askedAt: askedAt,
                serverTime: page.head.serverTime
            )
            let result = news.read(page.rows, new, at: page.head.serverTime)
            return .pipelines(news: result.news, known: result.known, serverTime: page.head.serverTime)
        } catch let error as GitLabError {
            await take(error, from: .pipelines, of: item)
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
        return nil
    }

    /// A watch that ends and begins again tells no run twice, and each of them once: pipelines that it does not know yet are counted on.
    private func counting(
        _ news: PipelineNews,
        for rows: [PipelineRow],
        of item: PolledItem
    ) async throws -> PipelineNews {
        let unknown = news.unknown(of: rows)
        guard !unknown.isEmpty else { return news }
        let watch = item.watched.watch
        return news.counting(on: try await context.store.read { try $0.toldRuns(of: unknown, watch: watch) })
    }

    /// Nil when the page is as it was.
    private func firstPage(
        of list: ListRequest,
        memory: ListMemory?
    ) async throws(GitLabError) -> Page<PipelineRow>? {
        guard let client = polled?.reader.client else { return nil }
        try await gate.admit()
        do {
            let answer = try await client.page(1, as: PipelineRow.self, by: memory?.request ?? list.firstPage)
            gate.noteSuccess()
            countRead()
            guard case .page(let page) = answer else { return nil }
            return page
        } catch {
            gate.noteFailure(error)
            throw error
        }
    }

    // MARK: Approvals

    /// Looks at the list of approvals when it is due; the system notes have told of most by then.
    private func checkApprovals(of item: PolledItem, at now: MonotonicInstant) async -> MetadataReading? {
        guard let client = polled?.reader.client, await loadApprovals(of: item) else { return nil }
        guard let dueAt = item.metadataLists.approvalsAt else {
            // The items of an account take turns, and none comes right after a start.
            let half = Duration.nanoseconds(context.configuration.approvalsEvery.wholeNanoseconds / 2)
            let delay = half + Jitter.below(half, draw: context.entropy.nextUInt64())
            item.metadataLists.approvalsAt = now.advanced(by: delay)
            return nil
        }
        guard now >= dueAt, let check = item.metadataLists.approvals else { return nil }
        if let told = othersLookAtToldApprovals(of: item, check) { return told }
        item.metadataLists.approvalsAt = now.advanced(by: context.configuration.approvalsEvery)
        do {
            let (answer, serverTime) = try await approvals(of: item, client)
            context.log.write(.approvalsChecked, fields(item.watched.watch))
            let result = check.read(answer)
            let look = ApprovalsLook(at: now, gitlabTime: moment(of: serverTime, for: item).now)
            shareApprovals(result.known, after: check, look, of: item)
            guard result.known != check.known || !check.isRead else {
                item.metadataLists.confirmApprovals(look)
                return nil
            }
            // A note from before the last look, which showed no such approval, tells of another one.
            let since = look.earliestNews(after: item.metadataLists.approvalsLook)
            return .approvals(result, look: look, since: since, serverTime: serverTime)
        } catch {
            // A look that a limit has held back is still due.
            if error.isHeldBack { item.metadataLists.approvalsAt = dueAt }
            await take(error, from: .approvals, of: item)
        }
        return nil
    }

    /// Reads what is known of the approvals from the store, unless that was done before; false when the store refused.
    private func loadApprovals(of item: PolledItem) async -> Bool {
        guard item.metadataLists.approvals == nil else { return true }
        let watch = item.watched.watch
        do {
            item.metadataLists.approvals = try await context.store.read { store in
                let isRead = try store.isRead(.approvals, of: watch)
                let known = try isRead ? store.knownApprovals(of: watch) : store.approvalsToBegin(of: watch)
                return ApprovalCheck(known: known, isRead: isRead)
            }
            item.metadataLists.approvalsLoadedAt = context.time.monotonicNow
            return true
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            return false
        }
    }

    private func approvals(
        of item: PolledItem,
        _ client: GitLabClient
    ) async throws(GitLabError) -> (ApprovalsResponse, serverTime: WallTime?) {
        try await gate.admit()
        do {
            let answer = try await client.approvals(of: item.watched.item)
            gate.noteSuccess()
            countRead()
            item.metadataLists.noteAnswer()
            return answer
        } catch {
            gate.noteFailure(error)
            throw error
        }
    }
}
