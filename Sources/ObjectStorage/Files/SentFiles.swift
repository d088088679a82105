import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore

/// Records which files of a command have arrived, so that the same command does not read them again
/// after being killed. Removed when the command ends.
///
/// Losing it only costs time, so failures are ignored.
struct SentFiles {
  private struct Line: Codable {
    var address: String
    var source: UploadJournal.Source
    var xxh64: String
  }

  private let folder: String
  private let path: String
  private var lines: [String: Line] = [:]

  /// Reads what earlier calls recorded.
  ///
  /// - Parameters:
  ///   - command: Text that identifies the command.
  ///   - folder: The folder of the record.
  init(of command: String, in folder: String) {
    self.folder = folder
    path = folder + "/\(ContentHash(of: [UInt8](command.utf8))).sent"
    guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return }
    // The last line of a killed call may be truncated.
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let line = try? JSONDecoder().decode(Line.self, from: line) else { continue }
      lines[line.address] = line
    }
  }

  /// The xxHash64 of a file that has arrived at an address and is unchanged since; nil otherwise.
  func hash(of facts: FileFacts, at address: String) -> String? {
    lines[address].flatMap { $0.source == UploadJournal.Source(facts) ? $0.xxh64 : nil }
  }

  /// Records that a file has arrived. If this fails, the next call asks the server again; readers
  /// skip a partial line.
  func note(_ facts: FileFacts, at address: String, xxh64: String) {
    guard hash(of: facts, at: address) != xxh64 else { return }
    let line = Line(address: address, source: UploadJournal.Source(facts), xxh64: xxh64)
    guard let text = try? JSONEncoder().encode(line) else { return }
    try? UploadJournal.makeFolder(folder)
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let bytes = [UInt8(ascii: "\n")] + text + [UInt8(ascii: "\n")]
    _ = write(file, bytes, bytes.count)
    close(file)
  }

  /// Removes the record at the end of the command.
  func forget() { unlink(path) }
}
