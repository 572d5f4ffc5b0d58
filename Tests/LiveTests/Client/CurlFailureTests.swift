import CCurl
import HTTP
import Testing

@testable import Live

/// What libcurl's codes (libcurl-errors(3)) mean to us, row by row.
struct CurlFailureTests {
    private static let table: [UInt32: HTTPFailure] = [
        CURLE_COULDNT_RESOLVE_PROXY.rawValue: .nameNotResolved,
        CURLE_COULDNT_RESOLVE_HOST.rawValue: .nameNotResolved,
        CURLE_COULDNT_CONNECT.rawValue: .connectionRefused,
        CURLE_PARTIAL_FILE.rawValue: .bodyTruncated,
        CURLE_SSL_CONNECT_ERROR.rawValue: .tlsFailed,
        CURLE_SSL_CERTPROBLEM.rawValue: .tlsFailed,
        CURLE_SSL_CIPHER.rawValue: .tlsFailed,
        CURLE_PEER_FAILED_VERIFICATION.rawValue: .tlsFailed,
        CURLE_FILESIZE_EXCEEDED.rawValue: .responseTooLarge,
        CURLE_USE_SSL_FAILED.rawValue: .tlsFailed,
        CURLE_SSL_CACERT_BADFILE.rawValue: .tlsFailed,
        CURLE_SSL_ISSUER_ERROR.rawValue: .tlsFailed,
    ]

    @Test(arguments: table, [false, true])
    func `a code that the table maps means the same whether the request was sent or not`(
        row: (key: UInt32, value: HTTPFailure),
        isSent: Bool
    ) {
        #expect(CurlFailure.failure(CURLcode(row.key), isSent: isSent) == row.value)
    }

    /// The request may have arrived (it is unknown what became of it), or it never left.
    @Test(arguments: [(false, HTTPFailure.connectTimedOut), (true, .timedOut)])
    func `a timeout is definite until the request is sent`(isSent: Bool, failure: HTTPFailure) {
        #expect(CurlFailure.failure(CURLE_OPERATION_TIMEDOUT, isSent: isSent) == failure)
    }

    /// Among them those that a connection breaks by: an empty reply, a failed send or receive, a broken stream of HTTP/2.
    @Test(arguments: [false, true])
    func `every other code is a connection that was reset, also one that no libcurl knows`(isSent: Bool) {
        let others = (1...200).filter { Self.table[$0] == nil && $0 != CURLE_OPERATION_TIMEDOUT.rawValue }
        let mapped = others.filter { CurlFailure.failure(CURLcode($0), isSent: isSent) != .connectionReset }
        #expect(mapped == [])
        for code in [CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM] {
            #expect(others.contains(code.rawValue))
        }
    }
}
