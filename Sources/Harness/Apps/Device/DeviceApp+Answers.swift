import NotifierKit
import Scenarios
import Verdict

/// What the app asks for its session, and what answers to it say of the notifier itself.
extension DeviceApp {
    /// What the app asks, where it is for other tokens.
    func noteRefresh(_ request: TransportRequest) {
        guard RefreshWatch.isAbout(request) else { return }
        refreshWatch.sends(Array(request.body), at: surroundings.recorder.now)
    }

    /// What an answer to a refresh says of the notifier.
    func judgeRefresh(_ request: TransportRequest, _ status: Int, _ body: [UInt8]) {
        guard RefreshWatch.isAbout(request) else { return }
        let recorder = surroundings.recorder
        let finding = refreshWatch.hears(status, body, to: Array(request.body), at: recorder.now)
        recorder.note(finding, of: surroundings.person)
    }

    /// What a damaged disk has kept may have any form.
    func heardForm(_ body: [UInt8], _ status: Int, _ request: TransportRequest) {
        let recorder = surroundings.recorder
        guard let complaint = WellFormedRequests.complaint(about: body, status: status, to: request),
            !recorder.hasSeenFault(at: [.clock, .device])
        else { return }
        recorder.violate(.apiMishandled, "the app of \(surroundings.person) on \(surroundings.device) \(complaint)")
    }
}
