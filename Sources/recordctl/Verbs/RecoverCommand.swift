import ArgumentParser
import MediaCore
import QuickTime
import VideoRecorder

/// `recordctl recover FILE`
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Finishes a take that was interrupted by a kill, a power cut or a full disk.",
    discussion: """
      Works in place, on takes of this program. A file that cannot be recovered is left unchanged, as \
      is a take that is already finished. Movies of other programs are refused with status 2.
      """)

  @Argument(help: "The movie.", completion: .file(extensions: ["mov"]))
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let outcome = try TakeRecovery.recover(path: file)
    if let error = outcome.sidecarError { Console.note("recordctl: \(error)") }
    let listing = RecoveryListing(path: file, outcome)
    if json { return try Console.print(.recovery, listing) }
    Console.print(listing.text)
  }
}

/// What a recovery came to, as it is printed.
struct RecoveryListing: Encodable {
  let path: String
  let wasRecovered: Bool
  let frameCount: Int
  let duration: Double
  let fileSize: UInt64
  /// Fragments at the end that had not reached the disk.
  let droppedFragmentCount: Int
  /// Bytes at the end that belong to no whole fragment.
  let unusedByteCount: UInt64
  /// Why the sidecar could not be brought up to date.
  let sidecarError: ErrorSummary?

  init(path: String, _ outcome: TakeRecovery.Outcome) {
    self.path = path
    let movie = outcome.movie
    wasRecovered = movie.wasRecovered
    frameCount = movie.summary.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0
    duration = movie.summary.duration.isNumeric ? movie.summary.duration.seconds : 0
    fileSize = movie.summary.fileSize
    droppedFragmentCount = movie.droppedFragmentCount
    unusedByteCount = movie.unusedByteCount
    sidecarError = outcome.sidecarError
  }

  var text: String {
    guard wasRecovered else { return "\(path): finished already, nothing to do" }
    let lost =
      droppedFragmentCount > 0 || unusedByteCount > 0
      ? "; \(Quantity.bytes(Int64(clamping: unusedByteCount))) at the end were not whole" : ""
    return
      "\(path): recovered, \(Quantity.count(frameCount, "frame")), \(Quantity.seconds(duration))\(lost)"
  }
}
