import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 0).advanced(by: .seconds(seconds))
}

struct MissingTodosTests {
    @Test func `what two lists a minute apart leave out is gone, until the store knows it`() {
        var missing = MissingTodos()
        #expect(missing.isEmpty)
        missing.leaveOut([5, 6], at: at(0))
        #expect(missing.gone(at: at(0)).isEmpty)
        missing.leaveOut([5, 6], at: at(59))
        #expect(missing.gone(at: at(59)).isEmpty)
        #expect(!missing.isEmpty)
        #expect(missing.gone(at: at(60)) == [5, 6])
        #expect(missing.gone(at: at(61)) == [5, 6])
        missing.settle([5, 6])
        #expect(missing.isEmpty)
        #expect(missing.gone(at: at(120)).isEmpty)
    }

    @Test func `an unchanged list leaves out what it left out before`() {
        var missing = MissingTodos()
        missing.leaveOut([5], at: at(0))
        #expect(missing.gone(at: at(59)).isEmpty)
        #expect(missing.gone(at: at(60)) == [5])
    }

    @Test func `what a list has again begins anew`() {
        var missing = MissingTodos()
        missing.leaveOut([5, 6], at: at(0))
        missing.leaveOut([6], at: at(30))
        missing.leaveOut([5, 6], at: at(60))
        #expect(missing.gone(at: at(60)) == [6])
        #expect(missing.gone(at: at(119)) == [6])
        #expect(missing.gone(at: at(120)) == [5, 6])
    }
}
