import FakeAPNs
import NotifierKit
import Platform
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// How the person opens and closes the app, and what it does by itself.
extension PersonApp {
    /// The person opens the app for a while. It asks Apple for its token at every launch and tells the server if that is news, or if the server
    /// pushes nothing there (APNs facts §10); and it asks for news as long as it is in the foreground.
    func openApp(on index: Int, for length: Duration) {
        let device = devices[index]
        guard hasServer, device.hasApp, device.app.hasPower else { return }
        devices[index].openings += 1
        devices[index].lastOpened = recorder.now
        device.app.open()
        if device.isOnline, !device.isRemoved, device.serverID != nil { registerDevice(index) }
        likeness.begin()
        dutyWatch.begin()
        let opening = devices[index].openings
        simulation.schedule(after: length) { [weak self] in
            guard let self, devices[index].openings == opening else { return }
            closeApp(on: index)
        }
    }

    /// The app leaves the foreground.
    func closeApp(on index: Int) {
        devices[index].openings += 1
        devices[index].app.close()
    }

    /// The system ends the app where it stands.
    func killApp(on index: Int) {
        devices[index].openings += 1
        devices[index].app.kill()
    }

    /// The person closes the app for good.
    func quitApp(on index: Int) {
        guard devices[index].hasApp else { return }
        devices[index].openings += 1
        devices[index].app.quit()
    }

    /// The person goes through the screens of the app, on the device on which they do everything.
    func browse() {
        run { [self] in
            let device = devices[home]
            guard device.hasApp, device.isOnline else { return }
            await ScreenTour(of: self, on: device).walk()
        }
    }

    /// A program of theirs tries the API, which nothing else that they do has to wait for; but for some seconds in which it joins by a code.
    func fuzzAPI() {
        guard hasServer else { return }
        apiFuzzes += 1
        let number = apiFuzzes
        guard let fuzz = APIFuzz(of: self, on: devices[home], number: number) else { return }
        node.start { await fuzz.run() }
        run { [self] in
            guard let shown = UsedUpSecrets(of: self, on: devices[home], number: number) else { return }
            await shown.run()
        }
    }

    /// Another app of theirs begins sign-ins that come to no end, which nothing else that they do has to wait for.
    func refuseSignIns() {
        guard hasServer else { return }
        refusedSignIns += 1
        let trial = RefusedSignIns(of: self, number: refusedSignIns)
        node.start { await trial.run() }
    }

    /// The device is on the network again. The app on a Mac runs all the time and fetches soon. iOS starts none for that: it comes to it when the
    /// system thinks fit, or its person opens it.
    func backOnline(_ index: Int) {
        let device = devices[index]
        guard device.hasApp, !device.app.isQuit else { return }
        if device.platform == .macos { catchUp(index) } else { refreshLater(index, device.app) }
    }

    private func refreshLater(_ index: Int, _ app: DeviceApp) {
        let departures = app.departures
        simulation.schedule(after: app.drawRefreshPause()) { [weak self] in
            // It may have been replaced meanwhile, or have been away again; then it is for its last return to say.
            guard let self, devices[index].app === app, app.departures == departures, !app.isQuit else { return }
            if app.mayRunInBackground { catchUp(index) } else { refreshLater(index, app) }
        }
    }

    /// The app fetches in the background what it has not seen, unless it was deleted.
    func catchUp(_ index: Int) {
        run { [self] in
            let device = devices[index]
            guard device.hasApp, !device.app.isInForeground else { return }
            await device.app.refresh()
        }
    }

    /// The battery of a device is empty.
    func losePower(on index: Int, _ fate: UnsyncedWrites?) {
        devices[index].openings += 1
        fleet.goOffline(devices[index].id)
        devices[index].app.losePower(fate)
    }

    /// It was charged.
    func regainPower(on index: Int) {
        let device = devices[index]
        device.app.regainPower(hasApp: device.hasApp)
        guard device.isOnline else { return }
        fleet.comeOnline(device.id)
        backOnline(index)
    }

    /// The person marks as read what they were told about an item, in the app, which is started for it when it is not there.
    func markRead(_ item: ItemReference) {
        choose(.read(item), isDatedByDevice: true) { [self] in
            let device = devices[home]
            if device.hasApp, device.app.hasPower { device.app.startedByPerson() }
            return await device.app.markRead(item)
        }
    }

    /// Something is about to be seen on one of the devices.
    func arrived(_ event: DeviceEvent, present: @escaping @Sendable () -> Void) {
        guard let device = devices.first(where: { $0.id == event.device }) else { return present() }
        device.app.arrived(event, present: present)
    }

    /// A silent push has come to one of the devices.
    func woken(_ event: DeviceEvent) {
        guard let device = devices.first(where: { $0.id == event.device }), device.hasApp else { return }
        device.app.woken()
    }

    /// The world is over: whatever was chosen and has no answer waits on its device.
    func judgeWaiting() {
        for device in devices {
            let canSend =
                device.hasApp && !device.isRemoved && device.isOnline && device.api.isSignedIn
                && device.app.mayRunInBackground
            // What an app could not keep, as it said, and finds when it reads its store again, it does not send before.
            if canSend {
                device.app.choices.noteUnanswered(device.app.memory.sync, reachableSince: device.app.onlineSince)
            }
            do {
                if let kept = try device.app.disk?.read() { device.app.memory.keep(kept) }
            } catch {
                device.app.choices.unreadable("\(error)")
            }
            device.app.choices.finish(device.app.memory.sync)
        }
    }

    /// Gives the memory of their disks back.
    func discardDisks() {
        for device in devices { device.app.disk?.discard() }
    }

    /// Ends what runs on the devices.
    func stopApps() {
        for device in devices { device.app.process?.node.stop() }
    }
}

extension Recorder {
    /// The app has read these from the server: the person can know of them.
    func noteRead(_ factKeys: [String], by person: Username, on device: DeviceName) {
        let wasRemoved =
            !record.deviceSpans.contains {
                $0.person == person && $0.device == device && $0.endedAt == nil
            } && record.deviceSpans.contains { $0.person == person && $0.device == device }
        let isRemoved = people?(person)?.devices.first { $0.name == device }?.isRemoved ?? true
        if wasRemoved, isRemoved { violate(.removedDeviceUsed, "a removed device read the feed") }
        guard !factKeys.isEmpty else { return }
        record.catchUps.append(CatchUpRecord(person: person, device: device, at: now, factKeys: factKeys))
    }

    /// The app is up to date, shows that number, and lists that many.
    func noteBadge(_ count: Int, listing listed: Int?, of person: Username, on device: DeviceName) {
        guard record.badges.count < RunLimits.badges else { return }
        record.badges.append(BadgeRecord(at: now, person: person, device: device, count: count, listed: listed))
    }

    /// An app lists a notification in these words.
    func noteListed(_ words: PayloadReader.Words, of person: Username, on device: DeviceName) {
        noteListed(
            .notification(words.notificationID),
            id: words.notificationID,
            title: words.title,
            text: words.body,
            address: words.address,
            of: person,
            on: device
        )
    }

    /// An app lists something of that id, whose words are noted once for each person.
    func noteListed(
        _ subject: ListedTextRecord.Subject,
        id: String,
        title: String,
        text: String,
        address: String?,
        of person: Username,
        on device: DeviceName
    ) {
        guard record.listedTexts.count < RunLimits.listedTexts, listedIDs.insert("\(person.text) \(id)").inserted else {
            return
        }
        var listed = ListedTextRecord(
            at: now,
            person: person,
            device: device,
            subject: subject,
            title: record.pool.pooled(title),
            text: text,
            address: address.map { record.pool.pooled($0) }
        )
        listed.text = record.pool.pooled(listed.text)
        record.listedTexts.append(listed)
    }

    /// Two stand on a device's screen of which one reminds of what the other tells.
    func noteDouble(
        _ standing: PushContent,
        and new: PushContent,
        of person: Username,
        on device: DeviceName
    ) {
        guard record.screenDoubles.count < RunLimits.violations else { return }
        record.screenDoubles.append(
            ScreenDoubleRecord(at: now, person: person, device: device, standing: standing, new: new)
        )
    }

    /// The app shows something by itself, which no push had brought.
    func noteShown(_ content: PushContent, on device: DeviceID) {
        pushWatch.note(shown: content, on: device, at: now, in: &record)
    }
}
