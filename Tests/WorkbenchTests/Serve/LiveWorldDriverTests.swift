import Platform
import Testing

@testable import Workbench

struct LiveWorldDriverTests {
    /// Virtual time is counted in nanoseconds: a world that is moved ahead again and again came to their end.
    @Test func `a world is moved ahead ten years in all and no further`() throws {
        let driver = try LiveWorldDriver(speed: 1)
        for _ in 0..<10 { #expect(driver.advance(by: .days(366))) }
        #expect(!driver.advance(by: .seconds(1)))
    }
}
