public import AssetReader
public import AssetWriter
import Dispatch
public import MediaCore
import ProRes

/// Compares encoders on the same frames in one run, taking turns, so that other load on the machine
/// affects all alike.
///
/// For each size and codec, the encoders take turns with one or a few frames on one thread, and
/// their processor time is measured. Then each runs on all threads, in rounds whose median counts.
/// The last frame of each is decoded and compared with its original. The run keeps to a time limit:
/// slow encoders get few frames, and are omitted, with a note in the report, if not even one would
/// fit. The first size and codec is always measured.
public struct EncoderBenchmark: Sendable {
  /// The sizes of generated frames. A file has its own.
  public var sizes = EncoderBenchmark.standardSizes
  /// The codecs.
  public var codecs = VideoCodecType.allProRes
  /// The encoders.
  public var encoders: [EncoderChoice] = [
    .native, .libavcodec(.proresAW), .libavcodec(.proresKS),
  ]
  /// A movie, Y4M or raw file to take frames from; nil for generated frames.
  public var input: AssetLocation?
  /// The frame rate for which the cores needed in real time are reported; nil for 60, and 30 above
  /// UHD.
  public var rate: FrameRate?
  /// The approximate maximum duration of the run, in seconds.
  public var duration = 110.0
  /// Called before each encoder's turn, with a description.
  public var onProgress: (@Sendable (String) -> Void)?
  /// Called with the results of each size and codec once all its encoders are measured.
  public var onResults: (@Sendable ([EncoderBenchmarkReport.Result]) -> Void)?

  /// A description of the frames.
  public var pictures: String {
    input?.displayName ?? "generated: natural-like, with grain"
  }

  /// 1080p, UHD and 8K.
  public static let standardSizes = [
    VideoDimensions(width: 1920, height: 1080), VideoDimensions(width: 3840, height: 2160),
    VideoDimensions(width: 7680, height: 4320),
  ]

  /// Creates a comparison with all defaults.
  public init() {}

  /// Runs the comparison on a separate thread.
  ///
  /// - Throws: The errors of ``runBlocking()``.
  public func run() async throws -> EncoderBenchmarkReport {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "encoder-benchmark").async {
        continuation.resume(with: Result { try runBlocking() })
      }
    }
  }

  /// Runs the comparison. Blocks, so must not be called on the cooperative pool's threads.
  ///
  /// - Throws: `AssetWriterError` if an encoder is unavailable or fails, `AssetReaderError` if the
  ///   file cannot be read, `MediaCoreError` if it lacks a codec's chroma.
  public func runBlocking() throws -> EncoderBenchmarkReport {
    var run = try BenchmarkRun(self)
    return try run.complete()
  }
}

/// A running comparison.
private struct BenchmarkRun {
  /// A codec at a size.
  struct Group: Hashable {
    var size: VideoDimensions
    var codec: VideoCodecType

    /// The frames that it uses.
    var pictures: Frames { Frames(size: size, isFullChroma: codec.is4444) }

    /// The number of samples in a frame.
    var samples: Double {
      Double(size.width * size.height) * (codec.is4444 ? 3 : 2)
    }
  }

  /// Frames that several groups share.
  struct Frames: Hashable {
    var size: VideoDimensions
    var isFullChroma: Bool
  }

  private let benchmark: EncoderBenchmark
  private let choices: [EncoderChoice]
  private let began = MonotonicClock.now
  private var groups: [Group]
  private var report: EncoderBenchmarkReport
  /// The encoding time per sample in seconds, by encoder: estimated at first, then measured.
  private var pace: [EncoderChoice: Double] = [:]
  private var pictures: [PixelBuffer] = []
  private var framesOf: Frames?
  /// The time to make frames per sample in seconds: estimated at first, then measured.
  private var framePace = 30e-9

  init(_ benchmark: EncoderBenchmark) throws {
    self.benchmark = benchmark
    choices = try benchmark.encoders.map { choice throws(AssetWriterError) in
      try EncoderCapabilities.current.resolve(choice)
    }
    var sizes = benchmark.sizes
    if let input = benchmark.input {
      let reader = try AssetReader(input)
      guard let video = reader.videoTrack?.video else {
        throw AssetReaderError(.noSuchTrack, "\(input.displayName) contains no video")
      }
      sizes = [video.dimensions]
    }
    // The most important codecs come first, so that the others are omitted if time runs out.
    let order: [VideoCodecType] = [
      .proRes422HQ, .proRes422, .proRes422LT, .proRes422Proxy, .proRes4444XQ, .proRes4444,
    ]
    let codecs = order.filter(benchmark.codecs.contains)
    groups = sizes.flatMap { size in codecs.map { Group(size: size, codec: $0) } }
    report = EncoderBenchmarkReport(machine: try .current(), pictures: benchmark.pictures)
    for choice in choices {
      pace[choice] =
        switch choice {
        case .native, .automatic: 8e-9
        case .libavcodec(.proresAW): 30e-9
        case .libavcodec(.proresKS): 170e-9
        }
    }
  }

  private var elapsed: Double { Double(MonotonicClock.now - began) / 1e9 }

  /// The expected time per frame of an encoder, in seconds.
  private func expected(_ choice: EncoderChoice, _ group: Group) -> Double {
    (pace[choice] ?? 0) * group.samples
  }

  /// The minimum time of a group in seconds: making its frames, and the fastest encoder alone.
  private func least(_ group: Group, after present: Frames?) -> Double {
    6 * (choices.map { expected($0, group) }.min() ?? 0)
      + (group.pictures == present ? 0 : framePace * group.samples)
  }

  /// The minimum time of the groups from `index` on, in seconds. The first groups are compared
  /// completely; slow encoders are omitted from the last ones.
  private func reserve(from index: Int) -> Double {
    groups[index...].indices.reduce(0) { $0 + least(groups[$1], after: groups[$1 - 1].pictures) }
  }

  mutating func complete() throws -> EncoderBenchmarkReport {
    for (index, group) in groups.enumerated() {
      let measured = report.results.count
      let left = benchmark.duration - elapsed - reserve(from: index + 1)
      if index > 0, elapsed + least(group, after: framesOf) > benchmark.duration {
        report.results += choices.map { omission(of: $0, group, "the time is over") }
      } else {
        try measure(group, left: left, share: left / Double(groups.count - index))
      }
      benchmark.onResults?(Array(report.results[measured...]))
    }
    report.duration = elapsed
    return report
  }

  private mutating func loadFrames(_ group: Group) throws {
    guard framesOf != group.pictures else { return }
    benchmark.onProgress?("\(group.size) frames")
    let began = elapsed
    pictures = []
    // A second of frames would not fit into memory, and encoders only need frames that change.
    let count = group.samples > 2e7 ? 2 : 4
    if let input = benchmark.input {
      pictures = try BenchmarkFrames(
        input, isFullChroma: group.codec.is4444, count: count
      ).frames
    } else {
      pictures = try BenchmarkFrames(
        group.size, isFullChroma: group.codec.is4444, count: count
      ).frames
    }
    framesOf = group.pictures
    framePace = (elapsed - began) / group.samples
  }

  /// One encoder in a group.
  private struct Entrant {
    let encoder: BenchmarkedEncoder
    let overhead: Double
    var times: [Double] = []
    var bytes: [Int] = []
    var attempts = 0
    var last: EncodedFrame?
    var parallel = ParallelRounds()
  }

  private mutating func measure(_ group: Group, left: Double, share: Double) throws {
    try loadFrames(group)
    let start = elapsed
    let unpacking = try BenchmarkedEncoder.unpackingTime(pictures[0])
    var entrants: [Entrant] = []
    var omitted: [EncoderBenchmarkReport.Result] = []
    for choice in choices {
      guard choices.count == 1 || choice == .native || expected(choice, group) <= left else {
        let seconds = Int(expected(choice, group).rounded(.up))
        omitted.append(omission(of: choice, group, "a frame takes about \(seconds) s"))
        continue
      }
      let overhead = choice == .native ? 0 : unpacking
      entrants.append(
        Entrant(
          encoder: try BenchmarkedEncoder(
            choice, group.codec, group.size, rate: rate(group), threads: 1, overhead: overhead),
          overhead: overhead))
    }
    if let index = entrants.firstIndex(where: { $0.encoder.choice == .native }) {
      // The first frames have no previous frame from which to predict their rate.
      _ = try entrants[index].encoder.encode(pictures, count: 2)
    }
    var longestRound = 0.0
    for round in 0..<20 {
      let before = elapsed
      // Half the time is for measuring processor time; the rest is for all threads.
      guard round == 0 || before - start + longestRound < share * 0.5 else { break }
      for index in entrants.indices { try turn(&entrants[index], group) }
      longestRound = max(longestRound, elapsed - before)
    }
    for index in entrants.indices {
      let choice = entrants[index].encoder.choice
      let rest = max(share - (elapsed - start), 0)
      // The native encoder comes first: it needs little time, even if none is left for the others.
      let duration = min(choice == .native ? max(rest * 0.5, share * 0.15) : rest, 4)
      if choice == .native || expected(choice, group) * 1.2 <= max(rest, share * 0.15) {
        try runInParallel(&entrants[index], group, duration: duration)
      }
    }
    for entrant in entrants { report.results.append(try result(of: entrant, group)) }
    report.results += omitted
  }

  /// Encodes a few frames in turn on one thread.
  private mutating func turn(_ entrant: inout Entrant, _ group: Group) throws {
    let choice = entrant.encoder.choice
    benchmark.onProgress?("\(group.size) \(group.codec.shortName) \(choice)")
    let count = choice == .native ? 4 : 1
    for _ in 0..<count {
      let pass = try entrant.encoder.encode(pictures, count: 1)
      entrant.times.append(pass.processorTime / Double(max(pass.attempts, 1)))
      entrant.attempts += pass.attempts
      entrant.bytes += pass.byteCounts
      entrant.last = pass.last
      pace[choice] = pass.time / group.samples
    }
  }

  private func runInParallel(
    _ entrant: inout Entrant, _ group: Group, duration: Double
  ) throws(AssetWriterError) {
    let choice = entrant.encoder.choice
    benchmark.onProgress?("\(group.size) \(group.codec.shortName) \(choice) on all processors")
    let threads = Processors.count
    let encoder = try BenchmarkedEncoder(
      choice, group.codec, group.size, rate: rate(group), threads: threads)
    // Elapsed time is that of a recording, including everything a frame needs.
    try entrant.parallel.run(
      encoder, pictures, threads: threads, frameTime: expected(choice, group), duration: duration)
  }

  private func rate(_ group: Group) -> FrameRate {
    benchmark.rate ?? (group.size.width * group.size.height > 4096 * 2304 ? .fps30 : .fps60)
  }

  private func result(
    of entrant: Entrant, _ group: Group
  ) throws -> EncoderBenchmarkReport.Result {
    var result = blank(entrant.encoder.choice, group)
    let times = entrant.times.sorted()
    result.frameCount = times.count
    result.leastMilliseconds = times[0] * 1000
    result.medianMilliseconds = times[times.count / 2] * 1000
    result.framesInParallel = entrant.parallel.frames
    result.roundsInParallel = entrant.parallel.rounds.count
    result.framesPerSecond = entrant.parallel.framesPerSecond
    result.framesPerSecondSpread = entrant.parallel.spread
    result.processorsInParallel = entrant.parallel.processors
    result.cores = times[times.count / 2] * result.realTimeRate
    result.bytesPerFrame = Double(entrant.bytes.reduce(0, +)) / Double(entrant.bytes.count)
    result.attemptsPerFrame = Double(entrant.attempts) / Double(times.count)
    if let frame = entrant.last {
      let decoder = try EncodedFrameDecoder(group.codec, size: group.size)
      let decoded = try frame.withUnsafeBytes { bytes throws(AssetReaderError) in
        try decoder.decode(bytes)
      }
      let difference = try FrameDifference(
        entrant.encoder.lastFrame(of: pictures), decoded)
      result.psnr = difference.psnr
      result.lumaPSNR = difference.lumaPSNR
    }
    return result
  }

  private func omission(
    of choice: EncoderChoice, _ group: Group, _ reason: String
  ) -> EncoderBenchmarkReport.Result {
    var result = blank(choice, group)
    result.omission = "omitted: \(reason); measure only this size and codec"
    return result
  }

  private func blank(_ choice: EncoderChoice, _ group: Group) -> EncoderBenchmarkReport.Result {
    var result = EncoderBenchmarkReport.Result(
      encoder: choice.description, codec: group.codec.rawValue, codecName: group.codec.displayName,
      width: group.size.width, height: group.size.height)
    result.realTimeRate = rate(group).framesPerSecond
    result.targetFrameBytes =
      ProResProfile(group.codec)?.targetFrameBytes(
        width: group.size.width, height: group.size.height) ?? 0
    return result
  }
}
