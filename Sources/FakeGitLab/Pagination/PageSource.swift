/// What a page is made from: it stays as it is until this changes.
enum PageSource: Hashable, Sendable {
    case item(Int)
    case notes(Int)
    case stateEvents(Int)
    case labelEvents(Int)
    case milestoneEvents(Int)
    case pipelines(Int)
    case todos(Int)
    case allItems
    case projectItems(Int)
    case projectEvents(Int)
    /// Only names, roles and the version.
    case account
}

extension InstanceState {
    /// Grows with every change of the source.
    func version(of source: PageSource) -> Int64 {
        switch source {
        case .item(let item): items[item].clock.version
        case .notes(let item): items[item].notes.clock.version
        case .stateEvents(let item): items[item].stateEvents.clock.version
        case .labelEvents(let item): items[item].labelEvents.clock.version
        case .milestoneEvents(let item): items[item].milestoneEvents.clock.version
        case .pipelines(let item): items[item].pipelines.clock.version
        case .todos(let person): people[person].todos.clock.version
        case .allItems: itemClock.version
        case .projectItems(let project): projects[project].itemClock.version
        case .projectEvents(let project): projects[project].events.clock.version
        case .account: 0
        }
    }

    func clock(of source: PageSource) -> ListClock {
        switch source {
        case .item(let item): items[item].clock
        case .notes(let item): items[item].notes.clock
        case .stateEvents(let item): items[item].stateEvents.clock
        case .labelEvents(let item): items[item].labelEvents.clock
        case .milestoneEvents(let item): items[item].milestoneEvents.clock
        case .pipelines(let item): items[item].pipelines.clock
        case .todos(let person): people[person].todos.clock
        case .allItems: itemClock
        case .projectItems(let project): projects[project].itemClock
        case .projectEvents(let project): projects[project].events.clock
        case .account: ListClock()
        }
    }
}
