import ScenarioFixtures
import Testing

@testable import Scenarios

/// Broken fixtures whose shape is wrong, which the JSON Schema refuses as well, with the code each must be given.
private let brokenShapes: [String: ProblemCode] = [
    "array-for-scenario": .wrongType,
    "unknown-key": .unknownKey,
    "misspelt-action-key": .unknownKey,
    "misspelt-parameter": .unknownKey,
    "missing-world": .missingKey,
    "missing-duration": .missingKey,
    "bare-number-for-duration": .badUnit,
    "duration-without-unit": .badUnit,
    "unknown-unit": .badUnit,
    "units-in-wrong-order": .badNotation,
    "zero-duration": .badNotation,
    "blank-description": .badNotation,
    "null-name": .wrongType,
    "negative-seed": .outOfRange,
    "fractional-seed": .wrongType,
    "start-without-zone": .badNotation,
    "timeline-as-object": .wrongType,
    "unknown-action": .unknownValue,
    "unknown-fault-kind": .unknownValue,
    "action-and-fault": .conflictingKeys,
    "neither-action-nor-fault": .missingKey,
    "no-time": .missingKey,
    "two-times": .conflictingKeys,
    "hours-at-an-instant": .conflictingKeys,
    "window-at-an-instant": .conflictingKeys,
    "random-without-window": .missingKey,
    "fault-of-zero-length": .badNotation,
    "fault-without-length": .missingKey,
    "link-fault-without-link": .missingKey,
    "aimed-at-nobodys-device": .missingKey,
    "unknown-outage-mode": .unknownValue,
    "unknown-apns-reason": .unknownValue,
    "ratio-above-one": .badNotation,
    "rate-without-period": .badNotation,
    "username-without-at": .badNotation,
    "item-without-group": .badNotation,
    "number-for-person": .wrongType,
    "review-too-large": .outOfRange,
    "mix-of-nothing": .missingKey,
    "mix-of-unmixable": .unknownKey,
    "mix-weight-zero": .outOfRange,
    "gate-without-metric": .missingKey,
    "gate-with-two-metrics": .conflictingKeys,
    "gate-without-relation": .badNotation,
    "gate-bound-without-unit": .badUnit,
    "confidence-on-a-count": .missingKey,
    "unknown-metric": .unknownKey,
    "unknown-probe": .unknownValue,
    "unknown-role": .unknownValue,
    "unknown-platform": .unknownValue,
    "no-devices": .outOfRange,
    "latency-without-max": .missingKey,
    "edit-of-nothing": .missingKey,
    "unknown-version": .unknownValue,
    "unknown-notifier-key": .unknownKey,
    "jitter-out-of-range": .outOfRange,
    "retry-delays-without-unit": .badNotation,
    "too-few-requests-per-hour": .outOfRange,
    "place-of-the-world": .unknownKey,
]

/// Broken fixtures of sound shape that make no sense, with the code each must be given.
private let brokenMeanings: [String: ProblemCode] = [
    "unknown-person": .unknownPerson,
    "unknown-item": .unknownItem,
    "unknown-project": .unknownProject,
    "watches-missing-item": .unknownItem,
    "unknown-author": .unknownPerson,
    "unknown-device": .unknownDevice,
    "aimed-at-an-unknown-device": .unknownDevice,
    "unknown-duty": .unknownDuty,
    "joins-twice": .impossibleAction,
    "adds-a-user": .impossibleAction,
    "removes-who-never-came": .impossibleAction,
    "pair-a-present-device": .impossibleAction,
    "device-sign-in-on-an-old-release": .impossibleAction,
    "every-device-joins-later": .impossibleAction,
    "merge-an-issue": .impossibleAction,
    "approve-an-issue": .impossibleAction,
    "merge-twice": .impossibleAction,
    "backup-too-young": .impossibleAction,
    "backup-within-a-backup": .impossibleAction,
    "watch-that-is-forgotten": .impossibleAction,
    "reopen-an-open-item": .impossibleAction,
    "edit-without-comment": .impossibleAction,
    "comment-before-opening": .impossibleAction,
    "opens-existing-item": .duplicateItem,
    "opens-issue-as-merge-request": .impossibleAction,
    "not-a-member": .notAMember,
    "not-notified": .notNotified,
    "gate-for-person-without-notifier": .notNotified,
    "after-the-end": .impossibleTime,
    "fault-outlasts-the-end": .impossibleTime,
    "until-before-from": .impossibleTime,
    "until-after-the-end": .impossibleTime,
    "hours-end-before-they-begin": .impossibleTime,
    "day-that-does-not-exist": .badNotation,
    "duplicate-username": .duplicateName,
    "duplicate-project": .duplicateName,
    "duplicate-device": .duplicateName,
    "duplicate-iid": .duplicateItem,
    "duplicate-watch": .duplicateItem,
    "duplicate-entry": .duplicateEntry,
    "unnamed-faults-at-one-instant": .duplicateEntry,
    "window-of-unknown-fault": .unknownFault,
    "full-confidence": .outOfRange,
    "limiter-b-per-hour": .outOfRange,
    "lease-too-short": .outOfRange,
    "lease-shorter-than-two-sends": .outOfRange,
    "falling-quantiles": .outOfRange,
    "except-with-a-name": .conflictingKeys,
    "too-many-steps": .tooManySteps,
    "registers-twice": .impossibleAction,
    "hour-that-does-not-exist": .badNotation,
    "start-in-another-age": .outOfRange,
]

/// Files that are no JSON text at all.
private let brokenTexts: [String: ProblemCode] = [
    "bare-word": .jsonSyntax, "blank": .emptyFile, "byte-order-mark": .byteOrderMark, "comment": .jsonSyntax,
    "empty": .emptyFile, "half-a-string": .jsonTruncated, "half-written": .jsonTruncated, "latin-1": .notUTF8,
    "line-break-in-string": .jsonSyntax, "missing-comma": .jsonSyntax, "single-quotes": .jsonSyntax,
    "too-deep": .tooDeep, "trailing-comma": .jsonSyntax, "twice-the-same-key": .duplicateKey, "two-values": .jsonSyntax,
    "unquoted-unit": .jsonSyntax, "utf-16": .notUTF8,
]

struct BrokenScenarioTests {
    @Test func `the fixture all others are made from is sound`() throws {
        let scenario = try ScenarioReader.read(path: Places.fixtures + "/sound.json")
        #expect(scenario.name == "base")
    }

    @Test(arguments: brokenShapes.sorted { $0.key < $1.key })
    func `a wrong shape is refused with its code`(fixture: (key: String, value: ProblemCode)) {
        #expect(codes("shape/" + fixture.key) == [fixture.value])
    }

    @Test(arguments: brokenMeanings.sorted { $0.key < $1.key })
    func `what makes no sense is refused with its code`(fixture: (key: String, value: ProblemCode)) {
        #expect(codes("meaning/" + fixture.key) == [fixture.value])
    }

    @Test(arguments: brokenTexts.sorted { $0.key < $1.key })
    func `what is no JSON is refused with its code`(fixture: (key: String, value: ProblemCode)) {
        #expect(codes("text/" + fixture.key) == [fixture.value])
    }

    @Test func `each code of the format has a fixture or a test that reaches it`() {
        let reached = Set(brokenShapes.values).union(brokenMeanings.values).union(brokenTexts.values)
        // Reached by files that are not there or cannot be read, in CheckCommandTests.
        let ofFiles: Set<ProblemCode> = [.fileNotFound, .notAFile, .unreadableFile, .tooLarge]
        #expect(Set(ProblemCode.allCases).subtracting(reached) == ofFiles)
    }

    private func codes(_ fixture: String) -> [ProblemCode] {
        do throws(InvalidScenario) {
            _ = try ScenarioReader.read(path: Places.fixtures + "/broken/\(fixture).json")
            return []
        } catch {
            return error.problems.map(\.code)
        }
    }
}
