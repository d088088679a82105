import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import TakeReports

/// The sidecar beside the movie of an export; where none is wanted, what becomes of the one that a movie of that name
/// had which is replaced.
struct ExportSidecar: Sendable {
  /// Makes the sidecar; nil where none is wanted.
  private let keeper: SidecarKeeper?
  /// True where a sidecar that is found there tells of a movie that is no more.
  private let removesOthers: Bool
  private let removals = ExportNotes()

  /// - Parameter codec: What the pictures are encoded in.
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

  /// Sidecars of replaced movies that were removed, or could not be.
  var notes: [ExportNote] { removals.all }

  /// Takes what becomes of the movie, on a thread of its writer's.
  func take(_ event: SegmentEvent) {
    if removesOthers, let notice = StaleSidecar.remove(after: event) {
      removals.add(ExportNote(.changed, "sidecar", notice))
    }
    keeper?.take(event) { _, _ in }
  }

  /// Completes the sidecar with what the export came to.
  ///
  /// - Returns: Why the movie has none; nil where it has one, or none was wanted.
  @discardableResult
  func complete(_ writer: AssetWriter, _ feed: ExportFeed) -> CaptureError? {
    let encoding = TakeSidecar.Encoding(
      writer: writer.report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd.map { ErrorSummary($0) })
    return keeper?.finish { sidecar, _ in sidecar.encoding = encoding }
  }
}
