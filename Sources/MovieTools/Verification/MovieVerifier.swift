import AssetReader
import CaptureDevices
import MediaCore
import ProRes
public import QuickTime
import TakeReports

/// Judges a movie: its index with our own reader, each frame's bytes against RDD 36 and the index, each
/// code word of ProRes by our own decoder and part of the frames by libavcodec as well, everything else
/// by a full strict decode of libavcodec, timing, color, timecode and the length of the audio.
public struct MovieVerifier {
  /// The movie's path.
  public var path: String
  /// How much is looked at. A quick look costs little more than reading the file.
  public var depth = VerificationReport.Depth.full
  /// True to have libavcodec decode every frame of ProRes, not one in 32 and those of which something was
  /// found. Takes four times as long.
  public var decodesTwice = false
  /// Called after each stage with a share from 0 to 1.
  public var onProgress: ((Double) -> Void)?

  private typealias Finding = VerificationReport.Finding

  /// A verifier of the movie at a path.
  public init(path: String) { self.path = path }

  /// Judges the movie.
  ///
  /// - Throws: `QuickTimeError` where there is no such file or it is no QuickTime movie. Damage
  ///   within is no error thrown but a finding.
  public func run() throws(QuickTimeError) -> VerificationReport {
    let file = try PosixMovieFile(path: path, mode: .read)
    let index = try MovieIndex(file)
    var log = FindingLog()
    log.startTimecode = index.timecodeTrack?.timecode?.start
    var report = VerificationReport(
      path: path, fileSize: index.fileSize, completion: index.completion.rawValue,
      duration: index.duration.isNumeric ? index.duration.seconds : 0)
    report.depth = depth
    report.startTimecode = log.startTimecode?.description
    for item in index.metadata.items {
      if case .text(let text) = item.value { report.metadata[item.key] = text }
    }

    var checksums = checksumCheck(index, file, &log)
    let container = ContainerCheck(index: index)
    container.run(&log)
    onProgress?(0.02)
    let isPlausible = container.isPlausible(&log)
    let opinions = OpinionTaker()
    if let track = index.videoTrack, isPlausible {
      opinions.second = decodesTwice ? nil : SecondOpinion(track.samples)
      var frames = FramePass(track: track, file: file, checksSlices: depth == .full)
      frames.onProgress = { onProgress?(0.02 + 0.43 * $0) }
      let taker = ChecksumTaker(checksums)
      frames.onFrame = { bytes, frame in taker.check?.take(bytes, frame: frame) }
      frames.onCleanFrame = { opinions.second?.noteClean($0) }
      report.video = try frames.run(&log)
      checksums = taker.check
    }
    if isPlausible {
      report.checksums = try checksums?.finish(&log) { onProgress?(0.45 + 0.05 * $0) }
    }
    for track in index.audioTracks {
      report.audio.append(container.audio(track, &log))
    }
    switch depth {
    case .full:
      if isPlausible { decode(index, opinions.second, &report, &log) }
    case .quick:
      if report.checksums == nil {
        log.add(
          .note, .checksum, "no checksums to compare with; what the frames show was not looked at")
      }
    }
    onProgress?(1)
    report.findings = log.sorted
    return report
  }

  /// What compares the movie with its sidecar; nil where that has no checksums, or there is none.
  private func checksumCheck(
    _ index: MovieIndex, _ file: any MovieByteSource, _ log: inout FindingLog
  ) -> ChecksumCheck? {
    let place = SidecarFile(ofMovie: path)
    let sidecar: TakeSidecar
    do throws(CaptureError) {
      guard let found = try place.read() else { return nil }
      sidecar = found
    } catch {
      log.add(.error, .checksum, error.message)
      return nil
    }
    if let check = ChecksumCheck(sidecar, path: place.path, index, file) { return check }
    log.add(
      sidecar.state == .recording ? .warning : .note, .checksum,
      sidecar.state == .recording
        ? "\(place.path) was written while the take was recorded, and has no checksums"
        : "\(place.path) has no checksums: the take came to a sudden end and was recovered")
    return nil
  }

  /// Carries a check through the frames.
  private final class ChecksumTaker {
    var check: ChecksumCheck?
    init(_ check: ChecksumCheck?) { self.check = check }
  }

  /// Carries it through the frames.
  private final class OpinionTaker {
    var second: SecondOpinion?
  }

  /// Counts pictures.
  private final class PictureCount {
    var decoded = 0
    var known = 0
  }

  /// Decodes all that is not known to be sound, and compares what the decoder says of the pictures with
  /// the index.
  private func decode(
    _ index: MovieIndex, _ opinion: SecondOpinion?, _ report: inout VerificationReport,
    _ log: inout FindingLog
  ) {
    var decoder = StrictDecoder(path: path)
    let pictures = PictureCount()
    if let opinion {
      decoder.isKnown = { track, packet in
        guard let tag = track.codecTag, VideoCodecType(rawValue: tag.description).isProRes,
          !opinion.isWanted(packet)
        else { return false }
        pictures.known += 1
        return true
      }
    }
    let frameCount = index.videoTrack?.samples.count ?? 0
    let expected = index.videoTrack?.video
    var mismatches = FindingLog()
    mismatches.startTimecode = log.startTimecode
    decoder.onPicture = { picture, _ in
      pictures.decoded += 1
      let count = pictures.decoded + pictures.known
      if frameCount > 0 { onProgress?(0.5 + 0.5 * min(1, Double(count) / Double(frameCount))) }
      guard let expected else { return }
      let place = Int(picture.index)
      if picture.dimensions != expected.dimensions {
        mismatches.add(
          .error, .decode,
          "decodes to \(picture.dimensions), the index says \(expected.dimensions)", frame: place)
      }
      // A frame header has no code for some of the colors that a movie's can name.
      if let color = expected.color,
        picture.color.with(range: .video).frameHeaderColor != color.frameHeaderColor
      {
        mismatches.add(
          .error, .color,
          "the decoded frame is \(picture.color), the index says \(color)", frame: place)
      }
      if let order = expected.fieldOrder, picture.fieldOrder != order {
        mismatches.add(
          .error, .decode,
          "the decoded frame is \(picture.fieldOrder.displayName), the index says \(order.displayName)",
          frame: place)
      }
    }
    do throws(AssetReaderError) {
      let outcome = try decoder.run()
      for finding in outcome.findings {
        let isVideo = outcome.tracks.first { $0.id == finding.trackID }?.track.mediaType == .video
        log.add(.error, .decode, finding.message, frame: isVideo ? Int(finding.index) : nil)
      }
      if outcome.findingCount > outcome.findings.count {
        log.add(.error, .decode, "\(outcome.findingCount) faults in all; the first are listed")
      }
      if let track = outcome.tracks.first(where: { $0.track.mediaType == .video }),
        Int(track.sampleCount) != frameCount
      {
        log.add(
          .error, .decode, "\(track.sampleCount) frames decode, the index has \(frameCount)")
      }
    } catch {
      log.add(.error, .decode, error.message)
    }
    for finding in mismatches.sorted {
      log.add(
        finding.severity, finding.check, finding.message, frame: finding.frame,
        count: finding.count)
    }
    report.framesDecoded = pictures.decoded + pictures.known
    report.framesDecodedByLibavcodec = pictures.decoded
  }
}
