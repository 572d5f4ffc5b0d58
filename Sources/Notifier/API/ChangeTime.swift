import HTTP
import Platform

/// When a person made a change, as the device that made it says. A device that was offline sends changes late; the one
/// made last wins, whichever arrives last.
enum ChangeTime {
    /// The instant in `text`, or now without one. A device whose clock runs ahead cannot outdo later changes: what lies in the
    /// future counts as now.
    ///
    /// - Throws: `APIError.invalidField` for a text that is no instant.
    static func read(_ text: String?, at now: WallTime) throws(APIError) -> WallTime {
        guard let time = try said(text) else { return now }
        return min(time, now)
    }

    /// The instant in `text`, by whatever clock the device has; nil without one. Of two requests it tells whether they are about the same choice.
    ///
    /// - Throws: As ``read(_:at:)``.
    static func said(_ text: String?) throws(APIError) -> WallTime? {
        guard let text else { return nil }
        guard let time = ISO8601.wallTime(text) else {
            throw .invalidField("changedAt", expected: "an instant such as 2026-03-02T09:00:00Z")
        }
        return time
    }
}
