import MediaCore
package import ProRes
package import QuickTime

/// Reads every frame of a track and checks its bytes and time.
struct FramePass {
  let track: MovieIndex.Track
  let file: any MovieByteSource
  let checksSlices: Bool
  var onProgress: ((Double) -> Void)?
  /// Called with each frame's bytes, in order.
  var onFrame: (([UInt8], Int) -> Void)?
  /// Called with each frame that any decoder should accept, in order.
  var onCleanFrame: ((Int) -> Void)?

  /// The number of frames read before they are checked together, on all cores.
  private static let batchSize = 16
  /// A batch is complete once it has this many bytes.
  private static let batchByteCount = 64 << 20
  /// The largest frame that is read, in bytes. 8K ProRes 4444 XQ needs less than a third.
  private static let frameByteLimit: UInt64 = 256 << 20

  private var codec: VideoCodecType { VideoCodecType(rawValue: track.codec.description) }

  init(track: MovieIndex.Track, file: any MovieByteSource, checksSlices: Bool) {
    self.track = track
    self.file = file
    self.checksSlices = checksSlices
  }

  func run(_ log: inout FindingLog) throws(QuickTimeError) -> VerificationReport.Video {
    let samples = track.samples
    var video = summary
    checkTimes(&log)
    guard codec.isProRes else {
      log.add(
        .note, .bitstream,
        "the video is '\(track.codec)', not ProRes; it is only decoded")
      return video
    }
    let checker = FrameChecker(decodesSlices: checksSlices)
    let expectation = FrameExpectation(track)
    var previous: [UInt8] = []
    var position = 0
    let fileSize = try file.size()
    while position < samples.count {
      let limit = min(position + Self.batchSize, samples.count)
      var end = position
      var frames: [[UInt8]] = []
      var byteCount = 0
      while end < limit, byteCount < Self.batchByteCount, let sample = samples[end] {
        frames.append(try read(sample, end, fileSize, &log))
        byteCount += frames.last?.count ?? 0
        end += 1
      }
      let reports = Self.check(frames, checker, expectation)
      for (offset, report) in reports.enumerated() {
        let bytes = frames[offset]
        take(report, bytes, frame: position + offset, &video, &log)
        onFrame?(bytes, position + offset)
        if report.findings.isEmpty, !report.isUnusual { onCleanFrame?(position + offset) }
        if !bytes.isEmpty, bytes == previous { video.framesRepeated += 1 }
        previous = bytes
      }
      position = end
      onProgress?(Double(position) / Double(samples.count))
    }
    if video.framesRepeated > 0 {
      log.add(
        .note, .timing,
        "\(video.framesRepeated) frames are identical to the previous one: repeated to fill a gap, "
          + "or a still image")
    }
    return video
  }

  private var summary: VerificationReport.Video {
    let samples = track.samples
    let facts = track.video
    let size = facts?.dimensions ?? VideoDimensions(width: 0, height: 0)
    let seconds = track.mediaDuration.isNumeric ? track.mediaDuration.seconds : 0
    return VerificationReport.Video(
      codec: codec.rawValue, codecName: codec.displayName, encoderIdentifier: "",
      width: size.width, height: size.height, frameRate: track.frameRate?.fraction,
      fieldOrder: facts?.fieldOrder, color: facts?.color?.description, frameCount: samples.count,
      framesRepeated: 0, duration: seconds, byteCount: samples.byteCount,
      bitRate: seconds > 0 ? Double(samples.byteCount) * 8 / seconds : 0, largestFrameBytes: 0,
      targetFrameBytes: ProResProfile(codec)?
        .targetFrameBytes(width: size.width, height: size.height),
      quantization: [])
  }

  private func read(
    _ sample: SampleTable.Sample, _ number: Int, _ fileSize: UInt64, _ log: inout FindingLog
  ) throws(QuickTimeError) -> [UInt8] {
    // Allocate only what the file can hold, not what the index claims.
    let held = min(UInt64(sample.size), fileSize - min(sample.offset, fileSize))
    guard held <= Self.frameByteLimit else {
      log.add(
        .error, .container,
        "a frame of \(sample.size) bytes; larger ones than \(Self.frameByteLimit) are not read",
        frame: number)
      return []
    }
    var bytes = [UInt8](repeating: 0, count: Int(held))
    var failure: QuickTimeError?
    var count = 0
    bytes.withUnsafeMutableBytes { buffer in
      do throws(QuickTimeError) {
        count = try file.read(into: buffer, at: sample.offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    if count < Int(sample.size) {
      log.add(.error, .container, "the file ends within the frame", frame: number)
      bytes.removeLast(bytes.count - count)
    }
    return bytes
  }

  private static func check(
    _ frames: [[UInt8]], _ checker: FrameChecker, _ expectation: FrameExpectation
  ) -> [FrameChecker.Report] {
    ConcurrentMap.map(frames.count) { checker.check(frames[$0], expecting: expectation) }
  }

  private func take(
    _ report: FrameChecker.Report, _ bytes: [UInt8], frame: Int,
    _ video: inout VerificationReport.Video, _ log: inout FindingLog
  ) {
    video.largestFrameBytes = max(video.largestFrameBytes, bytes.count)
    if let header = report.header, video.encoderIdentifier.isEmpty {
      video.encoderIdentifier = header.encoderIdentifier.description
    }
    if let range = report.quantizationIndices {
      video.quantization = [
        min(video.quantization.first ?? range.lowerBound, range.lowerBound),
        max(video.quantization.last ?? range.upperBound, range.upperBound),
      ]
    }
    for finding in report.findings {
      log.add(
        Self.severity(finding, report.header),
        finding.code == .unexpectedColor ? .color : .bitstream,
        finding.detail, frame: frame,
        rule: finding.code == .componentPadding ? .apple : .standard)
    }
  }

  /// How severe a finding is for decoders.
  private static func severity(
    _ finding: FrameFinding, _ header: FrameHeader?
  ) -> VerificationReport.Finding.Severity {
    switch finding.code {
    // Decoders ignore reserved bits (RDD 36, 4.4), and read version 1's chroma and alpha under 0, which
    // FFmpeg's encoders wrote up to version 6.
    case .reservedBits: .warning
    case .bitstreamVersion where header?.bitstreamVersion == 0: .warning
    default: finding.severity == .error ? .error : .warning
    }
  }

  /// Checks that all frames have the same duration, as editors expect.
  private func checkTimes(_ log: inout FindingLog) {
    let samples = track.samples
    guard samples.count > 0 else {
      log.add(.error, .timing, "the video track is empty")
      return
    }
    guard track.frameRate == nil else { return }
    var counts: [UInt32: Int] = [:]
    for sample in samples { counts[sample.duration, default: 0] += 1 }
    let usual = counts.max { $0.value < $1.value }?.key ?? 0
    for (frame, sample) in samples.enumerated() where sample.duration != usual {
      // A multiple of the duration is a gap in a take with a variable rate; anything else is an
      // error.
      let isGap = usual > 0 && sample.duration > usual && sample.duration % usual == 0
      log.add(
        isGap ? .warning : .error, .timing,
        "lasts \(sample.duration)/\(track.timescale) s but others last \(usual)/"
          + "\(track.timescale) s: a gap; editors expect a constant rate", frame: frame)
    }
  }
}

extension FrameExpectation {
  /// The expectation from a movie's index.
  package init(_ track: MovieIndex.Track) {
    self.init(
      width: track.video?.dimensions.width, height: track.video?.dimensions.height,
      codec: VideoCodecType(rawValue: track.codec.description),
      fieldOrder: track.video?.fieldOrder, color: track.video?.color, frameRate: track.frameRate)
  }
}

extension FrameFinding {
  /// The message with its picture in the frame, but without the slice, so that a fault in many
  /// slices is one finding.
  fileprivate var detail: String { picture.map { "picture \($0): \(message)" } ?? message }
}
