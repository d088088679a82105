import CLinux
import FoundationEssentials
import Glibc

/// All processes started by a hook, and the hook itself, including those that left its process
/// group or session. They are recognized by an environment variable, unique to the hook's run,
/// which children inherit, and by being descendants of marked processes.
struct HookProcesses: Sendable {
  /// The variable's name.
  static let variable = "RECORDCTL_HOOK_RUN"

  /// The variable's value for this run.
  let mark = UUID().uuidString

  /// Ends all of them with SIGTERM, and kills those left after `grace`.
  ///
  /// - Parameter grace: The time they may take, in tenths of a second.
  func end(grace: Int = 20) async {
    // A detached task keeps running even if the waiting task was cancelled.
    await Task.detached {
      guard signal(SIGTERM) else { return }
      for _ in 0..<grace {
        try? await Task.sleep(for: .milliseconds(100))
        if find().isEmpty { return }
      }
      // Processes may start others during the search; repeat until none is found.
      for _ in 0..<50 where signal(SIGKILL) { try? await Task.sleep(for: .milliseconds(20)) }
    }.value
  }

  /// Sends a signal to all of them.
  ///
  /// - Returns: False if there are none.
  private func signal(_ number: Int32) -> Bool {
    let found = find()
    for process in found {
      // A descriptor keeps referring to this process even if its number is reused.
      let descriptor = CInt(process_open(process.id))
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if Self.start(process.id) == process.start { process_signal(descriptor, number) }
    }
    return !found.isEmpty
  }

  /// A process and its start time, because numbers are reused.
  private struct Found {
    var id: Int32
    var parent: Int32
    var start: UInt64
    var isMarked: Bool
  }

  private func find() -> [Found] {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let wanted = Array("\(Self.variable)=\(mark)".utf8)
    // The hook cannot have started processes older than this one: do not read their environments,
    // which may be long.
    let begin = Self.start(getpid()) ?? 0
    let all = ((try? files.names(in: "/proc")) ?? []).compactMap { name -> Found? in
      guard let id = Int32(name), id != getpid(), let facts = Self.facts(id) else { return nil }
      return Found(
        id: id, parent: facts.parent, start: facts.start,
        isMarked: facts.start >= begin
          && Self.contents("/proc/\(id)/environ").split(separator: 0).contains {
            $0.elementsEqual(wanted)
          })
    }
    var family = Set(all.filter(\.isMarked).map(\.id))
    // Add children that cleared their environment.
    var count = 0
    while count != family.count {
      count = family.count
      for process in all where family.contains(process.parent) { family.insert(process.id) }
    }
    return all.filter { family.contains($0.id) }
  }

  private static func start(_ id: Int32) -> UInt64? { facts(id)?.start }

  /// A process's parent and start time from `/proc`; nil if it has ended.
  private static func facts(_ id: Int32) -> (parent: Int32, start: UInt64)? {
    let text = String(decoding: contents("/proc/\(id)/stat", atMost: 4096), as: UTF8.self)
    // The name, in parentheses, may contain anything.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let parent = Int32(fields[1]),
      let start = UInt64(fields[19])
    else { return nil }
    return (parent, start)
  }

  /// The content of a file in `/proc`, whose size is unknown beforehand; empty if it cannot be
  /// read.
  private static func contents(_ path: String, atMost count: Int = 1 << 18) -> [UInt8] {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    guard let file = try? files.open(path, O_RDONLY) else { return [] }
    return (try? file.bytes(at: 0, count: count)) ?? []
  }
}
