import RecorderControl
import Synchronization
import SystemPackage

/// The settings of a recorder that an earlier gateway has started, which keeps them.
extension RecorderChannel {
  /// What stands in the status's notes where the recorder's settings are not the configuration's.
  static let difference =
    "the recorder was started earlier, with other settings than the configuration has: a reload starts it "
    + "anew once it has no take"

  /// The command line of the recorder that is there; nil where none is, or where that cannot be read.
  var presentWords: [String]? { state.withLock { $0.presentWords } }

  /// The recorder that is there ends, or has ended.
  func forgetPresentWords() {
    state.withLock { $0.presentWords = nil }
    annotate { $0.difference = nil }
  }
}

extension RecorderChannel.State {
  /// Finds out by which command line a recorder was started, and notes where it is another one than it would be
  /// started by now.
  mutating func compareWords(with recorder: RecorderStatus) {
    guard case .started(let words, _) = origin else { return }
    presentWords = CommandLineOfProcess.words(recorder.processID)
    let isSame = presentWords.map { $0 == words } ?? true
    notes.difference = isSame ? nil : RecorderChannel.difference
    status.notes = notes.lines
  }
}

extension RecorderChannel.State {
  /// Notes that a restarted recorder has another preset than before. The operator who chose that preset has to know
  /// before a take is recorded with another one.
  ///
  /// - Returns: A message that says so; nil if the preset is the same.
  mutating func followPreset(of recorder: RecorderStatus) -> String? {
    guard let name = recorder.source?.preset else { return nil }
    let known = preset
    preset = (recorder.sessionID ?? "\(recorder.processID)", name)
    guard let known, let present = preset, known.name != name else { return nil }
    notes.preset =
      known.session == present.session
      ? nil
      : "the recorder was started anew: its preset is \(name) now, and no longer \(known.name)"
    status.notes = notes.lines
    return notes.preset
  }
}

/// What other processes were started with.
enum CommandLineOfProcess {
  /// Bytes of a command line that are read; a longer one is not told.
  private static let limit = 1 << 17

  /// A process's name and arguments; nil where there is no such process, or it is not to be looked at.
  static func words(_ process: Int32) -> [String]? {
    guard
      let file = try? FileDescriptor.open(
        FilePath("/proc/\(process)/cmdline"), .readOnly, options: .closeOnExec)
    else { return nil }
    var bytes: [UInt8] = []
    let isWhole = try? file.closeAfter {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while bytes.count < limit {
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
        guard count > 0 else { return true }
        bytes += buffer[..<count]
      }
      return false
    }
    guard isWhole == true, bytes.last == 0 else { return nil }
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
