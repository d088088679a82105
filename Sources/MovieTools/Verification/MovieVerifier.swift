import CaptureDevices
import MediaCore
public import QuickTime
import TakeReports

/// Verifies a movie: its index with this project's parser; each frame's bytes against RDD 36 and
/// the index; every ProRes code word with this project's decoder, and some frames with libavcodec
/// too; everything else with a full strict decode by libavcodec; timing, color, timecode and the
/// duration of the audio.
public struct MovieVerifier {
  /// The movie's path.
  public var path: String
  /// How much is verified. A quick verification costs little more than reading the file.
  public var depth = VerificationReport.Depth.full
  /// True to have libavcodec decode every ProRes frame, instead of one in 32 and those with
  /// findings. Takes four times as long.
  public var decodesTwice = false
  /// Called after each stage with the fraction done, from 0 to 1.
  public var onProgress: ((Double) -> Void)?

  /// Creates a verifier of the movie at a path.
  public init(path: String) { self.path = path }

  /// Verifies the movie.
  ///
  /// - Throws: `QuickTimeError` if the file does not exist or is not a QuickTime movie. Damage is
  ///   not thrown but reported as a finding.
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
    noteOtherFrames(index, &log)
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
      guard isPlausible else { break }
      var pass = DecodePass(path: path, index: index, opinion: opinions.second)
      pass.onProgress = { onProgress?(0.5 + 0.5 * $0) }
      (report.framesDecoded, report.framesDecodedByLibavcodec) = pass.run(&log)
    case .quick:
      if report.checksums == nil {
        log.add(
          .note, .checksum, "no checksums to compare with; the frames' content was not checked")
      }
    }
    onProgress?(1)
    report.findings = log.sorted
    return report
  }

  /// Notes video tracks that are not compared with the index.
  private func noteOtherFrames(_ index: MovieIndex, _ log: inout FindingLog) {
    let others = index.tracks.filter { $0.mediaType == .video && $0.id != index.videoTrack?.id }
    guard !others.isEmpty, let first = index.videoTrack else { return }
    log.add(
      .note, .container,
      "of \(others.count + 1) video tracks only track \(first.id.rawValue) is compared with the index; "
        + (depth == .full ? "the others are decoded" : "the others are not checked"))
  }

  /// The comparison of the movie with its sidecar; nil if there is none or it has no checksums.
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
        : "\(place.path) has no checksums: the take ended abruptly and was recovered")
    return nil
  }

  /// Holds the check while closures use it.
  private final class ChecksumTaker {
    var check: ChecksumCheck?
    init(_ check: ChecksumCheck?) { self.check = check }
  }

  /// Holds the second opinion while closures use it.
  private final class OpinionTaker {
    var second: SecondOpinion?
  }
}
