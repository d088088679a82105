import AssetWriter
import MediaCore
import MovieExport
import VideoRecorder

/// What an encode came to, as it is printed.
struct EncodeListing: Encodable {
  let input: String
  let path: String
  let framesUndecoded: Int
  let prematureEnd: ErrorSummary?
  let notes: [ExportNote]
  let sidecarError: ErrorSummary?
  let writer: AssetWriter.Report

  init(input: String, path: String, _ outcome: AssetExportSession.Outcome) {
    self.input = input
    self.path = path
    framesUndecoded = outcome.framesUndecoded
    prematureEnd = outcome.prematureEnd.map { ErrorSummary($0) }
    notes = outcome.notes
    sidecarError = outcome.sidecarError
    writer = outcome.report
  }

  var lines: [String] {
    let video = writer.video.first
    let duration = video?.duration ?? writer.duration
    var table = TextTable()
    table.add("file", "\(path), \(Quantity.bytes(writer.fileBytes))")
    table.add(
      "video",
      "\(Quantity.count(video?.framesWritten ?? 0, "frame")), \(Quantity.seconds(duration)), "
        + "\(VideoCodecType(rawValue: video?.codec ?? "").displayName) by \(video?.encoder ?? "")")
    if let video, duration > 0 {
      table.add(
        "rate",
        Quantity.bitRate(Double(video.bytes) * 8 / duration) + ", largest frame "
          + "\(Quantity.bytes(Int64(video.largestFrame))) "
          + "(Apple's target: \(Quantity.bytes(Int64(video.targetFrameBytes))))")
      table.add("encoding", Quantity.milliseconds(video.encodeTime.mean) + " a frame of one core")
    }
    if let sum = writer.segments.first?.checksum { table.add("xxHash64", sum) }
    return table.lines + notes.map { "\($0.kind.rawValue): \(Remedies.spoken($0.message))" }
  }
}
