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

/// An encoder that is fed from memory, and whose time is taken.
final class BenchmarkedEncoder {
  /// What some frames took.
  struct Pass {
    /// Processor time of the program, in seconds.
    var processorTime: Double
    /// Time on the clock, in seconds.
    var time: Double
    /// Bytes of each frame.
    var byteCounts: [Int]
    /// Times that a frame was encoded, of all together.
    var attempts: Int
    /// The frame that was delivered last.
    var last: EncodedFrame?
  }

  /// Which one it is.
  let choice: EncoderChoice
  private let encoder: any VideoEncoder
  private let delivery = Delivery()
  private var next: Int64 = 0
  /// Seconds of processor time that a frame takes before the encoder's own work begins.
  private let overhead: Double

  /// What the encoder's threads have made.
  ///
  /// Frames are released as they arrive, as a writer does. If they were kept, each would occupy new memory, which takes
  /// the kernel longer to hand out than encoding takes.
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
  /// - Parameter overhead: Seconds of processor time to leave out of each frame.
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

  /// Encodes pictures, `count` in all, no more than `depth` of them in flight.
  func encode(
    _ pictures: [PixelBuffer], count: Int, depth: Int = 1
  ) throws(AssetWriterError) -> Pass {
    let beganProcessor = Self.settledProcessorTime
    let began = MonotonicClock.now
    for number in 0..<count {
      if number >= depth { delivery.arrived.wait() }
      encoder.submit(pictures[Int(next) % pictures.count], index: next)
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

  /// The picture that the encoder saw last, out of those that it was given.
  func lastPicture(of pictures: [PixelBuffer]) -> PixelBuffer {
    pictures[Int(next + Int64(pictures.count) - 1) % pictures.count]
  }

  /// Nanoseconds of processor time of all threads of the program, when the encoder's are at rest.
  ///
  /// The kernel adds what a thread takes when it leaves the processor or at a tick, milliseconds
  /// apart: a thread that is still on its way to sleep would be counted in a later reading.
  private static var settledProcessorTime: Int64 {
    usleep(500)
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Processor time of bringing a picture into the layout of libavcodec's encoders, in seconds. It
  /// is the recorder's, not the encoder's.
  static func unpackingTime(_ picture: PixelBuffer) throws(MediaCoreError) -> Double {
    var target = try MutablePixelBuffer(picture.details)
    let unpacker = try PictureUnpacker(from: picture.details, to: picture.format)
    var least = Int64.max
    for _ in 0..<3 {
      let began = MediaThread.processorTime
      try unpacker.unpack(picture, into: &target)
      least = min(least, MediaThread.processorTime - began)
    }
    return Double(least) / 1e9
  }
}
