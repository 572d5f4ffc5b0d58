import CCurl
import HTTP

/// What libcurl's codes mean to us: the one table.
enum CurlFailure {
    /// Why no whole response came back.
    static func failure(_ code: CURLcode, isSent: Bool) -> HTTPFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
        case CURLE_COULDNT_CONNECT: .connectionRefused
        case CURLE_OPERATION_TIMEDOUT: isSent ? .timedOut : .connectTimedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            .tlsFailed
        case CURLE_PARTIAL_FILE: .bodyTruncated
        case CURLE_FILESIZE_EXCEEDED: .responseTooLarge
        default: .connectionReset
        }
    }
}
