import Platform

/// Something that happens at an instant of virtual time.
///
/// Unchecked: simulation thread: it is fired and cancelled there.
class TimedEvent: @unchecked Sendable {
    /// A cancelled event stays in the queue and is skipped when its instant comes.
    final var isCancelled = false

    /// Carries the event out. Overridden by every kind of event.
    func fire() {}
}

/// An event that runs a closure.
///
/// Unchecked: simulation thread.
final class ClosureEvent: TimedEvent, @unchecked Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    override func fire() { action() }
}

/// Pending events, earliest first; ties go by priority, then by insertion, so that they replay.
struct EventQueue {
    private struct Entry {
        var nanoseconds: Int64
        /// Priority in the upper byte, insertion number below: one comparison settles a tie.
        var tieBreak: UInt64
        var event: TimedEvent

        @inline(__always)
        func precedes(_ other: Entry) -> Bool {
            nanoseconds == other.nanoseconds ? tieBreak < other.tieBreak : nanoseconds < other.nanoseconds
        }
    }

    private var heap: [Entry] = []
    private var insertions: UInt64 = 0

    /// When the earliest event is due; nil when there is none.
    var nextInstant: MonotonicInstant? {
        heap.first.map { MonotonicInstant(nanoseconds: $0.nanoseconds) }
    }

    /// How many events are pending, cancelled ones included.
    var count: Int { heap.count }

    /// Adds an event; a lower priority number goes first among events of one instant.
    mutating func insert(_ event: TimedEvent, at instant: MonotonicInstant, priority: UInt8) {
        insertions += 1
        let tieBreak = UInt64(priority) << 56 | insertions
        heap.append(Entry(nanoseconds: instant.nanoseconds, tieBreak: tieBreak, event: event))
        siftUp(heap.count - 1)
    }

    /// Takes the earliest event out.
    mutating func popFirst() -> (instant: MonotonicInstant, event: TimedEvent)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return (MonotonicInstant(nanoseconds: first.nanoseconds), first.event)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            let left = 2 * parent + 1
            if left < heap.count, heap[left].precedes(heap[least]) { least = left }
            if left + 1 < heap.count, heap[left + 1].precedes(heap[least]) { least = left + 1 }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
