import CCurl
import Glibc

/// libcurl as a whole.
enum CurlLibrary {
    /// `curl_global_init` must have run once before anything else; its manual page promises thread safety where the library was
    /// built with it, and a lazy global makes it once in any case.
    ///
    /// A write to a connection that the other side has closed must be an error like any other. libcurl leaves SIGPIPE to the program
    /// when it is told to use no signals (CURLOPT_NOSIGNAL).
    private static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// Traps when the library cannot start, which no program can survive that needs it.
    static func initialise() {
        precondition(isReady, "libcurl starts")
    }
}
