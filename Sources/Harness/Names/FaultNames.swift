import FakeAPNs
import FakeGitLab
import Scenarios
import Simulation

extension LinkFault {
    /// The same fault as the simulation names it.
    var inSimulation: Simulation::LinkFault.Kind {
        switch self {
        case .latency(let table): .latency(table)
        case .refuse: .refuse
        case .stallBeforeFirstByte(let stall): .stallBeforeFirstByte(stall)
        case .stallInBody(let stall): .stallInBody(stall)
        case .resetBefore: .resetBeforeServer
        case .resetAfter: .resetAfterServer
        case .truncate: .truncateBody
        case .slowBody(let rate): .slowBody(bytesPerSecond: Int64(rate))
        }
    }
}

extension RowChange {
    /// The same change as the fake names it.
    var inGitLab: MemberChange {
        switch self {
        case .newMembers: .added
        case .otherTimes: .otherTimes
        case .otherWords: .otherWords
        case .leftOut: .leftOut
        case .otherType: .otherType
        }
    }
}

extension OutageMode {
    /// The same guise as the fake names it.
    var inGitLab: FakeGitLab::OutageMode {
        switch self {
        case .text502: .workhorseBadGateway
        case .html502: .proxyBadGateway
        case .json503: .unavailable
        case .json500: .internalError
        case .html200: .loginPage
        case .hang: .hang
        case .truncatedJSON: .truncatedBody
        case .json401: .unauthorized
        case .json403: .forbidden
        case .maintenance: .maintenance
        case .readOnly: .readOnly
        }
    }
}
