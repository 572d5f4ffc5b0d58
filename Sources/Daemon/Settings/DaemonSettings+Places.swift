import Glibc

/// What the settings name on this machine, looked at without making anything.
extension DaemonSettings {
    /// A bundle of all authorities that there are has a quarter of a megabyte.
    private static let authoritiesLimitBytes = 16 * 1_048_576

    /// Whether there are authorities to trust where the settings name a file of them: without, every connection would fail, one by one.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`, `settingsInvalid`.
    func checkAuthorities() throws {
        guard let authorities else { return }
        let text = String(
            decoding: try LiveFile.read(authorities, limitBytes: Self.authoritiesLimitBytes),
            as: UTF8.self
        )
        let kinds = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]
        guard !kinds.contains(where: { text.contains("-----BEGIN \($0)-----") }) else { return }
        throw DaemonError(
            .settingsInvalid,
            "\(authorities) holds no certificate",
            hint: "\"authorities\" names a PEM file, with lines that say -----BEGIN CERTIFICATE-----"
        )
    }

    /// - Throws: `DaemonError.settingsInvalid` when something else than a folder stands where backups are to go.
    func checkBackups() throws(DaemonError) {
        var status = stat()
        guard let backups, stat(backups, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        throw DaemonError(
            .settingsInvalid,
            "\"backups\" names \(backups), which is not a folder",
            hint: "name a folder; it is made when it is missing"
        )
    }

    /// - Throws: `DaemonError.settingsInvalid` when there can be no database where the settings have it.
    func checkDatabase() throws(DaemonError) {
        try DatabaseFiles.checkThatItIsAFile(database)
        let slash = database.lastIndex(of: "/")
        let folder = slash.map { $0 == database.startIndex ? "/" : String(database[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return }
        // A folder that this user may not look into may be the server's.
        guard status.st_mode != 0 || errno == ENOENT || errno == ENOTDIR else { return }
        throw DaemonError(
            .settingsInvalid,
            "\"database\" lies in \(folder), which is not a folder",
            hint: "make it first: the server makes the file, and not its folder"
        )
    }
}
