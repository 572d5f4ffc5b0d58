/// How much worse than a baseline would not matter, for each figure.
package struct Tolerances: Sendable, Equatable {
    /// As a share or as it is.
    package enum Amount: Sendable, Equatable {
        /// Of the baseline's value; 0.1 for a tenth.
        case share(Double)
        /// Milliseconds, or requests of a seed.
        case absolute(Double)
    }

    /// Where nothing is said.
    package static let usual = Amount.share(0.1)

    /// For figures that have one of their own.
    package var own: [ComparedFigure.Kind: Amount]
    package var others: Amount

    package init(others: Amount = Tolerances.usual, own: [ComparedFigure.Kind: Amount] = [:]) {
        self.others = others
        self.own = own
    }

    func amount(_ kind: ComparedFigure.Kind, baseline: Double) -> Double {
        switch own[kind] ?? others {
        case .share(let share): share * baseline
        case .absolute(let amount): amount
        }
    }
}
