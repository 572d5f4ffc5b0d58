import Glibc

/// A folder for files that nobody needs later.
struct LiveTemporaryFolder {
    let path: String

    /// Makes a new folder that only this user can read, below `TMPDIR` where that is set.
    init() throws(ProgramError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(parent.isEmpty ? "/tmp" : parent)/simctl-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("making a temporary folder").programError }
        path = String(cString: made)
    }

    func remove() {
        removeTree(path)
    }
}
