import Glibc
import Testing

@testable import Daemon

struct DatabaseFilesTests {
    @Test func `what lies beside the file is made private, wherever a link to it lies`() throws {
        let folder = try TemporaryFolder()
        let files = try ["real.db", "real.db-wal", "real.db-shm", "real.db-journal", "other.db"].map { name in
            try folder.write("x", to: name)
        }
        for file in files { #expect(chmod(file, 0o664) == 0) }
        let link = "\(folder.path)/link.db"
        #expect(symlink(files[0], link) == 0)
        #expect(DatabaseFiles.makePrivate(link).count == 4)
        #expect(files.map { TemporaryFolder.mode(of: $0) } == [0o600, 0o600, 0o600, 0o600, 0o664])
        #expect(DatabaseFiles.makePrivate(link) == [])
        #expect(DatabaseFiles.makePrivate("\(folder.path)/none.db") == [])
    }

    @Test(arguments: [false, true])
    func `a database that links lead to has one lock, also before it is there`(isThere: Bool) throws {
        let folder = try TemporaryFolder()
        let (file, link, around) = ("\(folder.path)/real.db", "\(folder.path)/link.db", "\(folder.path)/around")
        if isThere { try folder.write("x", to: "real.db") }
        #expect(symlink("real.db", link) == 0 && symlink(folder.path, around) == 0)
        let lock = try DatabaseLock(file)
        defer { withExtendedLifetime(lock) {} }
        for name in [link, "\(around)/real.db", "\(around)/link.db", "\(folder.path)/./link.db"] {
            #expect(DatabaseFiles.resolved(name) == file, "\(name)")
            #expect(throws: DaemonError.self) { _ = try DatabaseLock(name) }
        }
    }

    @Test func `what names nothing stays as it is`() throws {
        let folder = try TemporaryFolder()
        #expect(DatabaseFiles.resolved("\(folder.path)/none/notifier.db") == "\(folder.path)/none/notifier.db")
        let loop = "\(folder.path)/loop.db"
        #expect(symlink("loop.db", loop) == 0)
        #expect(DatabaseFiles.resolved(loop) == loop)
    }

    @Test func `a folder is no database`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: DaemonError.self) { try DatabaseFiles.checkThatItIsAFile(folder.path) }
        #expect(error?.code == .settingsInvalid && error?.message.hasSuffix("which is a folder") == true)
        try DatabaseFiles.checkThatItIsAFile("\(folder.path)/none.db")
        try DatabaseFiles.checkThatItIsAFile(folder.write("x", to: "some.db"))
        #expect(throws: DaemonError.self) { try DatabaseFiles.checkThatItIsAFile("/dev/null") }
    }
}
