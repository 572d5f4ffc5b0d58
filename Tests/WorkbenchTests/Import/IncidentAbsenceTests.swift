import Platform
import Testing

@testable import Workbench

struct IncidentAbsenceTests {
    /// A push to the device of account 1 that APNs took and that the device had so many minutes later; nil where it says nothing.
    private static func push(_ number: Int64, at minute: Int64, after minutes: Int64?, device: Int64 = 1) -> [String] {
        let taken =
            #"{"kind":"delivery","notification":\#(number),"device":\#(device),"acceptedAt":\#(BundleLines.at(minute))}"#
        let had = minutes.map {
            #"{"kind":"receipt","notification":\#(number),"device":\#(device),"deliveredAt":\#(BundleLines.at(minute + $0))}"#
        }
        return [taken] + [had].compactMap(\.self)
    }

    private func absences(_ lines: [[String]]) throws -> [[Int64]] {
        let bundle = try BundleLines.bundle(lines.flatMap(\.self))
        let device = try #require(IncidentCast(bundle).devices(of: 1).first)
        return IncidentPushes(bundle).absences(of: device).map { absence in
            [absence.from, absence.until].map { ($0.microseconds - BundleLines.start) / 1_000_000 }
        }
    }

    @Test func `a device that had several pushes late was off until it had the first of them`() throws {
        let off = try absences([
            Self.push(1, at: 10, after: 0), Self.push(2, at: 20, after: 40), Self.push(3, at: 30, after: nil),
            Self.push(4, at: 50, after: 11), Self.push(5, at: 70, after: 0), Self.push(6, at: 71, after: 10),
        ])
        #expect(off == [[1_140, 3_600], [4_230, 4_860]])
    }

    @Test func `a device that says nothing, or had everything soon, was there`() throws {
        #expect(try absences([Self.push(1, at: 10, after: nil), Self.push(2, at: 20, after: 5)]).isEmpty)
        #expect(
            try absences([[#"{"kind":"receipt","notification":1,"device":null,"deliveredAt":\#(BundleLines.at(9))}"#]])
                .isEmpty
        )
    }

    @Test func `it is off in the scenario, too`() throws {
        let bundle = try BundleLines.bundle(Self.push(1, at: 20, after: 40))
        let text = try IncidentScenario(bundle, name: "imported").text()
            .replacing("\n", with: "").replacing(" ", with: "")
        let device = #""by":"@person1","device":"phone1"}"#
        #expect(text.contains(#""at":"19m","action":"device-offline",\#(device)"#) && text.contains("Guess:itwasoff"))
        #expect(text.contains(#""at":"1h","action":"device-online",\#(device)"#))
    }
}
