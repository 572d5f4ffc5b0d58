import JSON
import Platform
import Testing

@testable import Workbench

struct IncidentBundleTests {
    private func fault(_ lines: [String]) -> IncidentFault? {
        do throws(IncidentFault) {
            _ = try IncidentBundle(bytes: Array(lines.joined(separator: "\n").utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `lines of all kinds are read, and those of others passed over`() throws {
        let bundle = try BundleLines.bundle([
            #"{"kind":"log","entry":{"message":"x"}}"#, #"{"kind":"of-the-future"}"#, "",
        ])
        #expect(bundle.accounts.count == 2 && bundle.devices.count == 2 && bundle.items.count == 1)
        #expect(bundle.settings.map(\.key) == ["backoffMaximum", "intervalSmall"] && bundle.marks.count == 1)
    }

    @Test(
        arguments: [
            "", "{", "[]", "null", "{\"kind\":1}", "{\"at\":1}", #"{"kind":"account","id":1}"#,
            #"{"kind":"account","id":-1,"createdAt":1772434800000000}"#,
            #"{"kind":"account","id":"1","createdAt":1772434800000000}"#, #"{"kind":"account","id":1,"createdAt":12}"#,
            #"{"kind":"account","id":1,"createdAt":1772434800000000,"isEnterprise":7}"#,
            #"{"kind":"traffic","at":1772434800000000,"service":"gitlab","answers":{}}"#,
            #"{"kind":"traffic","at":1772434800000000,"service":"gitlab","lengths":[-1]}"#,
            #"{"kind":"notification","id":1,"account":1,"of":7,"createdAt":1772434800000000}"#,
            #"{"kind":"report","account":1,"at":null}"#,
        ].dropFirst()
    )
    func `what is wrong is told with its line and a way on`(line: String) {
        let fault = fault([BundleLines.base[0], line])
        #expect(fault?.line == 2, "\(String(describing: fault))")
        #expect(fault?.message.isEmpty == false)
    }

    @Test func `what stands there twice counts once`() throws {
        let bundle = try IncidentBundle(
            bytes: Array((BundleLines.base + BundleLines.base.dropFirst()).joined(separator: "\n").utf8)
        )
        #expect(bundle.accounts.map(\.id) == [1, 2] && bundle.watches.count == 2 && bundle.items.count == 1)
        #expect(bundle.devices.map(\.id) == [1, 2])
    }

    @Test func `two bundles in one file are refused where the second begins`() {
        let second = fault(BundleLines.base + BundleLines.base)
        #expect(second?.line == BundleLines.base.count + 1 && second?.message == "a second bundle begins here")
    }

    @Test func `a bundle that was cut at the end of a line is doubted`() throws {
        let count = BundleLines.base.count
        let end = #"{"kind":"end","lines":\#(count)}"#
        #expect(try BundleLines.bundle([]).doubt?.contains("the line that ends it is missing") == true)
        #expect(try BundleLines.bundle([end]).doubt == nil)
        let report = #"{"kind":"report","account":1,"at":\#(BundleLines.at(5))}"#
        #expect(try BundleLines.bundle([end, report]).doubt == nil)
        let shorter = try IncidentBundle(
            bytes: Array((BundleLines.base.dropLast(2) + [end]).joined(separator: "\n").utf8)
        )
        #expect(shorter.doubt == "of the \(count) lines that were written before its last one it has \(count - 2)")
    }

    @Test func `a file without a head is no bundle`() {
        #expect(fault([])?.line == nil && fault([])?.hint?.contains("export-incident") == true)
        #expect(fault([BundleLines.base[1]])?.message.contains("incident") == true)
    }

    @Test(arguments: ["{\n  \"name\": \"outage\"\n}", "SQLite format 3", "Mar 02 14:10:00 host notifierd[7]: {}"])
    func `another file is answered with what writes a report, not with JSON's grammar`(text: String) {
        let fault = fault([text])
        #expect(fault?.line == 1 && fault?.hint?.contains("notifierd export-incident") == true)
    }

    @Test func `a report without a database says so instead of blaming who sent it`() throws {
        let bundle = try IncidentBundle(
            bytes: Array("\(BundleLines.base[0])\n{\"kind\":\"database\",\"fault\":\"missing\"}\n".utf8)
        )
        let fault = #expect(throws: IncidentFault.self) { try IncidentScenario(bundle, name: "imported") }
        #expect(fault?.message.contains("database was missing") == true)
        #expect(fault?.hint?.contains("--config") == true)
    }

    @Test func `more than anybody reads is refused`() {
        let items = (1...5_001).map { #"{"kind":"item","item":\#($0),"project":1,"of":"issue"}"# }
        #expect(fault([BundleLines.base[0]] + items) != nil)
        #expect(fault([BundleLines.base[0]] + Array(repeating: "{}", count: 200_001))?.line == nil)
        #expect(
            fault([BundleLines.base[0], #"{"kind":""# + String(repeating: "x", count: 1_100_000) + "\"}"])?.line == 2
        )
    }
}
