import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import TakeReports

/// Handles the sidecar of an exported movie; if none is wanted, removes the sidecar of a movie that
/// is replaced.
struct ExportSidecar: Sendable {
  /// Writes the sidecar; nil if none is wanted.
  private let keeper: SidecarKeeper?
  /// True to remove an existing sidecar, which describes a replaced movie.
  private let removesOthers: Bool
  private let removals = ExportNotes()

  /// - Parameter codec: The video codec.
  init(_ session: AssetExportSession, codec: VideoCodecType) {
    let replaces = session.overwritePolicy == .replace
    guard session.writesSidecar else {
      (keeper, removesOthers) = (nil, replaces)
      return
    }
    var request = TakeRequest()
    request.input = session.location.displayName
    request.codec = codec.shortName
    request.encoder = session.encoder.description
    request.timecode = session.startTimecode
    request.duration = session.maximumFrameCount.map { "\($0)f" }
    request.options = ExportOptions(session).values
    (keeper, removesOthers) = (SidecarKeeper(request, replacesOthers: replaces), false)
  }

  /// Notes on sidecars of replaced movies that were removed or could not be removed.
  var notes: [ExportNote] { removals.all }

  /// Handles an event of the movie, on one of the writer's threads.
  func take(_ event: SegmentEvent) {
    if removesOthers, let notice = StaleSidecar.remove(after: event) {
      removals.add(ExportNote(.changed, "sidecar", notice))
    }
    keeper?.take(event) { _, _ in }
  }

  /// Completes the sidecar with the result of the export.
  ///
  /// - Returns: The error if the movie has no sidecar; nil if it has one or none was wanted.
  @discardableResult
  func complete(_ writer: AssetWriter, _ feed: ExportFeed) -> CaptureError? {
    let encoding = TakeSidecar.Encoding(
      writer: writer.report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd.map { ErrorSummary($0) })
    return keeper?.finish { sidecar, _ in sidecar.encoding = encoding }
  }
}
