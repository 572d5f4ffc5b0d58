/// Runs work later, for state machines that are not tasks of their own: the fakes and the network between nodes.
///
/// Work scheduled for one instant runs in the order in which it was scheduled.
package protocol Scheduler: Sendable {
    /// Runs `action` once, `delay` from now (at once, but not within this call, when it is zero or negative).
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void)
}
