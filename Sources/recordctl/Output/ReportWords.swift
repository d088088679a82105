import MediaCore
import VideoRecorder

/// The words of a report for what its JSON has as keys.
enum ReportWords {
  /// Why a recording ended.
  static func end(_ end: RecordingReport.End) -> String {
    switch end {
    case .stopped: "on request"
    case .maximumDurationReached: "reached the requested duration"
    case .maximumFileSizeReached: "reached the largest file size"
    case .minimumFreeDiskSpaceReached: "reached the free space to be kept on the disk"
    case .sourceEnded: "the source ended"
    case .sessionStopped: "the session was stopped"
    case .signalLost: "the signal was lost"
    case .formatChanged: "the signal changed its format"
    case .deviceDisconnected: "the device was disconnected"
    case .deviceFailed: "the device failed"
    case .deviceStalled: "the device delivered no more frames"
    case .diskTooSlow: "the disk was too slow"
    case .diskFull: "the disk was full"
    case .writingFailed: "writing failed"
    case .unknown: "not ended"
    }
  }

  /// Why frames are missing, by the report's key.
  static func reason(_ key: String) -> String {
    DropReason(rawValue: key).map(reason) ?? key
  }

  /// Why frames or audio samples are missing.
  static func reason(_ reason: DropReason) -> String {
    switch reason {
    case .deviceSequenceGap: "lost by the device or its driver"
    case .deviceError: "flagged as damaged by the device"
    case .overrun: "audio buffer overrun"
    case .outOfBuffers: "no free capture buffer"
    case .formatMismatch: "unexpected format"
    case .lateData: "receiver too slow"
    case .encoderBusy: "encoder too slow"
    case .diskBusy: "disk too slow"
    case .timestampGap: "gap in the timestamps"
    case .discontinuity: "break in the source"
    case .notWritten: "not in the file"
    }
  }

  /// What happened to a frame.
  static func incident(_ kind: RecordingReport.Incident.Kind) -> String {
    switch kind {
    case .dropped: "dropped"
    case .repeated: "repeated"
    case .damaged: "damaged"
    case .audioLost: "audio lost"
    case .signalLost: "signal lost"
    case .signalRestored: "signal restored"
    case .deviceLost: "device lost"
    case .deviceRestored: "device restored"
    case .timeJumped: "time jumped"
    case .stalled: "device stalled"
    case .diskBehind: "disk fell behind"
    case .audioEnded: "audio ended"
    case .fileMoved: "file moved by others"
    case .fileLost: "file removed by others"
    case .copyLost: "one of the two files abandoned"
    case .processStopped: "process stopped by SIGSTOP"
    }
  }

  /// What a tier means for the movie: a 4444 codec keeps what a 422 codec reduces.
  static func tier(_ tier: FormatTier, in report: RecordingReport) -> String {
    tier == .reduced422 && report.movie.codecName.contains("4444")
      ? "more than 10-bit 4:2:2" : tier.displayName
  }

  /// The last frame's timecode; the report has that of the frame after it.
  static func lastTimecode(of movie: RecordingReport.Movie) -> String? {
    guard let end = movie.endTimecode, movie.frameCount > 0, let rate = FrameRate(movie.frameRate)
    else { return nil }
    return Timecode(end, frameRate: rate)?.advanced(by: -1).description
  }

  /// Frames expected for the take's length: those in the movie, and those missing from the file.
  static func framesDue(_ report: RecordingReport) -> Int {
    guard let rate = FrameRate(report.movie.frameRate) else { return report.frames.received }
    return Int((report.movie.duration * rate.framesPerSecond).rounded())
      + (report.frames.droppedByReason[DropReason.notWritten.rawValue] ?? 0)
  }
}
