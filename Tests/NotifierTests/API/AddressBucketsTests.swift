import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

struct AddressBucketsTests {
    private let start = MonotonicInstant(nanoseconds: 5_000)

    @Test func `an address has its capacity at once, then one for each interval`() {
        var buckets = AddressBuckets(capacity: 3, interval: .seconds(2))
        for _ in 0..<3 { #expect(buckets.take("a", at: start) == nil) }
        #expect(buckets.take("a", at: start) == .seconds(2))
        #expect(buckets.take("b", at: start) == nil)
        let later = start.advanced(by: .seconds(2))
        #expect(buckets.take("a", at: later) == nil)
        #expect(buckets.take("a", at: later) == .seconds(2))
    }

    @Test func `a refusal costs nothing`() {
        var buckets = AddressBuckets(capacity: 1, interval: .seconds(1))
        #expect(buckets.take("a", at: start) == nil)
        for _ in 0..<100 { #expect(buckets.take("a", at: start) == .seconds(1)) }
        #expect(buckets.take("a", at: start.advanced(by: .seconds(1))) == nil)
    }

    @Test func `parts of a token are taken beside whole ones`() {
        var buckets = AddressBuckets(capacity: 2, interval: .seconds(1))
        #expect(buckets.take("a", at: start) == nil)
        for _ in 0..<20 { #expect(buckets.take("a", dividedBy: 20, at: start) == nil) }
        #expect(buckets.take("a", dividedBy: 20, at: start) == .milliseconds(50))
        #expect(buckets.take("a", at: start) == .seconds(1))
        #expect(buckets.take("a", dividedBy: 20, at: start.advanced(by: .milliseconds(50))) == nil)
    }

    @Test func `a token can be put back`() {
        var buckets = AddressBuckets(capacity: 1, interval: .seconds(1))
        #expect(buckets.take("a", at: start) == nil)
        buckets.giveBack("a")
        #expect(buckets.take("a", at: start) == nil)
    }

    @Test func `the table stays within its bound and keeps those that ask most`() {
        var buckets = AddressBuckets(capacity: 5, interval: .seconds(1), addressLimit: 10)
        for _ in 0..<5 { _ = buckets.take("flood", at: start) }
        for number in 0..<1_000 { _ = buckets.take("address \(number)", at: start) }
        #expect(buckets.count <= 10)
        #expect(buckets.take("flood", at: start) != nil)
    }

    @Test func `full buckets are forgotten first`() {
        var buckets = AddressBuckets(capacity: 5, interval: .seconds(1), addressLimit: 4)
        for name in ["a", "b", "c"] { _ = buckets.take(name, at: start) }
        for _ in 0..<3 { _ = buckets.take("busy", at: start) }
        let later = start.advanced(by: .seconds(2))
        _ = buckets.take("new", at: later)
        #expect(buckets.count == 2)
    }

    @Test func `an address is refused beyond its requests a minute, health excepted`() throws {
        let bench = try ServerBench(NotifierConfiguration())
        for _ in 0..<100 { #expect(try bench.call(.get, "/nothing").status == 404) }
        let refused = try bench.call(.get, "/nothing")
        #expect(refused.status == 429 && refused.text("code") == "rate_limited")
        #expect(refused.fields["Retry-After"] == "1")
        #expect(try bench.call(.get, "/health").status == 200)
        #expect(try bench.call(.get, "/health/ready").status == 200)
        #expect(try bench.call(.get, "/nothing", from: "192.0.2.2").status == 404)
        bench.world.advance(by: .seconds(1))
        #expect(try bench.call(.get, "/nothing").status == 404)
    }
}
