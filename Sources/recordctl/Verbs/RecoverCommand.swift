import ArgumentParser
import MediaCore
import QuickTime
import VideoRecorder

/// `recordctl recover FILE`
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Recovers a take that was interrupted by a kill, a power cut or a full disk.",
    discussion: """
      Works in place, and only on takes recorded by this program. A file that cannot be recovered \
      or is already finished is left unchanged. Movies of other programs are refused with exit \
      status 2.
      """)

  @Argument(help: "Movie file.", completion: .file(extensions: ["mov"]))
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let outcome = try TakeRecovery.recover(path: file)
    if let error = outcome.sidecarError { Console.note("\(error)") }
    let listing = RecoveryListing(path: file, outcome)
    if json { return try Console.print(.recovery, listing) }
    Console.print(listing.text)
  }
}

extension RecoveryListing {
  fileprivate var text: String {
    guard wasRecovered else { return "\(path): already finished, nothing to do" }
    let lost =
      droppedFragmentCount > 0 || unusedByteCount > 0
      ? "; \(Quantity.bytes(Int64(clamping: unusedByteCount))) at the end were not complete" : ""
    return
      "\(path): recovered, \(Quantity.count(frameCount, "frame")), \(Quantity.seconds(duration))\(lost)"
  }
}
