import AssetWriter
import CaptureDevices
import FoundationEssentials
public import MediaCore
public import QuickTime

/// Finishes takes cut short by a crash or a power cut, and marks their sidecars.
public enum TakeRecovery {
  /// The result of a recovery.
  public struct Outcome: Sendable, Hashable {
    /// The result for the movie.
    public var movie: MovieRecovery.Outcome
    /// Why its sidecar could not be updated; nil if it was, or there is none.
    public var sidecarError: ErrorSummary?
  }

  /// Finishes a movie like `MovieRecovery.recover(path:)`, and marks its sidecar: statements about
  /// frames stay, those about the file as a whole are removed. Media data is not read, so a long
  /// take does not take longer.
  ///
  /// - Throws: Errors of `MovieRecovery.recover(path:)`.
  public static func recover(path: String) throws(QuickTimeError) -> Outcome {
    let outcome = try MovieRecovery.recover(path: path)
    let file = SidecarFile(ofMovie: path)
    do throws(CaptureError) {
      // A movie just completed may have a sidecar that was never updated.
      guard var sidecar = try file.read(), outcome.wasRecovered || sidecar.state == .recording
      else { return Outcome(movie: outcome) }
      mark(&sidecar, outcome, start: startTimecode(ofMovie: path))
      try file.write(sidecar)
      return Outcome(movie: outcome)
    } catch {
      guard outcome.wasRecovered else { return Outcome(movie: outcome) }
      return Outcome(movie: outcome, sidecarError: ErrorSummary(error))
    }
  }

  /// The first frame's timecode, read from the movie; nil without a timecode track.
  private static func startTimecode(ofMovie path: String) -> Timecode? {
    guard let index = try? MovieIndex(path: path) else { return nil }
    return index.timecodeTrack?.timecode?.start
  }

  private static func mark(
    _ sidecar: inout TakeSidecar, _ outcome: MovieRecovery.Outcome, start: Timecode?
  ) {
    sidecar.state = .recovered
    sidecar.date = TakeSidecar.now
    sidecar.checksums?.file = nil
    sidecar.checksums?.head = nil
    sidecar.checksums?.index = nil
    let frames = outcome.summary.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0
    sidecar.movie?.fileSize = Int64(clamping: outcome.summary.fileSize)
    sidecar.movie?.frameCount = Int64(frames)
    sidecar.movie?.duration = outcome.summary.duration.seconds
    sidecar.movie?.checksum = nil
    guard sidecar.checksums == nil else { return }
    // The report in the sidecar is from the middle of the recording: set it to what was recovered.
    sidecar.recording?.beginWith(movie: sidecar.fileName, start: start)
    sidecar.recording?.movie.frameCount = Int64(frames)
    sidecar.recording?.movie.duration = outcome.summary.duration.seconds
    sidecar.recording?.movie.fileSize = Int64(clamping: outcome.summary.fileSize)
    let rate = (sidecar.recording?.movie.frameRate).flatMap { FrameRate($0) }
    let slots = max(rate?.slots(in: outcome.summary.duration.seconds) ?? 0, Int64(frames))
    let first = rate.flatMap { rate in
      sidecar.recording?.movie.startTimecode.flatMap { Timecode($0, frameRate: rate) }
    }
    sidecar.recording?.movie.endTimecode = first?.advanced(by: slots).description
  }
}

extension RecordingReport {
  /// Restricts a report that was made during the recording of a movie to that movie. Unless it is the first one of its
  /// take, the report begins with an earlier one.
  ///
  /// - Parameters:
  ///   - name: The movie's file.
  ///   - start: Its first frame's timecode; nil without a timecode track.
  fileprivate mutating func beginWith(movie name: String, start: Timecode?) {
    let first = URL(filePath: movie.path)
    guard first.lastPathComponent != name else { return }
    defer { movie.startTimecode = start?.description }
    let rate = FrameRate(movie.frameRate)
    let before = rate.flatMap { rate in
      movie.startTimecode.flatMap { Timecode($0, frameRate: rate) }
    }
    // Without timecode, it is unknown how much of the take is in earlier movies.
    let frame = start.flatMap { start in
      before?.format == start.format ? before?.distance(to: start) : nil
    }
    let seconds = frame.flatMap { rate?.time(ofFrame: $0).seconds }
    movie.path = first.deletingLastPathComponent().appending(path: name).path
    movie.startTime = movie.startTime.flatMap { time in seconds.map { time + $0 } }
    (movie.startDate, movie.preRollFrames, segments) = (nil, nil, [])
    incidents = incidents.compactMap { incident in
      guard let frame, let seconds, incident.frame >= frame else { return nil }
      var incident = incident
      incident.frame -= frame
      incident.seconds -= seconds
      return incident
    }
    let own = markers?.compactMap { marker -> Marker? in
      guard let frame, let seconds, marker.frame >= frame else { return nil }
      var marker = marker
      marker.frame -= frame
      marker.seconds -= seconds
      return marker
    }
    markers = own?.isEmpty == true ? nil : own
  }
}
