import Platform

/// Decides whether further bytes of GitLab's answers may be held. All accounts share one room, so that however many of them are
/// answered by a GitLab that means harm, the server's memory has a bound.
///
/// Half of the room is for whoever needs much: there an account may hold as much as it leaves free of that half. The other half is for
/// small holdings alone, of which it has room for sixty-four, in whatever order their accounts come. So nobody waits here, and sixty
/// accounts that take all they can get leave the next one enough for an ordinary page.
struct ResponseRoom: Sendable {
    /// So many small holdings fit into the half that is theirs.
    static let smallHoldings = 64

    let capacity: Int
    private(set) var held = 0
    private var heldByAccount: [AccountID?: Int] = [:]

    /// - Parameter capacity: in bytes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes room for an account; nil stands for those who are not polled. False, and nothing is taken, when there is not enough.
    mutating func take(_ bytes: Int, for account: AccountID?) -> Bool {
        let own = heldByAccount[account, default: 0]
        guard bytes <= capacity else { return false }
        let (ownThen, heldThen) = (own + bytes, held + bytes)
        let limit = ownThen <= half / Self.smallHoldings ? capacity : half - ownThen
        guard heldThen <= limit else { return false }
        held = heldThen
        heldByAccount[account] = ownThen
        return true
    }

    private var half: Int { capacity / 2 }

    /// Gives room back that was taken for the account. Traps when it is more than that.
    mutating func giveBack(_ bytes: Int, of account: AccountID?) {
        let own = heldByAccount[account, default: 0] - bytes
        precondition(own >= 0, "an account gives back more room than it has")
        held -= bytes
        heldByAccount[account] = own > 0 ? own : nil
    }
}
