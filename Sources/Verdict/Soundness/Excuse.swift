/// Why something may be missed although the notifier did all it could.
package enum Excuse {
    /// Causes of misses that are no flaw, with the reason. Every other cause is one.
    package static let reasons = [
        MissCause.neverReadable.code: "GitLab never showed it while the person was allowed to see it",
        MissCause.tokenDead.code: "GitLab let the notifier read nothing in the person's name until the end",
        MissCause.noActiveDevice.code:
            "all the person's devices were removed, or their tokens ended, before it could be sent",
        MissCause.refusedByFault(id: "", reason: "").code: "APNs said that it is not to be sent again",
        MissCause.lostInAPNs(id: "").code: "APNs had taken it, and promises no more than its best effort",
        MissCause.deadToken.code: "APNs had ended the device's token, and no other device was left",
        MissCause.overwrittenInMailbox.code:
            "APNs keeps one push for a device that is away, and a later one took its place",
        MissCause.expiredInMailbox.code: "the device stayed away for longer than news is useful",
        MissCause.notificationsOff.code: "the person had switched notifications off",
        MissCause.appRemoved.code: "the app was no longer on the device",
        MissCause.deviceAway.code: "the device never came back",
    ]
}

extension MissCause {
    /// Whether it is no flaw that something was missed by it.
    var isExcused: Bool { Excuse.reasons[code] != nil }
}
