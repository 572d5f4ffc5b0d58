import Platform

/// That a person is newly tagged on an item: mentioned, assigned or asked for a review.
struct Tag: Hashable, Sendable {
    var item: ItemReference
    /// When, by GitLab's clock.
    var at: WallTime
}
