import Foundation
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Identifies the worker of a folder by the folder's name, and tells whether it still runs.
struct WorkerMark: Hashable {
  /// The host name, restricted to characters allowed in file names.
  var host: String
  var process: Int32
  /// Identifies one boot of one machine and the PID namespace.
  var system: String
  /// The process's start time, in clock ticks since boot, because process IDs are reused.
  var start: UInt64
  /// Distinguishes it from the process's other folders.
  var token: String

  /// A machine's view of its processes.
  struct System: Sendable {
    /// ``WorkerMark/system`` of this process.
    var name: String
    /// The start time of a process; nil if no such process exists.
    var start: @Sendable (Int32) -> UInt64?

    /// The machine that this process runs on.
    static let current = Self(name: currentName) { start(of: $0) }

    private static var currentName: String {
      let boot =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
      let processes =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
      guard !boot.isEmpty, !processes.isEmpty else { return unknownName }
      var sum = XXHash64()
      sum.update(Array((boot + processes).utf8))
      return String(XXHash64.text(sum.digest).prefix(12))
    }

    /// The name of a machine that cannot be identified.
    static let unknownName = "unknown"

    /// Reads the 22nd field of `/proc/PID/stat`. The second field is a name that may contain
    /// spaces.
    private static func start(of process: Int32) -> UInt64? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[end...].split(separator: " ")
      return fields.count > 20 ? UInt64(fields[20]) : nil
    }
  }

  /// Whether a worker runs.
  enum Presence: Hashable {
    case running, gone
    /// On another machine, or not visible from here.
    case unknown
  }

  /// This process, with a new token.
  static func current(_ system: System = .current) -> Self {
    Self(
      host: PartFolder.host, process: getpid(), system: system.name,
      start: system.start(getpid()) ?? 0,
      token: String(UInt32.random(in: 0 ... .max), radix: 16))
  }

  /// The form used in a folder's name.
  var text: String { "\(host)-\(process)-\(system)-\(start)-\(token)" }
}

extension WorkerMark {
  /// Parses the end of a folder's name; nil if invalid. A host name may contain dashes.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 5, let process = Int32(parts[parts.count - 4]), process > 0,
      let start = UInt64(parts[parts.count - 2])
    else { return nil }
    self.init(
      host: parts.dropLast(4).joined(separator: "-"), process: process,
      system: String(parts[parts.count - 3]), start: start, token: String(parts[parts.count - 1]))
  }

  /// Checks whether the worker runs, which only its own machine can tell.
  func presence(_ machine: System = .current) -> Presence {
    guard system == machine.name, system != System.unknownName else { return .unknown }
    return machine.start(process) == start ? .running : .gone
  }
}
