import FoundationEssentials
import NotifierKit

/// `settings`, `devices`, `pair` and `test`.
extension Terminal {
    func settings() async throws {
        _ = try await signedIn()
        let change = try settingsChange()
        let settings =
            change == SettingsChange() ? try await client.settings() : try await client.changeSettings(change)
        give(settings)
        say("time zone    \(TerminalText.line(settings.timeZone))")
        let windows = settings.quietHours.map { window in
            let days = window.days.map { $0.count == 7 ? "" : $0.joined(separator: ",") + "@" } ?? ""
            return "\(days)\(window.from)-\(window.until)"
        }
        say("quiet hours  \(windows.isEmpty ? "none" : windows.joined(separator: " "))")
        if let end = settings.quietUntil { say("             quiet now, until \(WireCoding.instant(end).prefix(16))Z") }
        say("urgent       \(settings.urgentBypass ? "on" : "off")")
        say("auto-watch   \(settings.autoWatch ? "on" : "off")")
        say("mirror       \(settings.mirrorSubscriptions ? "on" : "off")")
        say("reminders    \(settings.reminders ? "on" : "off")")
        say("due dates    \(settings.dueReminders ? "\(settings.dueLeadHours) h before" : "off")")
        say("kinds        \(settings.kinds.joined(separator: ","))")
    }

    private func settingsChange() throws -> SettingsChange {
        var change = SettingsChange()
        change.timeZone = arguments["--time-zone"]
        change.urgentBypass = try arguments.choice("--urgent")
        change.autoWatch = try arguments.choice("--auto-watch")
        change.mirrorSubscriptions = try arguments.choice("--mirror")
        change.reminders = try arguments.choice("--reminders")
        change.dueReminders = try arguments.choice("--due-reminders")
        if let hours = arguments["--due-lead-hours"] {
            guard let number = Int(hours) else {
                throw TerminalError.usage("\"\(hours)\" is not a number of hours", hint: "a whole number, such as 15")
            }
            change.dueLeadHours = number
        }
        change.kinds = arguments["--kinds"]?.split(separator: ",").map(String.init)
        let windows = arguments.all("--quiet-hours")
        if windows == ["none"] {
            change.quietHours = []
        } else if !windows.isEmpty {
            change.quietHours = try windows.map { text throws(TerminalError) in try Self.window(text) }
        }
        return change
    }

    /// `22:00-07:00`, or with days before it: `mon,tue@22:00-07:00`. What is a time of day, the server knows.
    private static func window(_ text: String) throws(TerminalError) -> QuietWindow {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        let times = (parts.last ?? "").split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, times.count == 2 else {
            throw .usage(
                "\"\(text)\" is not a window of quiet hours",
                hint: "22:00-07:00, or mon,tue@18:00-24:00, or none alone"
            )
        }
        let days = parts.count == 2 ? parts[0].split(separator: ",").map(String.init) : nil
        return QuietWindow(days: days, from: times[0], until: times[1])
    }

    private struct Devices: Encodable {
        var devices: [RegisteredDevice]
    }

    func devices() async throws {
        _ = try await signedIn()
        var devices = try await client.devices()
        if let text = arguments["--remove"] {
            let found = devices.filter { $0.deviceId.hasPrefix(text.lowercased()) }
            guard text.utf8.count >= 4, let device = found.first, found.count == 1 else {
                throw TerminalError(.refused, "device_not_found", "No one device of yours begins with \(text).")
            }
            try await client.removeDevice(device.deviceId)
            devices.removeAll { $0.deviceId == device.deviceId }
        }
        give(Devices(devices: devices))
        for device in devices {
            let name = TerminalText.line(device.name ?? device.platform)
            let own = device.isCurrent ? style.accent("  this one") : ""
            say(
                "\(style.faint(String(device.deviceId.prefix(8))))  \(style.strong(name))  \(device.platform), \(device.state)\(own)"
            )
        }
        if devices.isEmpty { say("No devices.") }
    }

    func pair() async throws {
        _ = try await signedIn()
        let code = try await client.startPairing()
        give(code)
        say("\(style.strong(TerminalText.line(code.pairingCode)))  for one device, for five minutes")
    }

    func test() async throws {
        _ = try await signedIn()
        let answer = try await client.sendTest()
        give(answer)
        say("A test is on its way to \(answer.targetDevices) of your devices.")
    }
}
