import CFFmpeg
import MediaCore
import QuickTime

/// Turns audio into the packets of a track.
protocol AudioTrackWriter: AnyObject {
  typealias Take = (UnsafeMutablePointer<AVPacket>) throws(QuickTimeError) -> Void

  /// Describes the track, before the file begins.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError)

  /// Frames that were given, and cannot be taken back.
  var given: Int64 { get }

  /// Takes interleaved samples of 32 bits, which wait.
  func append(_ samples: [Int32])

  /// Gives what waits, but for the last of it.
  ///
  /// - Parameter kept: Frames that go on waiting, since the session may be ended before them.
  func give(keeping kept: Int, _ take: Take) throws(QuickTimeError)

  /// Gives what is left.
  ///
  /// - Parameter end: The frame, counted from the file's beginning, behind which nothing is written;
  ///   nil for all.
  func finish(end: Int64?, _ take: Take) throws(QuickTimeError)
}

/// Audio waiting to be compressed, in the order of arrival.
struct WaitingAudio {
  private var samples: [Int32] = []
  private var start = 0
  private let channels: Int

  init(channels: Int) { self.channels = max(channels, 1) }

  /// Frames that wait.
  var count: Int { (samples.count - start) / channels }

  mutating func append(_ more: [Int32]) { samples += more }

  /// Takes frames out, and calls `body` with them.
  mutating func take<Result, Failure: Error>(
    _ frames: Int, _ body: (UnsafeBufferPointer<Int32>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let end = start + min(frames, count) * channels
    let range = start..<end
    defer {
      start = end
      if start > 1 << 16 {
        samples.removeFirst(start)
        start = 0
      }
    }
    return try samples.withUnsafeBufferPointer { all throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: all[range]))
    }
  }
}
