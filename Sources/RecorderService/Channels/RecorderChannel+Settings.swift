import RecorderControl
import Synchronization
import SystemPackage

/// The settings of a recorder that an earlier gateway started, and that it keeps.
extension RecorderChannel {
  /// The note of a status if the recorder's settings differ from the configuration.
  static let difference =
    "the recorder was started earlier, with other settings than the configuration has: a reload starts it "
    + "again once it has no take"

  /// The command line of the running recorder; nil if none is running, or it cannot be read.
  var presentWords: [String]? { state.withLock { $0.presentWords } }

  /// Forgets the command line, when the recorder ends.
  func forgetPresentWords() {
    state.withLock { $0.presentWords = nil }
    annotate { $0.difference = nil }
  }
}

extension RecorderChannel.State {
  /// Reads the command line of the running recorder, and notes if it differs from the present one for the channel.
  mutating func compareWords(with recorder: RecorderStatus) {
    guard case .started(let words, _) = origin else { return }
    presentWords = CommandLineOfProcess.words(recorder.processID)
    let isSame = presentWords.map { $0 == words } ?? true
    notes.difference = isSame ? nil : RecorderChannel.difference
    status.notes = notes.lines
  }
}

extension RecorderChannel.State {
  /// Notes that a restarted recorder has another preset than before. The operator who chose the earlier one
  /// has to know before a take is recorded.
  ///
  /// - Returns: The note; nil for none.
  mutating func followPreset(of recorder: RecorderStatus) -> String? {
    guard let name = recorder.source?.preset else { return nil }
    let known = preset
    preset = (recorder.sessionID ?? "\(recorder.processID)", name)
    guard let known, let present = preset, known.name != name else { return nil }
    notes.preset =
      known.session == present.session
      ? nil
      : "the recorder was restarted: its preset is now \(name), no longer \(known.name)"
    status.notes = notes.lines
    return notes.preset
  }
}

/// Command lines of other processes.
enum CommandLineOfProcess {
  /// The longest command line to read in bytes.
  private static let limit = 1 << 17

  /// A process's name and arguments; nil if there is no such process, its command line is too long, or it
  /// cannot be read.
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
