import Platform

/// The running faults in the order in which they were started. Each draws from a stream of its own, which outlives stops,
/// so that one fault more or less does not shift the others.
struct FaultTable {
    private struct Slot {
        var fault: Fault
        var random: RandomStream
        var isRunning: Bool
    }

    /// What the running faults do to one request.
    struct Effect {
        /// The first of those that keep the request from being judged.
        var preventing: Fault?
        /// The first of each kind that acts on a judged or accepted request.
        var answerLoss: Fault?
        var slowness: Fault?
        var delivery: Fault?
        var loss: Fault?
    }

    private let seed: UInt64
    private var slots: [Slot] = []
    private(set) var hasRunning = false

    init(seed: UInt64) {
        self.seed = seed
    }

    mutating func start(_ fault: Fault) {
        if let index = slots.firstIndex(where: { $0.fault.id == fault.id }) {
            slots[index].fault = fault
            slots[index].isRunning = true
        } else {
            let random = RandomStream(seed: seed, stream: "apns.fault." + fault.id)
            slots.append(Slot(fault: fault, random: random, isRunning: true))
        }
        hasRunning = true
    }

    mutating func stop(_ id: String) {
        for index in slots.indices where slots[index].fault.id == id { slots[index].isRunning = false }
        hasRunning = slots.contains(where: \.isRunning)
    }

    /// The fault with this id while it runs.
    func running(_ id: String) -> Fault? {
        slots.first { $0.isRunning && $0.fault.id == id }?.fault
    }

    /// Draws every running fault that has the request as its target; `device` finds out to which device it leads, in the first one's name.
    mutating func draw(backend: Int, token: Substring, device: () -> DeviceID?) -> Effect {
        var effect = Effect()
        guard hasRunning else { return effect }
        for index in slots.indices where slots[index].isRunning {
            guard slots[index].fault.strikes(backend, token, device) else { continue }
            guard slots[index].fault.ratio.happens(&slots[index].random) else { continue }
            effect.add(slots[index].fault)
        }
        return effect
    }
}

extension FaultTable.Effect {
    fileprivate mutating func add(_ fault: Fault) {
        switch fault.kind {
        case .answer, .stickyInternalServerError, .stickyServiceUnavailable, .shutdown, .neverAnswer,
            .resetBeforeActing:
            preventing = preventing ?? fault
        case .acceptThenReset, .acceptThenSilence: answerLoss = answerLoss ?? fault
        case .slow: slowness = slowness ?? fault
        case .deliveryDelay, .reordering: delivery = delivery ?? fault
        case .lostAfterAcceptance: loss = loss ?? fault
        }
    }
}

extension Fault {
    fileprivate func strikes(_ backend: Int, _ token: Substring, _ device: () -> DeviceID?) -> Bool {
        switch target {
        case .everything: true
        case .backend(let other): other == backend
        case .token(let other): other.hex == token.lowercased()
        case .devices(let devices): device().map { devices.contains($0) } ?? false
        }
    }
}
