import Crypto
import Glibc
import Live
import Platform

/// An authority for `localhost`, whose certificate lies in a folder that goes with this value.
final class TestAuthority {
    struct Failure: Error {}

    private let folder: String
    private let authority: ThrowawayAuthority
    var certificateFile: String { "\(folder)/certificate.pem" }

    init() throws {
        authority = try ThrowawayAuthority(name: "tests")
        var template = Array("/tmp/live-tests-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure() }
        folder = String(cString: path)
        guard let file = fopen("\(folder)/certificate.pem", "w") else { throw Failure() }
        fputs(try authority.certificatePEM, file)
        fclose(file)
    }

    deinit {
        unlink(certificateFile)
        rmdir(folder)
    }

    func identity(
        name: String = "localhost",
        addresses: [String] = ["127.0.0.1"],
        validity: ClosedRange<WallTime>? = nil
    ) throws -> HTTPServerConfiguration.Identity {
        let issued = try authority.issue(names: [name], addresses: addresses, validity: validity)
        return HTTPServerConfiguration.Identity(certificateChainPEM: issued.certificatePEM, keyPEM: issued.keyPEM)
    }
}
