import Platform

/// The way from the clients to one server: how long it takes, and what goes wrong on it.
///
/// Unchecked: simulation thread.
final class Link: @unchecked Sendable {
    /// `gitlab`, `apns`, `api`.
    let name: String
    /// The time of one way, drawn for each request and each answer.
    var latency: QuantileTable
    /// The faults in force, in the order in which they began.
    private(set) var faults: [LinkFault] = []

    private var random: RandomStream

    init(name: String, latency: QuantileTable, random: RandomStream) {
        self.name = name
        self.latency = latency
        self.random = random
    }

    func begin(_ fault: LinkFault) {
        faults.append(fault)
    }

    func end(faultID: String) -> Bool {
        let before = faults.count
        faults.removeAll { $0.id == faultID }
        return faults.count < before
    }

    /// What one exchange meets on this link.
    struct Passage {
        var outwardNanoseconds: Int64
        var homewardNanoseconds: Int64
        /// The first fault that strikes and is not mere latency.
        var fault: LinkFault?
    }

    /// Draws latency and faults for one exchange.
    func passage() -> Passage {
        var passage = Passage(
            outwardNanoseconds: latency.drawNanoseconds(from: &random),
            homewardNanoseconds: latency.drawNanoseconds(from: &random)
        )
        for fault in faults where random.chance(fault.numerator, in: fault.denominator) {
            if case .latency(let extra) = fault.kind {
                passage.outwardNanoseconds += extra.drawNanoseconds(from: &random)
                passage.homewardNanoseconds += extra.drawNanoseconds(from: &random)
            } else if passage.fault == nil {
                passage.fault = fault
            }
        }
        return passage
    }
}
