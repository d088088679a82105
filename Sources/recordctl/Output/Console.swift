import ASCMHL
import ArgumentParser
import AssetReader
import AssetWriter
import DNG
import EncodeJobs
import Foundation
import ImageFiles
import MediaCore
import MediaLibrary
import PhotoDevelopment
import QuickTime
import RawPhoto
import Synchronization
import SystemPackage
import VideoRecorder

/// The command's output: results on standard output, everything else on standard error.
enum Console {
  private static let results = DescriptorOutput(descriptor: STDOUT_FILENO)
  private static let failure = Mutex<Errno?>(nil)

  /// Why a result could not be printed; nil where all were.
  static var resultFailure: Errno? { failure.withLock { $0 } }

  /// Prints a result, line by line. Names of files and devices, and metadata in them, are untrusted: they are escaped,
  /// so that a line stays one line and cannot control the terminal.
  static func print(_ lines: [String]) {
    print(exactly: lines.map(\.visible).joined(separator: "\n"))
  }

  /// Prints a result of one line.
  static func print(_ line: String) { print([line]) }

  /// Prints text for programs and files, and a newline. Waits for a slow reader. If writing fails,
  /// ``Recordctl/exit(with:)`` reports it, and nothing more is printed: a result with a gap
  /// could be taken for a complete one.
  static func print(exactly text: String) {
    guard resultFailure == nil else { return }
    // Notes that came first are read first, and the progress line is gone.
    MessageWriter.standardError.flush()
    do throws(Errno) { try results.write(text + "\n") } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Prints a result as a JSON document.
  ///
  /// - Parameter isOneLine: True for programs that read results as they come.
  static func print(_ document: JSONDocument, isOneLine: Bool = false) throws {
    print(exactly: try document.text(isOneLine: isOneLine))
  }

  /// Prints a result as a JSON document of one part.
  static func print(_ kind: DocumentKind, _ body: some Encodable) throws {
    try print(JSONDocument(kind, body))
  }

  /// Prints a remark or an error on one line that begins with the program's name. Never waits.
  static func note(_ message: String) {
    MessageWriter.standardError.note("recordctl: \(message.visible)")
  }
}

extension Recordctl {
  /// Ends the program. Results that could not be printed turn success into
  /// ``ExitStatus/resultNotPrinted``; any other status is worse, and stays.
  static func exit(with status: ExitStatus) -> Never {
    var status = status
    if let failure = Console.resultFailure {
      Console.note(
        "the result could not be written to standard output: \(failure); the work itself is "
          + (status == .success ? "done" : "as the exit status says"))
      if status == .success { status = .resultNotPrinted }
    }
    MessageWriter.standardError.flush()
    Foundation.exit(status.rawValue)
  }
}

extension Recordctl {
  /// An error's message in one line; where the remedy is a verb or an option, with its name.
  static func line(for error: any Error) -> String {
    switch error {
    case let error as MediaLibraryError where error.code == .untrusted:
      "\(error); \(LibraryText.trustRemedy)"
    case is CaptureError, is AssetReaderError, is AssetWriterError, is QuickTimeError,
      is MediaCoreError, is RawPhotoError, is DNGError, is MediaLibraryError, is ASCMHLError,
      is PhotoDevelopmentError, is ImageFileError, is EncodeJobError:
      Remedies.spoken("\(error)")
    default:
      UsageMessage(
        message(for: error), arguments: Array(CommandLine.arguments.dropFirst()), root: Self.self
      ).text
    }
  }
}
