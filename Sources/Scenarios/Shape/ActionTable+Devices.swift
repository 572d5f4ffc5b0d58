import Platform

extension ActionForm {
    /// What happens to devices.
    static let onDevices: [ActionForm] = [
        ActionForm(
            .openApp,
            "The person opens the app, which asks for news as long as it is in the foreground.",
            .device,
            [.oneActor, .device, Field("for", .length, "How long it stays there; a minute unless said.")]
        ) { .device(.openApp(for: $0.optionalLength ?? .minutes(1)), by: try $0.person, device: $0.device) },
        ActionForm(.closeApp, "The app leaves the foreground.", .device, [.oneActor, .device]) {
            .device(.closeApp, by: try $0.person, device: $0.device)
        },
        ActionForm(.killApp, "The system ends the app where it stands.", .device, [.oneActor, .device]) {
            .device(.killApp, by: try $0.person, device: $0.device)
        },
        ActionForm(
            .quitApp,
            "The person closes the app for good: no silent push and no refresh wakes it before they open it.",
            .device,
            [.oneActor, .device]
        ) { .device(.quitApp, by: try $0.person, device: $0.device) },
        ActionForm(
            .deviceClock,
            "A device's wall clock is off from now on, and so is the time of what is chosen and read there.",
            .device,
            [
                .oneActor, .device,
                Field("offset", .notation(.signedDuration), "How far it is ahead; right again unless said."),
            ]
        ) { .device(.clock(offset: $0.optionalLength ?? .zero), by: try $0.person, device: $0.device) },
        ActionForm(.deviceOffline, "A device loses its network.", .device, [.oneActor, .device]) {
            .device(.offline, by: try $0.person, device: $0.device)
        },
        ActionForm(.deviceOnline, "A device is back on the network.", .device, [.oneActor, .device]) {
            .device(.online, by: try $0.person, device: $0.device)
        },
        ActionForm(
            .powerSavingOn,
            "A device saves power: silent pushes wait at APNs, and no app refreshes in the background.",
            .device,
            [.oneActor, .device]
        ) { .device(.powerSavingOn, by: try $0.person, device: $0.device) },
        ActionForm(.powerSavingOff, "A device saves no power any more.", .device, [.oneActor, .device]) {
            .device(.powerSavingOff, by: try $0.person, device: $0.device)
        },
        ActionForm(
            .deviceReplace,
            "The person sets up a new device; the old token dies.",
            .device,
            [.oneActor, .device]
        ) { .device(.replace, by: try $0.person, device: $0.device) },
        ActionForm(
            .pushTokenChange,
            "The app gets another push token and keeps its session, as from a backup or when a build is installed over it.",
            .device,
            [
                .oneActor, .device,
                Field("environment", .oneOf(Device.Environment.self), "That of the new build; as before unless said."),
            ]
        ) { .device(.changePushToken(to: $0.environment), by: try $0.person, device: $0.device) },
        ActionForm(
            .pairDevice,
            "A device joins by the code that another device of the person shows.",
            .device,
            [.oneActor, .namedDevice]
        ) { .device(.pair, by: try $0.person, device: $0.device) },
        ActionForm(.removeDevice, "The person removes a device on another one.", .device, [.oneActor, .namedDevice]) {
            .device(.remove, by: try $0.person, device: $0.device)
        },
        ActionForm(.appRemove, "The app is deleted from a device.", .device, [.oneActor, .device]) {
            .device(.removeApp, by: try $0.person, device: $0.device)
        },
        ActionForm(.notificationsOff, "Notifications are switched off on a device.", .device, [.oneActor, .device]) {
            .device(.notificationsOff, by: try $0.person, device: $0.device)
        },
        ActionForm(.notificationsOn, "Notifications are switched on again.", .device, [.oneActor, .device]) {
            .device(.notificationsOn, by: try $0.person, device: $0.device)
        },
        ActionForm(
            .pushesOff,
            "The person wants no pushes on a device; the app there tells the notifier, and goes on fetching.",
            .device,
            [.oneActor, .device]
        ) { .device(.pushes(false), by: try $0.person, device: $0.device) },
        ActionForm(.pushesOn, "The person wants pushes on a device again.", .device, [.oneActor, .device]) {
            .device(.pushes(true), by: try $0.person, device: $0.device)
        },
    ]
}
