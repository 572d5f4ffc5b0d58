/// Remembers, beyond the death of the process, for which accounts GitLab was being read. What the machine forgets with its power needs
/// no remembering: no answer of GitLab's has taken that away.
///
/// Both marks cost next to nothing, as they are made for every cycle. Isolation: any thread.
package protocol PollMarks: AnyObject, Sendable {
    /// Gives the accounts, by the number of their row, that were being read when the process before this one ended, each once and in
    /// ascending order, and forgets them: should this process end before it has drawn its conclusions, it was not GitLab's answers.
    func takeInterrupted() -> [Int64]

    /// GitLab is about to be read for the account.
    func begin(_ account: Int64)

    /// It was read.
    func end(_ account: Int64)
}
