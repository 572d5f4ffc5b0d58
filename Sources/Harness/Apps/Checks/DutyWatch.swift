import Duties
import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// Writes down, once a minute, what a person's open apps show of duties. It judges nothing.
///
/// Unchecked: simulation thread.
final class DutyWatch: @unchecked Sendable {
    private static let interval = Duration.minutes(1)

    private weak var person: PersonApp?
    private var isRunning = false
    /// The place in the record of what each device showed last of a duty, while it could be judged.
    private var last: [String: Int] = [:]

    init(of person: PersonApp) { self.person = person }

    /// Looks from now on, as long as an app of theirs is open.
    func begin() {
        guard let person, !isRunning, !person.recorder.record.resolved.scenario.world.duties.isEmpty else { return }
        isRunning = true
        person.node.start { [self] in
            defer { isRunning = false }
            while person.devices.contains(where: { $0.app.isInForeground }) {
                do { try await person.node.clock.sleep(for: Self.interval) } catch { return }
                for device in person.devices { look(at: device, of: person) }
            }
            last = [:]
        }
    }

    private func look(at device: PersonApp.DeviceState, of person: PersonApp) {
        let recorder = person.recorder
        for duty in recorder.record.resolved.scenario.world.duties {
            let key = "\(device.name) \(duty.name)"
            guard device.isSettled(at: recorder.now) else {
                last[key] = nil
                continue
            }
            let look = look(at: device, of: person, duty)
            if let place = last[key], recorder.record.dutyLooks[place].isSame(as: look) {
                recorder.record.dutyLooks[place].until = recorder.now
            } else if recorder.record.dutyLooks.count < RunLimits.dutyLooks {
                last[key] = recorder.record.dutyLooks.count
                recorder.record.dutyLooks.append(look)
            }
        }
    }

    private func look(at device: PersonApp.DeviceState, of person: PersonApp, _ duty: WorldDuty) -> DutyLook {
        let (app, now) = (device.app, person.recorder.now)
        let troubled = app.lastTrouble.map { $0 + LikenessCheck.longestPause } ?? .zero
        var look = DutyLook(
            person: person.username,
            device: device.name,
            duty: duty.name,
            at: now,
            settledAt: max(device.lastOpened, device.signedInAt, app.onlineSince, troubled)
        )
        let rota = app.memory.sync.shown.rota
        guard let whole = rota.duty(duty.id) else { return look }
        let turns = app.turns(of: duty).prefix(RunLimits.dutyTurns)
        let told = whole.occurrences.prefix(RunLimits.dutyTurns)
        (look.turns, look.dueAt) = (turns.compactMap { Self.turn($0, whole) }, turns.map(Self.second))
        (look.told, look.toldDueAt) = (told.compactMap { Self.turn($0, whole) }, told.map(Self.second))
        let occurrences = Set(whole.occurrences.map(\.id))
        let ends = rota.ends.values.filter { occurrences.contains($0.occurrenceId) }.map(\.completionId)
        let gifts = rota.gifts.values.filter { occurrences.contains($0.occurrenceId) }.map(\.reassignmentId)
        look.events = (ends + gifts).map(\.description).sorted()
        return look
    }

    private static func second(_ turn: SharedDuty.Turn) -> Int64 { Int64(turn.dueAt.timeIntervalSince1970) }

    private static func turn(_ turn: SharedDuty.Turn, _ duty: SharedDuty) -> DutyLook.Turn? {
        DutyLook.Status(rawValue: turn.status).map { status in
            let assignee = duty.member(turn.assignee).flatMap { Username($0.name) }
            return DutyLook.Turn(index: turn.index, assignee: assignee, status: status)
        }
    }
}
