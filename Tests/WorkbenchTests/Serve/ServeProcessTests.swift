import FoundationEssentials
import Glibc
import ScenarioFixtures
import Testing
import Verdict

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

    @Test func `a server that gets no port leaves the files of the one that has it`() throws {
        struct Line: Decodable {
            struct Service: Decodable { var url: String }
            var gitlab: Service
        }
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let process = try SimctlProcess(["serve", "tiny.json", "--cert-dir", "certs"], in: folder)
        let line = try JSONDecoder().decode(Line.self, from: Data(process.firstLine().utf8))
        let end = try #require(line.gitlab.url.split(separator: ":").last)
        let port = end.prefix { $0.isNumber }
        let authority = try folder.read("certs/authority.pem")
        let second = try SimctlProcess.run(
            ["serve", "tiny.json", "--cert-dir", "certs", "--gitlab", String(port)],
            in: folder
        )
        #expect(second.exitCode == .internalError && second.errors.contains("cannot listen"), "\(second.errors)")
        #expect(try folder.read("certs/authority.pem") == authority)
        kill(process.process.identifier, SIGTERM)
        _ = process.finish()
    }

    @Test(arguments: ["tiny.json", "none/certs"])
    func `a folder that is none is refused before anything listens`(place: String) throws {
        let folder = try TestFolder()
        try folder.write(makeScenarioText(), to: "tiny.json")
        let refused = try SimctlProcess.run(["serve", "tiny.json", "--cert-dir", place], in: folder)
        #expect(refused.exitCode == .usage && refused.errors.contains("--cert-dir DIR"), "\(refused.errors)")
        #expect(try folder.read("tiny.json") == makeScenarioText() + "\n")
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
