import CNGHTTP2
import HTTP
import Platform

/// Requests as they come in, and what the session tells of its frames.
extension HTTP2Connection: HTTP2SessionDelegate {
    func beginRequest(on stream: Int32) {
        hasBegun = true
        streams[stream] = HTTP2Stream(id: stream, startedAt: lastMoveAt)
        let open = streams.count
        loop.count { $0.peakStreams = max($0.peakStreams, open) }
    }

    func takeField(_ name: String, _ value: String, on stream: Int32) {
        let isCut = configuration.excess == .cut
        streams[stream]?.take(name, value, limitBytes: configuration.headerLimitBytes, isCut: isCut)
    }

    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) {
        if !withholdsWindow { session?.makeRoom(bytes.count, on: stream) }
        guard let stream = streams[stream] else { return }
        bufferedBytes -= stream.body.count
        stream.take(bytes, limitBytes: configuration.bodyLimitBytes, isCut: configuration.excess == .cut)
        bufferedBytes += stream.body.count
        if stream.receivedBytes > 4 * configuration.bodyLimitBytes || bufferedBytes > configuration.bufferLimitBytes {
            session?.reset(stream.id, NGHTTP2_ENHANCE_YOUR_CALM)
        }
    }

    func endHead(on stream: Int32) {
        streams[stream]?.hasHead = true
    }

    func endRequest(on stream: Int32) {
        guard let stream = streams[stream] else { return }
        stream.isWhole = true
        bufferedBytes -= stream.body.count
        handOver(stream)
    }

    func endStream(_ stream: Int32) {
        defer { goAwayWhenDue() }
        guard let stream = streams.removeValue(forKey: stream), !stream.isWhole else { return }
        bufferedBytes -= stream.body.count
    }

    func exceededStreams() {
        guard streams.count >= streamLimit, loop.punishesExcess else { return }
        // Plain text where every other goodbye is JSON (APNs facts §8).
        goAwayForGood(NGHTTP2_REFUSED_STREAM, data: Array("\(streamLimit) active streams are allowed".utf8))
    }

    func received(_ frame: nghttp2_frame_type, isAcknowledgement: Bool) {
        guard !swallowsEverything else { return }
        switch frame {
        case NGHTTP2_PING where !isAcknowledgement: loop.count { $0.pings += 1 }
        case NGHTTP2_RST_STREAM: loop.count { $0.streamsResetByClient += 1 }
        default: break
        }
    }

    // MARK: Handing over

    /// Hands a whole request over, unless it is too large, a fault strikes it, or the connection has said goodbye before it.
    private func handOver(_ stream: HTTP2Stream) {
        guard stream.id <= lastStream else { return }
        if configuration.excess == .refused {
            guard !stream.hasLongHeaders else { return respond(on: stream, HTTPResponse(status: 431)) }
            guard stream.receivedBytes <= configuration.bodyLimitBytes else {
                return respond(on: stream, HTTPResponse(status: 413))
            }
        }
        // A client that opens and resets streams must not leave the handler more work than its limit allows.
        guard underWay < configuration.streamPolicy.proven else {
            session?.reset(stream.id, NGHTTP2_REFUSED_STREAM)
            return
        }
        let fault = loop.drawFault()
        if let fault, prevents(stream, fault) { return }
        underWay += 1
        let scheme = configuration.identity == nil ? "http" : "https"
        loop.handOver(
            HTTP2Exchange(
                connection: id,
                stream: stream.id,
                request: stream.request(scheme: scheme),
                peer: HTTPPeer(address: address, connection: id),
                fault: fault
            )
        )
    }

    /// Lets a fault strike that does so before the request is handled; true when it keeps it from being handled.
    private func prevents(_ stream: HTTP2Stream, _ fault: HTTP2Fault.Kind) -> Bool {
        switch fault {
        case .refuseStream: session?.reset(stream.id, NGHTTP2_REFUSED_STREAM)
        case .resetStream: session?.reset(stream.id, NGHTTP2_INTERNAL_ERROR)
        case .neverAnswer: break
        case .goAwayBefore(let reason): goAway(after: max(0, stream.id - 2), data: Self.data(reason))
        case .goAwayFatal(let reason): goAwayForGood(after: 0, data: Self.data(reason))
        case .resetConnection: abort()
        case .halfOpen: goDeaf()
        case .streamLimit(let limit):
            announce(limit)
            return false
        case .exhaustedWindow:
            withholdsWindow = true
            return false
        case .resetStreamAfterActing, .goAway, .goAwayTwice, .splitAnswer, .goAwayOnExcess, .goAwayWhenIdle:
            return false
        }
        return true
    }
}
