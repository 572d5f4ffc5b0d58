import Configuration
import HTTP
import Platform

/// The last resort: items whose own lists are missing or fail are looked for in their project's activity feed (GitLab
/// facts §12). The lists stay the truth; what the feed does not tell, they tell once they can be read.
extension AccountPoller {
    /// Reads the feed of every project with such an item, once for all of them.
    func readFeeds() async {
        guard let polled, polled.capabilities.projectEvents else { return }
        let items = polled.items.filter { $0.fallback.isActive && !$0.health.isPaused }
        let projects = Set(items.map(\.watched.item.project)).sorted()
        for project in polled.feeds.keys.sorted() where !projects.contains(project) { polled.feeds[project] = nil }
        for project in projects where !Task.isCancelled && !haveKindsChanged {
            await readFeed(of: project, for: items.filter { $0.watched.item.project == project })
        }
    }

    /// A failure counts against an item only while other readings succeed.
    func settleFallbacks(_ verdicts: [PollCycle.ListVerdict], isTrusted: Bool) {
        for verdict in verdicts {
            guard let item = polled?.item(verdict.watch) else { continue }
            let change = item.fallback.take(verdict.readings, isTrusted: isTrusted)
            guard change != .none else { continue }
            context.log.write(change == .began ? .fallbackBegan : .fallbackEnded, fields(verdict.watch))
        }
    }

    private func readFeed(of project: ProjectID, for items: [PolledItem]) async {
        do throws(GitLabError) {
            let items = await readOrigins(of: items)
            guard !items.isEmpty else { return }
            guard let reader = polled?.reader else { return }
            var feed = openFeed(of: project, for: items, client: reader.client)
            feed.list.seen.raiseFloor(at: context.time.monotonicNow, overlap: context.configuration.overlap)
            let reading = try await reader.read(
                feed.list.list,
                by: EventsScan(floor: feed.list.seen.floor, rowsPerPage: feed.list.list.rowsPerPage),
                known: feed.list.seen.ids,
                memory: feed.list.memory
            )
            note(reading, of: feed.list, watch: nil)
            context.log.write(
                .feedRead,
                [
                    accountField, ("project.id", .number(project.rawValue)),
                    ("scan.rows", .count(reading.scan.found.count)),
                ]
            )
            guard await commit(reading, to: items) else { return }
            feed.list.seen.insert(reading.scan.found.map(\.id), at: context.time.monotonicNow)
            feed.covered = Set(items.map(\.watched.watch))
            if let page = reading.beginning {
                feed.list.memory = ListMemory(page, of: feed.list.list)
            }
            polled?.feeds[project] = feed
        } catch {
            await take(error, watch: nil)
        }
    }

    /// The feed as it is known; begun anew with each day, and for an item that was not looked for there before.
    private func openFeed(of project: ProjectID, for items: [PolledItem], client: GitLabClient) -> ProjectFeed {
        let day = ProjectFeed.day(at: context.time.wallNow)
        if let feed = polled?.feeds[project], feed.day == day,
            items.allSatisfy({ feed.covered.contains($0.watched.watch) })
        {
            return feed
        }
        let list = client.list(.projectEvents(project, after: day))
        return ProjectFeed(day: day, list: PolledList(list: list, seen: SeenIDs()))
    }

    /// The items of which everything needed is known; the others wait for the next cycle.
    private func readOrigins(of items: [PolledItem]) async -> [PolledItem] {
        guard let client = polled?.reader.client else { return [] }
        for item in items where item.origin == nil {
            do throws(GitLabError) {
                try await gate.admit()
                item.origin = ItemOrigin(try await client.item(item.watched.item))
                gate.noteSuccess()
            } catch {
                gate.noteFailure(error)
                await take(error, watch: item.watched.watch)
            }
        }
        return items.filter { $0.origin != nil }
    }

    /// Commits what the feed says of each item; false when the store refused, so that the rows are read again.
    private func commit(_ reading: ListReading<EventsScan>, to items: [PolledItem]) async -> Bool {
        var isComplete = true
        for item in items where !reading.scan.found.isEmpty {
            guard let commit = makeCommit(reading, for: item), !commit.isEmpty else { continue }
            if await !store(commit, of: item) { isComplete = false }
        }
        return isComplete
    }

    private func makeCommit(_ reading: ListReading<EventsScan>, for item: PolledItem) -> FactCommit? {
        guard let rules = polled?.rules, let origin = item.origin else { return nil }
        let moment = moment(of: reading.serverTime, for: item)
        let coveredBefore = coveredBefore(moment.now, item)
        var commit = FactCommit(account: id, watch: item.watched.watch)
        commit.kinds = judgedKinds
        commit.serverTime = reading.serverTime
        for event in reading.scan.found.reversed() where event.concerns(item.watched.item, origin) {
            if let note = event.comment?.note.id {
                guard !item.notes.seen.ids.contains(note) else { continue }
                commit.advance.notes.append(note)
            }
            context.metrics.count(.eventsMatched, of: id)
            // Where it stands in for a list that was not there when the watch began, it tells of no more than that list would.
            let begun = event.isComment ? item.beginning.notesSince : item.beginning.stateEventsSince
            let since = moment.notBefore(begun)
            let candidate = rules.candidate(event, on: item.watched, origin, at: since, coveredBefore: coveredBefore)
            if let candidate { commit.candidates.append(candidate) }
        }
        return commit
    }

    /// What happened before was read from the item's own lists, or lay before the watch. Late rows are allowed for.
    private func coveredBefore(_ serverNow: WallTime, _ item: PolledItem) -> WallTime {
        let now = context.time.monotonicNow
        let complete = item.completeAt.advanced(by: .zero - context.configuration.overlap)
        return serverNow.advanced(by: .zero - max(complete, item.watchedAt).duration(to: now))
    }
}

extension ItemOrigin {
    init(_ details: ItemDetails) {
        let isFork = details.sourceProjectID.map { $0 != details.projectID } ?? false
        sourceBranch = isFork ? nil : details.sourceBranch
        openedAt = details.createdAt
    }
}
