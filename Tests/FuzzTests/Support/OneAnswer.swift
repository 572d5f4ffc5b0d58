import HTTP

/// A server that gives the same answer to every request.
struct OneAnswer: HTTPClient {
    let response: HTTPResponse

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome { .response(response) }
}
