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
    if let error = outcome.sidecarError { Console.note("\(error)") }
    let listing = RecoveryListing(path: file, outcome)
    if json { return try Console.print(.recovery, listing) }
    Console.print(listing.text)
  }
}

extension RecoveryListing {
  fileprivate var text: String {
    guard wasRecovered else { return "\(path): finished already, nothing to do" }
    let lost =
      droppedFragmentCount > 0 || unusedByteCount > 0
      ? "; \(Quantity.bytes(Int64(clamping: unusedByteCount))) at the end were not whole" : ""
    return
      "\(path): recovered, \(Quantity.count(frameCount, "frame")), \(Quantity.seconds(duration))\(lost)"
  }
}
