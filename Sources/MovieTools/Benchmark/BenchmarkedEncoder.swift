import AssetWriter
import Dispatch
import MediaCore
import ProRes
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// An encoder that is fed from memory and timed.
final class BenchmarkedEncoder {
  /// The measurement of some frames.
  struct Pass {
    /// The program's processor time, in seconds.
    var processorTime: Double
    /// Elapsed time, in seconds.
    var time: Double
    /// The size of each frame in bytes.
    var byteCounts: [Int]
    /// The total number of encoding attempts.
    var attempts: Int
    /// The last frame delivered.
    var last: EncodedFrame?
  }

  /// The encoder's identity.
  let choice: EncoderChoice
  private let encoder: any VideoEncoder
  private let delivery = Delivery()
  private var next: Int64 = 0
  /// The processor time per frame before the encoder's own work begins, in seconds.
  private let overhead: Double

  /// Collects the output of the encoder's threads.
  ///
  /// Frames are released as they arrive, like a writer does. If they were kept, each would need new
  /// memory, which the kernel takes longer to provide than encoding takes.
  private final class Delivery: Sendable {
    struct Tally {
      var byteCounts: [Int] = []
      var attempts = 0
      var last: EncodedFrame?
      var failure: AssetWriterError?
    }

    let tally = Mutex(Tally())
    let arrived = DispatchSemaphore(value: 0)

    func receive(_ result: Result<EncodedFrame, AssetWriterError>) {
      tally.withLock { tally in
        switch result {
        case .success(let frame):
          tally.byteCounts.append(frame.byteCount)
          tally.attempts += frame.attempts
          tally.last = frame
        case .failure(let error):
          if tally.failure == nil { tally.failure = error }
        }
      }
      arrived.signal()
    }
  }

  /// Starts an encoder.
  ///
  /// - Parameter overhead: The processor time to subtract for each frame, in seconds.
  init(
    _ choice: EncoderChoice, _ codec: VideoCodecType, _ size: VideoDimensions, rate: FrameRate,
    threads: Int, overhead: Double = 0
  ) throws(AssetWriterError) {
    guard let profile = ProResProfile(codec) else {
      throw AssetWriterError(.invalidSettings, "\(codec) is not a ProRes codec")
    }
    self.choice = choice
    self.overhead = overhead
    encoder = try EncoderFactory.makeEncoder(
      VideoEncoderConfiguration(
        profile: profile, dimensions: size, frameRate: rate, color: .bt709, threadCount: threads),
      choice)
    let delivery = delivery
    try encoder.start { delivery.receive($0) }
  }

  deinit { encoder.cancel() }

  /// Encodes `count` frames in total, with at most `depth` in flight.
  func encode(
    _ frames: [PixelBuffer], count: Int, depth: Int = 1
  ) throws(AssetWriterError) -> Pass {
    let beganProcessor = Self.settledProcessorTime
    let began = MonotonicClock.now
    for number in 0..<count {
      if number >= depth { delivery.arrived.wait() }
      encoder.submit(frames[Int(next) % frames.count], index: next)
      next += 1
    }
    for _ in 0..<min(depth, count) { delivery.arrived.wait() }
    let time = Double(MonotonicClock.now - began) / 1e9
    let processor = Double(Self.settledProcessorTime - beganProcessor) / 1e9
    let tally = delivery.tally.withLock { tally in
      defer { tally = Delivery.Tally() }
      return tally
    }
    if let failure = tally.failure { throw failure }
    return Pass(
      processorTime: max(processor - overhead * Double(count), 0), time: time,
      byteCounts: tally.byteCounts, attempts: tally.attempts, last: tally.last)
  }

  /// The last frame that the encoder was given.
  func lastFrame(of frames: [PixelBuffer]) -> PixelBuffer {
    frames[Int(next + Int64(frames.count) - 1) % frames.count]
  }

  /// The processor time of all threads of the program in nanoseconds, once the encoder's threads
  /// are idle.
  ///
  /// The kernel accounts a thread's time when it leaves the processor or at a tick, milliseconds
  /// apart: the time of a thread that is about to sleep would only show in a later reading.
  private static var settledProcessorTime: Int64 {
    usleep(500)
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The processor time of converting a frame to the layout of libavcodec's encoders, in seconds.
  /// It is the recorder's work, not the encoder's.
  static func unpackingTime(_ frame: PixelBuffer) throws(MediaCoreError) -> Double {
    var target = try MutablePixelBuffer(frame.details)
    let unpacker = try FrameUnpacker(from: frame.details, to: frame.format)
    var least = Int64.max
    for _ in 0..<3 {
      let began = MediaThread.processorTime
      try unpacker.unpack(frame, into: &target)
      least = min(least, MediaThread.processorTime - began)
    }
    return Double(least) / 1e9
  }
}
