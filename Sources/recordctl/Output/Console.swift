import ArgumentParser
import AssetReader
import AssetWriter
import Foundation
import MediaCore
import MediaLibrary
import QuickTime
import RawPhoto
import VideoRecorder

/// What the command says: results on standard output, everything else on standard error.
enum Console {
  /// Prints a result.
  static func print(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// Prints a result as JSON: sorted keys, so that two runs compare.
  static func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Says something that is no result.
  static func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// Says what went wrong, in one line.
  static func complain(_ message: String) {
    let line = message.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "; ")
    note("recordctl: \(line)")
  }
}

extension Recordctl {
  /// Ends the program.
  static func exit(with status: ExitStatus) -> Never { Foundation.exit(status.rawValue) }

  static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }
}

extension Recordctl {
  /// An error's message in one line; where the remedy is an option, the option's name.
  static func line(for error: any Error) -> String {
    switch error {
    case is CaptureError, is AssetReaderError, is AssetWriterError, is QuickTimeError,
      is MediaCoreError, is RawPhotoError, is MediaLibraryError:
      "\(error)".replacing("allow overwriting", with: "give --overwrite")
        .replacing("allow a fallback", with: "give --allow-fallback for a fallback")
    default: message(for: error)
    }
  }
}
