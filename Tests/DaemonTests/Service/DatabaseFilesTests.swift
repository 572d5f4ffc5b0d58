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
}
