import JSON
import Testing

@testable import Workbench

/// Every combination, once, under a name of its own.
struct SweepGridTests {
    private func key(_ name: String, _ values: String) -> SweepGrid.Key {
        SweepGrid.Key(name: name, values: SweepGrid.split(values).map(SettingChange.value))
    }

    private func refusal(_ keys: [SweepGrid.Key]) -> ProgramError.Code? {
        do throws(ProgramError) {
            _ = try SweepGrid(keys)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `combinations come in the order of the command line, the last key fastest`() throws {
        let grid = try SweepGrid([key("sweepInterval", "10s,20s"), key("perPage", "20,50,100")])
        let names = grid.combinations.map(SweepGrid.folderName)
        #expect(names.count == 6)
        #expect(names[0] == "sweepInterval=10s,perPage=20")
        #expect(names[1] == "sweepInterval=10s,perPage=50")
        #expect(names[5] == "sweepInterval=20s,perPage=100")
    }

    @Test func `a list is one value, and what stands in brackets is not cut`() {
        #expect(SweepGrid.split(#"["1s","2s"],["3s"]"#) == [#"["1s","2s"]"#, #"["3s"]"#])
        #expect(SettingChange.value(#"["1s"]"#) == .array([.string("1s")]))
        #expect(SettingChange.value("600") == .number("600"))
        #expect(SettingChange.value("30s") == .string("30s"))
        #expect(SettingChange.value("true") == .bool(true))
    }

    @Test func `names of folders are names of files, whatever the values are`() {
        let mean = [SettingChange(key: "activities", value: .string("../../x y\u{1B}"))]
        #expect(SweepGrid.folderName(mean) == "activities=..%2f..%2fx%20y%1b")
        let long = (0..<2).map { SettingChange(key: "k", value: .string(String(repeating: "v", count: 300) + "\($0)")) }
        let names = long.map { SweepGrid.folderName([$0]) }
        #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count < 200 })
    }

    @Test func `too many, none, and what stands twice are refused`() {
        let ten = (1...10).map(String.init).joined(separator: ",")
        #expect(refusal([key("perPage", ten), key("tokenWarningDays", ten)]) == nil)
        #expect(refusal([key("perPage", ten), key("tokenWarningDays", ten + ",11")]) == .badValue)
        #expect(refusal([key("a", ten), key("b", ten), key("c", ten), key("d", ten)]) == .badValue)
        #expect(refusal([]) == .missingOperand)
        #expect(refusal([key("perPage", "1"), key("perPage", "2")]) == .repeatedFlag)
        #expect(refusal([key("perPage", "1,1")]) == .badValue)
    }
}
