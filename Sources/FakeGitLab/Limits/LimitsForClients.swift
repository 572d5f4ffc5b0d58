package import HTTP
package import Platform

extension HTTPFields {
    /// Says by the client's clock when limiter A's window ends, where the server's time is ahead of it and runs `speed` times as fast:
    /// who compares `RateLimit-Reset` with a clock of their own would wait for hours otherwise (supplement §5).
    package mutating func stateLimits(by client: WallTime, insteadOf server: WallTime, speed: Int64) {
        func passing(_ seconds: Int64) -> Int64 { seconds <= 0 ? 0 : (seconds + speed - 1) / speed }
        if let reset = self["RateLimit-Reset"].flatMap({ Int64($0) }) {
            let end = client.secondsSinceEpoch + passing(reset - server.secondsSinceEpoch)
            self["RateLimit-Reset"] = "\(end)"
            self["RateLimit-ResetTime"] = CivilDate(WallTime(secondsSinceEpoch: end)).httpText
        }
        if let pause = self["Retry-After"].flatMap({ Int64($0) }) { self["Retry-After"] = "\(passing(pause))" }
    }
}
