import Crypto
import Glibc
import Live

/// A certificate for `localhost` that signs itself, made by the `openssl` command in a folder that goes with this value.
final class TestAuthority {
    struct Failure: Error {}

    private let folder: String
    var certificateFile: String { "\(folder)/certificate.pem" }

    init() throws {
        var template = Array("/tmp/live-tests-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure() }
        folder = String(cString: path)
        let arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/key.pem", "-out",
            certificateFile,
        ]
        try Self.run(arguments)
    }

    deinit {
        for name in ["key.pem", "certificate.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    func identity() throws -> HTTPServerConfiguration.Identity {
        HTTPServerConfiguration.Identity(
            certificateChainPEM: try Self.read(certificateFile),
            keyPEM: Secret(try Self.read("\(folder)/key.pem"))
        )
    }

    private static func run(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var process = pid_t()
        var status: Int32 = 0
        guard posix_spawnp(&process, arguments[0], &actions, nil, &texts, environ) == 0,
            waitpid(process, &status, 0) == process, status == 0
        else { throw Failure() }
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Failure() }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
