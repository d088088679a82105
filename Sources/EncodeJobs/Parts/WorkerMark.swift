import Foundation
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Who works in a folder, as the folder's name tells, and whether it is still there.
struct WorkerMark: Hashable {
  /// The machine's name, as far as a file's name may have it.
  var host: String
  var process: Int32
  /// One boot of one machine, and the processes that see each other there.
  var system: String
  /// When the process began, in ticks of the machine since it booted: numbers of processes come again.
  var start: UInt64
  /// What tells it from the process's other folders.
  var token: String

  /// What a machine knows of its processes.
  struct System: Sendable {
    /// ``WorkerMark/system`` of this process.
    var name: String
    /// When a process began; nil for none of this number.
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

    /// The name of a machine that does not tell which one it is.
    static let unknownName = "unknown"

    /// The 22nd field of `/proc/PID/stat`; the second one is a name that may have spaces.
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
    /// On another machine, or where this one cannot look.
    case unknown
  }

  /// This process, with a token of its own.
  static func current(_ system: System = .current) -> Self {
    Self(
      host: PartFolder.host, process: getpid(), system: system.name,
      start: system.start(getpid()) ?? 0,
      token: String(UInt32.random(in: 0 ... .max), radix: 16))
  }

  /// As it stands in a folder's name.
  var text: String { "\(host)-\(process)-\(system)-\(start)-\(token)" }
}

extension WorkerMark {
  /// Reads the end of a folder's name; nil for anything else. A machine's name may have dashes.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 5, let process = Int32(parts[parts.count - 4]), process > 0,
      let start = UInt64(parts[parts.count - 2])
    else { return nil }
    self.init(
      host: parts.dropLast(4).joined(separator: "-"), process: process,
      system: String(parts[parts.count - 3]), start: start, token: String(parts[parts.count - 1]))
  }

  /// Looks whether the worker runs, which only its own machine can tell.
  func presence(_ machine: System = .current) -> Presence {
    guard system == machine.name, system != System.unknownName else { return .unknown }
    return machine.start(process) == start ? .running : .gone
  }
}
