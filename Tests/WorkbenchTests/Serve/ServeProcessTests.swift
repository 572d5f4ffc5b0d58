import FoundationEssentials
import Glibc
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Workbench

/// The program that serves a world, as a process of its own.
@Suite(.timeLimit(.minutes(2))) struct ServeProcessTests {
    @Test func `certificate and key are for their owner alone, and so is their folder`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        // What is there already, as open as can be, is not inherited.
        let process = try SimctlProcess(["serve", "tiny.json", "--cert-dir", "certs"], in: folder)
        #expect(process.firstLine().hasPrefix("{"))
        try expectPrivate("\(folder.path)/certs", files: 2)
        kill(process.process.identifier, SIGTERM)
        _ = process.finish()
    }

    @Test func `files that others could read before are not left so`() throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        try #require(mkdir("\(folder.path)/certs", 0o700) == 0)
        for name in ["authority.pem", "AuthKey_\(WorldSecrets.apnsKeyID).p8"] {
            try folder.write("old", to: "certs/\(name)")
            try #require(chmod("\(folder.path)/certs/\(name)", 0o666) == 0)
        }
        let process = try SimctlProcess(["serve", "tiny.json", "--cert-dir", "certs"], in: folder)
        #expect(process.firstLine().hasPrefix("{"))
        try expectPrivate("\(folder.path)/certs", files: 2)
        kill(process.process.identifier, SIGTERM)
        _ = process.finish()
    }

    @Test func `without a folder one is made that is for its owner alone`() throws {
        struct Line: Decodable { var caFile: String }
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let process = try SimctlProcess(["serve", "tiny.json"], in: folder)
        let line = try JSONDecoder().decode(Line.self, from: Data(process.firstLine().utf8))
        let made = String(line.caFile[..<(line.caFile.lastIndex(of: "/") ?? line.caFile.startIndex)])
        try expectPrivate(made, files: 2)
        kill(process.process.identifier, SIGTERM)
        _ = process.finish()
        #expect(access(made, F_OK) != 0, "it goes with the server")
    }

    private func expectPrivate(_ folder: String, files: Int) throws {
        #expect(try mode(of: folder) == 0o700)
        let names = LiveReportPlace.entries(of: folder)
        #expect(names.count == files, "\(names)")
        for name in names { #expect(try mode(of: "\(folder)/\(name)") == 0o600, "\(name)") }
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path) is not there")
        return status.st_mode & 0o777
    }
}
