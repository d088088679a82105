import MediaCore
import Monitor

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A client as the server has it.
struct ServerClient {
  /// Whether the client may get the next frame.
  enum FrameTurn: Hashable {
    /// The next one from this instant on, in nanoseconds.
    case ready(from: Int64)
    /// None before the one of this number is acknowledged.
    case unacknowledged(Int, sent: Int64)
  }

  let id: Int
  let descriptor: Int32
  var input = LineBuffer(limit: MessageLine.commandLimit)
  var output = OutputQueue()
  /// The bytes of frames in `output`.
  var frameBytes = 0
  /// When the client last read something, or nothing waited for it.
  var lastProgress: Int64
  /// Commands without a reply.
  var underWay = 0
  var wantsEvents = false
  var subscription = MonitorSubscription()
  var turn = FrameTurn.ready(from: .min)
  /// True once the client is no longer read from: it is disconnected when its output was sent.
  var isClosing = false

  /// True once the client has closed its sending side. It may still read.
  var hasEnded = false

  /// True for a client that sends nothing and waits for nothing any more.
  var isDone: Bool {
    hasEnded && underWay == 0 && output.isEmpty && !wantsEvents
      && subscription == MonitorSubscription()
  }

  /// Sends as much output as the client takes immediately.
  ///
  /// - Returns: False if the connection has failed.
  mutating func flush(at now: Int64) -> Bool {
    while let count = output.withNext({ bytes in
      send(
        descriptor, bytes.baseAddress, min(bytes.count, 1 << 18),
        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }) {
      guard count > 0 else {
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
      }
      output.drop(count)
      lastProgress = now
    }
    frameBytes = 0
    lastProgress = now
    return true
  }

  /// Receives what has arrived.
  ///
  /// - Returns: False if the connection has failed.
  mutating func receive(into buffer: inout [UInt8]) -> Bool {
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count >= 0 else {
      return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR
    }
    if count == 0 { hasEnded = true }
    input.append(buffer[..<count])
    return true
  }

  /// Nanoseconds between two frames.
  private var frameInterval: Int64 {
    subscription.pictureRate > 0 ? Int64(saturating: 1e9 / subscription.pictureRate) : .max
  }

  /// The client has shown a frame, and may get the next one when that is due.
  ///
  /// - Returns: False if the frame is not the last one that was sent.
  mutating func acknowledge(_ number: Int) -> Bool {
    guard case .unacknowledged(number, let sent) = turn else { return false }
    turn = .ready(from: sent.addingSaturating(frameInterval))
    return true
  }

  /// The instant from which the client accepts a frame, in nanoseconds; nil if it cannot accept one now.
  var frameDue: Int64? {
    guard subscription.pictureRate > 0, case .ready(let instant) = turn else { return nil }
    return instant
  }
}
