/// What an HTTP/2 server has seen since it began.
package struct HTTP2Counters: Sendable, Equatable {
    package var connectionsOpened = 0
    var connectionsRefused = 0
    /// Requests handed to the handler.
    package var requests = 0
    /// Streams open on one connection at most.
    package var peakStreams = 0
    /// RST_STREAM with REFUSED_STREAM, by fault or because the limit was exceeded.
    package var refusedStreams = 0
    /// RST_STREAM from clients.
    package var streamsResetByClient = 0
    package var goAways = 0
    /// Requests that a fault struck.
    package var faults = 0
    package var pings = 0
}
