import HTTP
import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

struct CapabilityFindingsTests {
    /// GitLab facts §2: the two bodies of a 404.
    @Test(arguments: CapabilitySource.allCases)
    func `only a missing route is a missing source`(source: CapabilitySource) {
        var findings = CapabilityFindings(known: nil, version: "17.11.4")
        findings.take(.notFound(isRoute: false), of: source)
        #expect(findings.capabilities[source])
        findings.take(.forbidden(.permission), of: source)
        #expect(findings.capabilities[source])
        findings.take(.notFound(isRoute: true), of: source)
        #expect(!findings.capabilities[source])
        #expect(findings.capabilities.isLacking)
        findings.take(nil, of: source)
        #expect(findings.capabilities[source])
    }

    @Test func `a question without answer leaves what was known`() {
        var known = Capabilities(version: "17.8.0")
        known.notes = false
        var findings = CapabilityFindings(known: known, version: nil)
        findings.take(.unavailable(status: 502), of: .notes)
        findings.take(.rateLimited(retryAfter: nil), of: .approvals)
        #expect(!findings.capabilities.notes)
        #expect(findings.capabilities.approvals)
        #expect(findings.capabilities.version == "17.8.0")
    }

    @Test(arguments: [
        ([CapabilitySource](), Capabilities.Activity.full), ([.stateEvents], .partial), ([.notes], .partial),
        ([.notes, .stateEvents, .approvals], .unavailable), ([.pipelines], .full),
    ])
    func `activity says how much of it can be read`(missing: [CapabilitySource], activity: Capabilities.Activity) {
        var found = Capabilities()
        for source in missing { found[source] = false }
        #expect(found.activity == activity)
    }

    @Test func `what was found is stored, with the release in the account`() throws {
        let store = Store(try makeDeliveryDatabase())
        let now = WallTime(secondsSinceEpoch: 1_800_000_000)
        let account = try store.makeAccount()
        #expect(try store.capabilities(of: account) == nil)
        for source in CapabilitySource.allCases {
            var found = Capabilities(version: "18.5.0")
            found[source] = false
            found.rateLimitHeaders = source == .notes
            try store.setCapabilities(found, of: account, at: now)
            #expect(try store.capabilities(of: account)?.capabilities == found)
        }
        #expect(try store.account(account)?.gitlabVersion == "18.5.0")
        #expect(try store.capabilities(of: account)?.checkedAt == now)
    }
}

struct CapabilityTrackerTests {
    private func after(_ duration: Duration) -> MonotonicInstant { start.advanced(by: duration) }

    @Test func `the release is read daily`() {
        let watch = CapabilityTracker(age: .zero, isLacking: false, now: start)
        #expect(watch.step(at: after(.hours(23))) == .nothing)
        #expect(watch.step(at: after(.hours(24))) == .readVersion)
    }

    @Test func `a clock that stepped makes no flood and no pause beyond a day`() {
        let future = CapabilityTracker(age: .zero - .days(400), isLacking: false, now: start)
        #expect(future.step(at: start) == .nothing)
        #expect(future.step(at: after(.hours(24))) == .readVersion)
        let past = CapabilityTracker(age: .days(400), isLacking: false, now: start)
        #expect(past.step(at: start) == .readVersion)
    }

    @Test func `the same release costs no discovery, another one does`() {
        var watch = CapabilityTracker(age: .hours(24), isLacking: false, now: start)
        #expect(watch.take(version: "17.11.4", known: "17.11.4", at: start) == false)
        #expect(watch.step(at: after(.hours(23))) == .nothing)
        #expect(watch.take(version: "18.5.0", known: "17.11.4", at: start) == true)
        #expect(watch.take(version: nil, known: "17.11.4", at: start) == false)
    }

    @Test func `another release is not forgotten before everything was asked anew, and kept`() {
        var watch = CapabilityTracker(age: .hours(24), isLacking: false, now: start)
        #expect(watch.take(version: "18.5.0", known: "17.11.4", at: start) == true)
        watch.postpone(at: start)
        #expect(watch.step(at: after(.minutes(10))) == .discover)
        watch.discoverAgain(at: after(.minutes(11)))
        #expect(watch.step(at: after(.minutes(10))) == .nothing)
        #expect(watch.step(at: after(.minutes(11))) == .discover)
        watch.takeDiscovery(Capabilities(), at: after(.minutes(11)))
        #expect(watch.step(at: after(.hours(23))) == .nothing)
    }

    @Test func `a route that has gone and a recovery are looked into at once`() {
        var watch = CapabilityTracker(age: .zero, isLacking: false, now: start)
        watch.noteRecovery()
        #expect(watch.step(at: start) == .readVersion)
        watch.noteMissingRoute()
        #expect(watch.step(at: start) == .discover)
        watch.takeDiscovery(Self.lacking, at: start)
        watch.noteMissingRoute()
        #expect(watch.step(at: after(.minutes(9))) == .nothing)
        #expect(watch.step(at: after(.minutes(10))) == .discover)
    }

    @Test func `while something is missing it is asked for, soon at first and hourly in the end`() {
        var watch = CapabilityTracker(age: .zero, isLacking: true, now: start)
        var askedAt: [Int] = []
        for minute in 0..<300 where watch.step(at: after(.minutes(minute))) == .discover {
            askedAt.append(minute)
            watch.takeDiscovery(Self.lacking, at: after(.minutes(minute)))
        }
        #expect(askedAt == [10, 30, 70, 130, 190, 250])
        watch.takeDiscovery(Capabilities(), at: after(.hours(5)))
        #expect(watch.step(at: after(.hours(8))) == .nothing)
        // What has gone once more is asked for soon again.
        watch.takeDiscovery(Self.lacking, at: after(.hours(8)))
        #expect(watch.step(at: after(.minutes(490))) == .discover)
    }

    @Test func `a GitLab that offers nothing at all is asked every two minutes until it offers something`() {
        var nothing = Capabilities()
        for source in CapabilitySource.allCases { nothing[source] = false }
        var watch = CapabilityTracker(age: .zero, isLacking: false, now: start)
        watch.noteMissingRoute()
        var askedAt: [Int] = []
        for minute in 0..<60 where watch.step(at: after(.minutes(minute))) == .discover {
            askedAt.append(minute)
            watch.takeDiscovery(minute < 7 ? nothing : Self.lacking, at: after(.minutes(minute)))
            watch.noteMissingRoute()
        }
        #expect(askedAt == [0, 2, 4, 6, 8, 18, 28, 38, 48, 58])
    }

    private static let lacking = {
        var capabilities = Capabilities()
        capabilities.approvals = false
        return capabilities
    }()
}

struct ItemFallbackTests {
    @Test func `a list that is not offered calls for the feed at once, and not any more when it is read`() {
        var fallback = ItemFallback()
        #expect(fallback.take([.read, .unavailable], isTrusted: true) == .began)
        #expect(fallback.take([.read, .unavailable], isTrusted: true) == .none)
        #expect(fallback.take([.read, .read], isTrusted: true) == .ended)
        #expect(!fallback.isActive)
    }

    @Test func `one failure may be chance, and one during an outage says nothing`() {
        var fallback = ItemFallback()
        #expect(fallback.take([.failed, .read], isTrusted: true) == .none)
        for _ in 0..<5 { #expect(fallback.take([.failed, .failed], isTrusted: false) == .none) }
        #expect(fallback.take([.failed, .read], isTrusted: true) == .began)
        // What says nothing changes nothing.
        #expect(fallback.take([.unknown], isTrusted: true) == .none)
        #expect(fallback.take([], isTrusted: true) == .none)
        #expect(fallback.isActive)
    }

    @Test func `failures are forgotten when everything was read`() {
        var fallback = ItemFallback()
        _ = fallback.take([.failed], isTrusted: true)
        _ = fallback.take([.read, .read], isTrusted: true)
        #expect(fallback.take([.failed], isTrusted: true) == .none)
    }
}
