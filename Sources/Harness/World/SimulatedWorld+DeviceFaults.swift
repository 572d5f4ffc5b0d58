import Platform
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// What goes wrong with people's devices.
extension SimulatedWorld {
    /// Traps for a fault that strikes no device.
    func beginOnDevice(_ fault: Fault) {
        guard let struck = fault.effect.device else { preconditionFailure("\(fault.kind.rawValue) strikes no device") }
        let person = person(struck.person)
        guard person.hasServer, let index = person.devices.firstIndex(where: { $0.name == struck.device }) else {
            return
        }
        switch fault.effect {
        case .devicePowerLoss(_, 0, let keeps): losePower(index, of: person, fault.length, keeps)
        case .devicePowerLoss(_, let occurrence, let keeps): arm(fault, index, of: person, occurrence, keeps)
        case .deviceDiskFull: failDisk(index, of: person, .full, fault)
        case .deviceDiskError(_, let action, let ratio): failDisk(index, of: person, .failing(action, ratio), fault)
        case .deviceTokenExpired: person.expireToken(on: index)
        default: damageBlock(index, of: person)
        }
    }

    /// Off until the last of such faults is over, where they overlap.
    private func losePower(_ index: Int, of person: PersonApp, _ length: Duration, _ keeps: KeptWrites) {
        let app = person.devices[index].app
        if app.hasPower {
            recorder.reach(.devicePowerLost)
            person.losePower(on: index, keeps.inSimulation)
        }
        app.offUntil = max(app.offUntil, recorder.now + length)
        simulation.schedule(after: length) { [recorder] in
            // It may have been replaced meanwhile.
            guard recorder.now >= app.offUntil, !app.hasPower, person.devices[index].app === app else { return }
            person.regainPower(on: index)
        }
    }

    /// The battery dies in the middle of that operation of the disk, unless the device would not be on again when the scenario is over: the plan
    /// cannot say when that time comes.
    private func arm(_ fault: Fault, _ index: Int, of person: PersonApp, _ occurrence: Int, _ keeps: KeptWrites) {
        let last = plan.scenario.duration - fault.length
        person.devices[index].app.disk?.arm(occurrence: occurrence) { [unowned self, unowned person] in
            if recorder.now <= last { losePower(index, of: person, fault.length, keeps) }
        }
    }

    private func failDisk(_ index: Int, of person: PersonApp, _ disk: DiskFault, _ fault: Fault) {
        let device = person.devices[index].app.disk
        device?.begin(fault.id, disk)
        after(fault) { device?.end(fault.id) }
    }

    private func damageBlock(_ index: Int, of person: PersonApp) {
        person.killApp(on: index)
        let device = person.devices[index]
        device.app.choices.isSpoilt = true
        device.app.disk?.damageBlock()
        if device.hasApp { device.app.reopen() }
    }
}

extension ResolvedScenario {
    /// Which devices of somebody a fault of the plan strikes; one of its token leaves alone what is kept there.
    func struckDevices(of person: Username) -> Set<DeviceName> {
        let struck = steps.compactMap { step -> OwnedDevice? in
            guard case .fault(let fault) = step.event, fault.kind != .deviceTokenExpired else { return nil }
            return fault.effect.device
        }
        return Set(struck.filter { $0.person == person }.map(\.device))
    }
}
