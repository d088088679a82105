public import AssetWriter
import MediaCore
import ProRes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The result of a comparison of encoders.
public struct EncoderBenchmarkReport: Sendable, Codable {
  /// The machine that it ran on: without it the numbers mean nothing.
  public struct Machine: Sendable, Hashable, Codable {
    /// The processor's name.
    public var processor: String
    /// Processors that the program may use.
    public var processors: Int
    /// The native encoder's kernels in use: `avx512`, `avx2`, `neon`, `c`.
    public var kernels: String
    /// The kernel of the system: `Linux 6.1.0`.
    public var system: String
    /// The library behind the other encoders: `libavcodec 59.37.100`.
    public var library: String

    /// This machine.
    ///
    /// - Throws: `AssetWriterError` where `PRORES_KERNELS` names kernels that this processor cannot run.
    public static func current() throws(AssetWriterError) -> Machine {
      let kernels: KernelChoice
      do throws(ProResError) { kernels = try .automatic() } catch {
        throw AssetWriterError(.invalidSettings, error.message)
      }
      return Machine(
        processor: ProcessorName.current, processors: Processors.count, kernels: kernels.rawValue,
        system: ProcessorName.system, library: EncoderCapabilities.libraryVersion)
    }
  }

  /// One encoder at one codec and size.
  public struct Result: Sendable, Hashable, Codable {
    /// The encoder, as the command line names it.
    public var encoder: String
    /// The codec's sample-entry code.
    public var codec: String
    /// The codec's name.
    public var codecName: String
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Frames whose processor time was taken, one at a time, on one thread; 0 where the encoder was
    /// left out.
    public var frameCount = 0
    /// The least processor time of a frame, in milliseconds.
    public var leastMilliseconds = 0.0
    /// The median of the processor time of a frame, in milliseconds.
    public var medianMilliseconds = 0.0
    /// Frames of the rounds on all threads, together; 0 where there was no time for one.
    public var framesInParallel = 0
    /// Rounds on all threads.
    public var roundsInParallel = 0
    /// Frames a second on all threads: the median of the rounds.
    public var framesPerSecond = 0.0
    /// How far the rounds lie apart: their largest frames a second less the least, as a part of the
    /// median. Nil for fewer than three rounds.
    public var framesPerSecondSpread: Double?
    /// Processors that the program had while it used all threads: processor time over the time on
    /// the clock, the median of the rounds.
    public var processorsInParallel = 0.0
    /// The rate for which ``cores`` is.
    public var realTimeRate = 0.0
    /// Processors that real time takes: the median times the rate.
    public var cores = 0.0
    /// Peak signal-to-noise ratio over all samples of the last frame, decoded by libavcodec, in dB.
    public var psnr = 0.0
    /// The same of luma alone.
    public var lumaPSNR = 0.0
    /// Bytes of a frame on average.
    public var bytesPerFrame = 0.0
    /// Bytes of a frame at Apple's target rate.
    public var targetFrameBytes = 0
    /// Times that a frame was encoded until it was small enough; the time is that of one.
    public var attemptsPerFrame = 1.0
    /// Why the encoder was left out; nil where it was not.
    public var omission: String?

    /// Whether ``framesPerSecond`` is a figure that the machine would give again: there were rounds
    /// enough to tell, and they lie within a tenth of each other.
    public var isSteady: Bool { framesPerSecondSpread.map { $0 <= 0.1 } ?? false }
  }

  /// The machine.
  public var machine: Machine
  /// What was encoded.
  public var pictures: String
  /// How long it took, in seconds.
  public var duration = 0.0
  /// The encoders, those of one size and codec together.
  public var results: [Result] = []
}

/// What the machine calls itself.
enum ProcessorName {
  /// The processor.
  static var current: String {
    let text = read("/proc/cpuinfo")
    for key in ["model name", "Model", "Hardware"] {
      for line in text.split(separator: "\n") where line.hasPrefix(key) {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let name = line[line.index(after: colon)...].drop { $0 == " " }
        if !name.isEmpty { return String(name) }
      }
    }
    // Arm processors have numbers only; the board has a name.
    let board = read("/proc/device-tree/model").filter { $0 != "\0" }
    return board.isEmpty ? machine : board
  }

  /// System and release.
  static var system: String {
    let release = read("/proc/sys/kernel/osrelease").filter { !$0.isNewline }
    return "Linux \(release) \(machine)"
  }

  private static var machine: String {
    #if arch(x86_64)
    "x86_64"
    #elseif arch(arm64)
    "arm64"
    #else
    "processor of unknown kind"
    #endif
  }

  private static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
