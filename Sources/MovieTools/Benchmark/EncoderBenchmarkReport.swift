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
  /// The machine that it ran on, without which the numbers mean nothing.
  public struct Machine: Sendable, Hashable, Codable {
    /// The processor's name.
    public var processor: String
    /// The number of processors that the program may use.
    public var processors: Int
    /// The native encoder's kernels in use: `avx512`, `avx2`, `neon`, `c`.
    public var kernels: String
    /// The operating system's kernel: `Linux 6.1.0`.
    public var system: String
    /// The library behind the other encoders: `libavcodec 59.37.100`.
    public var library: String

    /// This machine.
    ///
    /// - Throws: `AssetWriterError` if `PRORES_KERNELS` names kernels that this processor cannot
    ///   run.
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
    /// The encoder's name on the command line.
    public var encoder: String
    /// The codec's sample-entry code.
    public var codec: String
    /// The codec's name.
    public var codecName: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The number of frames whose processor time was measured, one at a time, on one thread; 0 if
    /// the encoder was omitted.
    public var frameCount = 0
    /// The minimum processor time of a frame, in milliseconds.
    public var leastMilliseconds = 0.0
    /// The median processor time of a frame, in milliseconds.
    public var medianMilliseconds = 0.0
    /// The total number of frames in the rounds on all threads; 0 if there was no time for a round.
    public var framesInParallel = 0
    /// The number of rounds on all threads.
    public var roundsInParallel = 0
    /// Frames per second on all threads: the median of the rounds.
    public var framesPerSecond = 0.0
    /// The spread of the rounds: the difference between their highest and lowest frames per second,
    /// as a fraction of the median. Nil for fewer than three rounds.
    public var framesPerSecondSpread: Double?
    /// The number of processors that the program got while it used all threads: processor time
    /// divided by elapsed time, the median of the rounds.
    public var processorsInParallel = 0.0
    /// The frame rate for ``cores``.
    public var realTimeRate = 0.0
    /// The number of processors needed in real time: the median processor time times the frame
    /// rate.
    public var cores = 0.0
    /// Peak signal-to-noise ratio over all samples of the last frame, decoded by libavcodec, in dB.
    public var psnr = 0.0
    /// The same for luma only.
    public var lumaPSNR = 0.0
    /// The average frame size in bytes.
    public var bytesPerFrame = 0.0
    /// The frame size at Apple's target rate, in bytes.
    public var targetFrameBytes = 0
    /// The average number of attempts until a frame was small enough. Times are those of one
    /// attempt.
    public var attemptsPerFrame = 1.0
    /// Why the encoder was omitted; nil if it was not.
    public var omission: String?

    /// True if ``framesPerSecond`` is reproducible: there were enough rounds, and they differ by at
    /// most a tenth.
    public var isSteady: Bool { framesPerSecondSpread.map { $0 <= 0.1 } ?? false }
  }

  /// The machine.
  public var machine: Machine
  /// A description of the frames.
  public var pictures: String
  /// The duration of the run, in seconds.
  public var duration = 0.0
  /// The results, grouped by size and codec.
  public var results: [Result] = []
}

/// Names of the machine's processor and system.
enum ProcessorName {
  /// The processor's name.
  static var current: String {
    let text = read("/proc/cpuinfo")
    for key in ["model name", "Model", "Hardware"] {
      for line in text.split(separator: "\n") where line.hasPrefix(key) {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let name = line[line.index(after: colon)...].drop { $0 == " " }
        if !name.isEmpty { return String(name) }
      }
    }
    // Arm processors only have numbers, but the board has a name.
    let board = read("/proc/device-tree/model").filter { $0 != "\0" }
    return board.isEmpty ? machine : board
  }

  /// The system and its release.
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
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
