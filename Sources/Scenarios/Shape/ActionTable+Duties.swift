extension ActionForm {
    private static let dutyFields: [Field] = [
        .oneActor, Field("duty", .notation(.name), isRequired: true, "Which duty of the world."),
        Field("device", .notation(.device), "On which device; the one that they have in hand by default."),
    ]

    /// What of a duty can be changed; one of these at least.
    static let editFields = [
        Field("time", .notation(.timeOfDay), "When it is due, by the clocks of its zone."),
        Field("zone", .oneOf(QuietHours.Zone.self), "Whose clocks show that."),
        Field("mode", .oneOf(WorldDuty.Mode.self), "How people take turns."),
        Field("leadHours", .integer(0...336), "So long before it is due its person is reminded; 0 for never."),
        Field("escalates", .boolean, "Whether its person is asked for it when it is due."),
    ]

    /// What people do in turn.
    static let onDuties: [ActionForm] = [
        duty(.completeDuty, "Does what is due next, as the device knows it.") { _ in .complete },
        duty(.skipDuty, "Leaves it out.") { _ in .skip },
        duty(
            .giveDuty,
            "Gives it to somebody else who takes part.",
            [Field("user", .namedPerson, isRequired: true, "Whose it is then.")]
        ) { .give(to: try $0.user) },
        duty(.joinDuty, "Takes part from now on, by a code that one who does shows them.") { _ in .join },
        duty(.leaveDuty, "Takes part no longer.") { _ in .leave },
        duty(.stopDuty, "Ends it for everybody who takes part.") { _ in .stop },
        duty(.editDuty, "Changes something about it for everybody who takes part.", editFields) { .edit($0.edit) },
        duty(
            .addDutyMember,
            "Lets somebody take part who does not use the notifier, and was never in it.",
            [Field("user", .namedPerson, isRequired: true, "Who takes part by name alone.")]
        ) { .add(try $0.user) },
        duty(
            .removeDutyMember,
            "Lets somebody who was added by name take part no longer.",
            [Field("user", .namedPerson, isRequired: true, "Who is let go.")]
        ) { .remove(try $0.user) },
        duty(
            .muteDuty,
            "Mutes it for themselves for a while; the others hear of it as ever.",
            [Field("for", .length, isRequired: true, "How long it tells them nothing.")]
        ) { .mute(length: try $0.length) },
        duty(.unmuteDuty, "Ends that mute.") { _ in .unmute },
    ]

    private static func duty(
        _ kind: ActionKind,
        _ summary: String,
        _ parameters: [Field] = [],
        deed: @escaping @Sendable (ActionDetails) throws -> DutyAction
    ) -> ActionForm {
        ActionForm(kind, summary, .duty, dutyFields + parameters) { details in
            .duty(try deed(details), try details.duty, by: try details.person, device: details.device)
        }
    }
}
