import Configuration
import Crypto
import HTTP
import Notifier
import Platform

@testable import Live

extension FuzzTarget {
    /// Files that an administrator names: a certificate chain, and behind a line `===` its key, which may be one of Apple's.
    /// `CHAIN` and `KEY` stand for what belongs together, `OTHER` for a key that does not, `P8` for one of Apple's.
    static let certificates = FuzzTarget("certificates") { bytes in
        guard let real = try? RealFiles.shared.get() else { return promise(false, "certificates can be made") }
        let text = real.replacing(String(decoding: bytes, as: UTF8.self))
        let parts = text.split(separator: "===\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return }
        let identity = HTTPServerConfiguration.Identity(certificateChainPEM: parts[0], keyPEM: Secret(parts[1]))
        serve(identity)
        let isOurs = parts[0].hasPrefix(real.chain) && parts[1].hasPrefix(real.key)
        do throws(HTTPServerError) {
            _ = try TLSContext(identity, answersALPN: true)
            promise(!parts[1].hasPrefix(real.other), "a key that does not belong to a certificate is refused")
        } catch {
            promise(error == .badIdentity, "what is wrong are the files")
            promise(!isOurs || parts[0] != real.chain, "what belongs together is taken")
        }
        readKey(parts[1], real)
    }

    /// GnuTLS reads the same files for the other server.
    private static func serve(_ identity: HTTPServerConfiguration.Identity) {
        var configuration = HTTPServerConfiguration()
        configuration.identity = identity
        do throws(HTTPServerError) {
            _ = try HTTPServer(configuration) { _, _ in SentResponse(HTTPResponse(status: 200)) }
        } catch {
            promise(error == .badIdentity, "what is wrong are the files, not \(error)")
        }
    }

    private static func readKey(_ text: String, _ real: RealFiles) {
        let key = NotifierSecrets.APNsKey(pem: Secret(text), keyID: "KEY1234567", teamID: "TEAM123456")
        do {
            try key.validate()
            let signature = try ES256PrivateKey(pem: text).sign([1])
            promise(signature.count == 64, "a key that is taken signs")
        } catch let error as ConfigurationError {
            promise(!text.hasPrefix(real.apns), "Apple's file is taken as it is")
            promise(!"\(error)".contains("-----"), "an error repeats no key")
        } catch {
            promise(false, "a key that was taken signs: \(error)")
        }
    }
}

/// Made once; no key stands in the corpus.
private struct RealFiles {
    let chain: String
    let key: String
    let other: String
    let apns: String

    static let shared = Result { try RealFiles() }

    private init() throws {
        let authority = try ThrowawayAuthority(name: "fuzz")
        let issued = try authority.issue(names: ["localhost"], addresses: [])
        chain = issued.certificatePEM
        key = issued.keyPEM.exposedText
        other = try authority.issue(names: ["localhost"], addresses: []).keyPEM.exposedText
        apns = try ES256PrivateKey.generate().pem.exposedText
    }

    func replacing(_ text: String) -> String {
        [("CHAIN\n", chain), ("KEY\n", key), ("OTHER\n", other), ("P8\n", apns)].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
