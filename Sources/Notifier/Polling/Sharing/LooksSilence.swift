import Platform

/// That others' looks at an item's lists have told its account nothing: they tell nothing either until there is another look, or the account itself
/// knows the lists otherwise (``PolledItem/silence``).
struct LooksSilence: Sendable {
    /// Of what was known of the lists.
    let mark: LookRevision.Mark
    /// How many share their looks at the item.
    let watchers: Int
    /// From when on more is asked than was asked now; nil where that is all there is.
    let until: MonotonicInstant?

    /// Whether it still holds at `now`.
    func holds(at now: MonotonicInstant) -> Bool {
        if let until, now >= until { return false }
        return mark.isCurrent
    }
}
