import ArgumentParser
import AssetReader
import AssetWriter
import MediaCore
import MovieTools
import Synchronization
import VideoRecorder

/// `recordctl bench`
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Benchmarks the available encoders on this machine.",
    discussion: """
      Runs each encoder in turn on the same frames in memory, and measures the processor time per \
      frame, the frames per second on all processors (median and spread of several rounds), the \
      number of processors needed for real time, the quality and the size. A full run takes about \
      two minutes; a slow encoder gets one frame, or none if that would take too long. Each row is \
      printed when its size and codec are measured. Without INPUT the frames are synthetic: \
      natural-looking, with grain. PRORES_KERNELS=avx2 and similar choose the kernels of the \
      native encoder.
      """)

  @Argument(
    help: "Movie, Y4M or raw file to take frames from (default: synthetic frames).",
    completion: .file())
  var input: String?

  @Option(
    help: "Codec: proxy, lt, 422, hq, 4444 or xq (default: all).",
    completion: VideoCodecType.completions,
    transform: VideoCodecType.argument)
  var codec: VideoCodecType?

  @Option(
    help: "Frame size as WIDTHxHEIGHT in pixels (default: 1080p, UHD and 8K).",
    completion: VideoDimensions.completions, transform: VideoDimensions.argument)
  var size: VideoDimensions?

  @Option(
    help: "Encoder: native, libavcodec:prores_ks or libavcodec:prores_aw (default: all three).",
    completion: .list(EncoderChoice.names), transform: EncoderChoice.argument)
  var encoder: EncoderChoice?

  @Option(
    help: "Frame rate in frames per second to count as real time (default: 60, or 30 at 8K).",
    completion: FrameRate.completions, transform: FrameRate.argument)
  var rate: FrameRate?

  @Option(
    help: "Approximate time limit in seconds (default: 110).",
    transform: Double.argument(in: 1...86_400))
  var seconds = 110.0

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard input == nil || size == nil else {
      throw ValidationError("--size is for synthetic frames; INPUT has its own size")
    }
  }

  func run() async throws {
    let progress = ProgressLine()
    var benchmark = EncoderBenchmark()
    if let codec { benchmark.codecs = [codec] }
    if let size { benchmark.sizes = [size] }
    if let encoder { benchmark.encoders = [encoder] }
    if let input { benchmark.input = try AssetLocation(input) }
    benchmark.rate = rate
    benchmark.duration = seconds
    benchmark.onProgress = { turn in progress.show { turn } }
    let rows = try json ? nil : BenchRows(benchmark.pictures, .current())
    benchmark.onResults = { results in
      progress.clear()
      rows?.print(results)
    }
    let report = try await benchmark.run()
    progress.clear()
    if json { try Console.print(.benchmark, report) } else { rows?.end(report) }
  }
}

/// A comparison in words, printed as it goes on.
final class BenchRows: Sendable {
  private let head: [String]
  private let isBegun = Atomic(false)

  /// What columns are wide: rows are printed before others are known.
  private static let widths = [9, 5, 20, 8, 7, 7, 5, 8, 6, 4, 9, 5, 8]

  init(_ frames: String, _ machine: EncoderBenchmarkReport.Machine) {
    var table = TextTable()
    table.add(
      "machine", "\(machine.processor), \(machine.processors) processors, \(machine.system)")
    table.add("native", "kernels \(machine.kernels)")
    table.add("library", machine.library)
    table.add("frames", "\(frames); encoders in turn")
    head = table.lines
  }

  /// Prints the rows of one size and codec.
  func print(_ results: [EncoderBenchmarkReport.Result]) {
    var table = TextTable(widths: Self.widths)
    if !isBegun.exchange(true, ordering: .relaxed) {
      Console.print(head + [""])
      table.add(
        "SIZE", "CODEC", "ENCODER", "FRAMES", "CPU MS", "MEDIAN", "TIMES", "FRAMES/S", "SPREAD",
        "USED", "CORES", "PSNR", "BYTES", "OF TARGET")
    }
    for result in results { Self.add(result, beside: results, to: &table) }
    Console.print(table.lines)
  }

  /// Prints what is said of all.
  func end(_ report: EncoderBenchmarkReport) {
    var lines = ["", "\(Quantity.number(report.duration, 0)) s in total"]
    if let remark = Self.remark(on: report) { lines.append(remark) }
    Console.print(lines + [""] + Self.legend.split(separator: "\n").map(String.init))
  }

  /// What is said where frames a second are not what the machine would give again.
  private static func remark(on report: EncoderBenchmarkReport) -> String? {
    let unsteady = report.results.filter { $0.framesInParallel > 0 && !$0.isSteady }
    guard !unsteady.isEmpty else { return nil }
    let used = unsteady.map(\.processorsInParallel).min() ?? 0
    return "~ rounds differ by more than 10 %, or were fewer than 3: do not quote these frames per "
      + "second. The program had \(Quantity.number(used, 1)) of \(report.machine.processors) "
      + "processors at least; measure again on a quiet machine, or longer with --seconds."
  }

  private static let legend = """
    FRAMES    frames encoded on one thread + on all processors
    CPU MS    minimum processor time per frame on one thread; MEDIAN is the median
    TIMES     processor time as a multiple of the native encoder's
    FRAMES/S  on all processors, median of the rounds; ~ if the rounds disagree
    SPREAD    fastest minus slowest round, relative to the median
    USED      processors that the program actually used
    CORES     processors needed for real time at the rate after the @
    PSNR      of all samples of the last frame, in dB
    """

  private static func add(
    _ result: EncoderBenchmarkReport.Result, beside all: [EncoderBenchmarkReport.Result],
    to table: inout TextTable
  ) {
    let size = "\(result.width)x\(result.height)"
    let codec = VideoCodecType(rawValue: result.codec).shortName
    if let omission = result.omission {
      table.add(size, codec, result.encoder, omission)
      return
    }
    let native = all.first { $0.encoder == "native" }
    let times = native.map { result.leastMilliseconds / max($0.leastMilliseconds, 1e-6) }
    table.add(
      size, codec, result.encoder, "\(result.frameCount)+\(result.framesInParallel)",
      Quantity.number(result.leastMilliseconds, 2), Quantity.number(result.medianMilliseconds, 2),
      times.map { Quantity.number($0, 1) } ?? "-",
      result.framesInParallel > 0
        ? (result.isSteady ? "" : "~") + Quantity.number(result.framesPerSecond, 1) : "-",
      result.framesPerSecondSpread.map { "\(Quantity.number(100 * $0, 0)) %" } ?? "-",
      result.framesInParallel > 0 ? Quantity.number(result.processorsInParallel, 1) : "-",
      "\(Quantity.number(result.cores, 2)) @\(Quantity.number(result.realTimeRate, 0))",
      Quantity.number(result.psnr, 2), "\(Int(result.bytesPerFrame))",
      "\(Quantity.number(100 * result.bytesPerFrame / Double(max(result.targetFrameBytes, 1)), 1)) %"
    )
  }
}
