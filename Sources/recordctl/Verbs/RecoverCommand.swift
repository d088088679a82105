import ArgumentParser
import MediaCore
import QuickTime
import VideoRecorder

/// `recordctl recover FILE`
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Finishes a take that was cut short by a kill, a power cut or a full disk.",
    discussion: """
      Works in place, on takes of this program. What cannot be recovered is left as it was; a take \
      that is finished already is not touched. A movie of another program is refused, with status 2.
      """)

  @Argument(help: "The movie.", completion: .file(extensions: ["mov"]))
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let outcome = try TakeRecovery.recover(path: file)
    if let error = outcome.sidecarError { Console.note("recordctl: \(error)") }
    let listing = RecoveryListing(file: file, outcome.movie)
    if json { return try Console.print(json: listing) }
    Console.print(listing.text)
  }
}

/// What a recovery came to, as it is printed.
struct RecoveryListing: Encodable {
  let file: String
  let wasRecovered: Bool
  let frames: Int
  let duration: Double
  let fileSize: UInt64
  /// Fragments at the end that had not reached the disk.
  let droppedFragments: Int
  /// Bytes at the end that belong to no whole fragment.
  let unusedBytes: UInt64

  init(file: String, _ outcome: MovieRecovery.Outcome) {
    self.file = file
    wasRecovered = outcome.wasRecovered
    frames = outcome.summary.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0
    duration = outcome.summary.duration.isNumeric ? outcome.summary.duration.seconds : 0
    fileSize = outcome.summary.fileSize
    droppedFragments = outcome.droppedFragmentCount
    unusedBytes = outcome.unusedByteCount
  }

  var text: String {
    guard wasRecovered else { return "\(file): finished already, nothing to do" }
    let lost =
      droppedFragments > 0 || unusedBytes > 0
      ? "; \(Quantity.bytes(Int64(clamping: unusedBytes))) at the end were not whole" : ""
    return "\(file): recovered, \(frames) frames, \(Quantity.seconds(duration))\(lost)"
  }
}
