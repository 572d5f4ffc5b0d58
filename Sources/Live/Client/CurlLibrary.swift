import CCurl

/// libcurl as a whole.
enum CurlLibrary {
    /// `curl_global_init` must have run once before anything else; its manual page promises thread safety where the library was
    /// built with it, and a lazy global makes it once in any case.
    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Traps when the library cannot start, which no program can survive that needs it.
    static func initialise() {
        precondition(isReady, "libcurl starts")
    }
}
