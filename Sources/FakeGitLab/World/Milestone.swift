import Platform

/// One milestone of a project.
struct Milestone: Sendable {
    let id: Int64
    let iid: Int64
    let project: Int
    let createdAt: WallTime
    var title: String
    var description = ""
    /// The last day; nil for none.
    var dueDate: CivilDate?
    /// The first day; nil for none.
    var startDate: CivilDate?
    var isClosed = false
    var isDeleted = false
    var updatedAt: WallTime
    /// Whether its due date has passed by the instance's calendar (supplement §4).
    var isExpired = false
}

/// Milestones and the calendar.
extension InstanceState {
    /// The instance's day.
    func today(at now: WallTime) -> CivilDate {
        let civil = CivilDate(now, offsetSeconds: configuration.timeZoneOffsetSeconds)
        return CivilDate(year: civil.year, month: civil.month, day: civil.day)
    }

    /// Adds a milestone with the next iid; its title is free.
    mutating func insertMilestone(_ title: String, in project: Int, at now: WallTime) -> Int {
        let milestone = Milestone(
            id: sequences.next(.milestone),
            iid: Int64(milestones.count { $0.project == project } + 1),
            project: project,
            createdAt: now,
            title: title,
            updatedAt: now
        )
        milestones.append(milestone)
        return milestones.count - 1
    }

    /// Milestones whose day has passed are expired from midnight on, wherever they are shown.
    mutating func expireMilestones(at now: WallTime) {
        let today = today(at: now).wallTime()
        var next = WallTime.distantFuture
        for index in milestones.indices {
            guard let due = milestones[index].dueDate else {
                milestones[index].isExpired = false
                continue
            }
            milestones[index].isExpired = due.wallTime() < today
            guard !milestones[index].isExpired else { continue }
            let midnight = due.wallTime(offsetSeconds: configuration.timeZoneOffsetSeconds).advanced(by: .days(1))
            next = min(next, midnight)
        }
        nextMilestoneExpiry = next
        invalidateEverything()
    }

    /// Deletes a milestone: items lose it, its events stay with a null milestone.
    mutating func deleteMilestone(_ milestone: Int, at now: WallTime) {
        milestones[milestone].isDeleted = true
        for item in items.indices where items[item].row.current.milestone == milestone {
            change(item, at: now) { $0.milestone = nil }
        }
        invalidateEverything()
    }
}
