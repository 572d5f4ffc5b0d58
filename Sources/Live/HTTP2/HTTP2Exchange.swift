import HTTP

/// A whole request on its way to the handler.
struct HTTP2Exchange: Sendable {
    let connection: Int64
    let stream: Int32
    let request: HTTPRequest
    let peer: HTTPPeer
    /// What strikes its answer.
    let fault: HTTP2Fault.Kind?
}
