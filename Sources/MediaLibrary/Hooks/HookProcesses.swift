import CLinux
import FoundationEssentials
import Glibc

/// The processes that a hook started, itself among them: also those that left its process group and
/// its session. They are known by a variable that each hook gets for itself and hands on, and as
/// children of those that have it.
struct HookProcesses: Sendable {
  /// The variable's name.
  static let variable = "RECORDCTL_HOOK_RUN"

  /// What the variable says for this run.
  let mark = UUID().uuidString

  /// Ends all of them: first they are asked (SIGTERM), and what is left after `grace` is killed.
  ///
  /// - Parameter grace: How long they may take, in tenths of a second.
  func end(grace: Int = 20) async {
    // A task of its own: it has time also where the one that waits was cancelled.
    await Task.detached {
      guard signal(SIGTERM) else { return }
      for _ in 0..<grace {
        try? await Task.sleep(for: .milliseconds(100))
        if find().isEmpty { return }
      }
      // A process may start others while it is looked for; the last look finds none.
      for _ in 0..<50 where signal(SIGKILL) { try? await Task.sleep(for: .milliseconds(20)) }
    }.value
  }

  /// Sends all of them a signal.
  ///
  /// - Returns: false where there are none.
  private func signal(_ number: Int32) -> Bool {
    let found = find()
    for process in found {
      // A descriptor means this process, also where its number is given to another one meanwhile.
      let descriptor = CInt(process_open(process.id))
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if Self.start(process.id) == process.start { process_signal(descriptor, number) }
    }
    return !found.isEmpty
  }

  /// A process, and when it was started: numbers are used again.
  private struct Found {
    var id: Int32
    var parent: Int32
    var start: UInt64
    var isMarked: Bool
  }

  /// Those that are alive.
  private func find() -> [Found] {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let wanted = Array("\(Self.variable)=\(mark)".utf8)
    // A process older than this one was not started by its hook: its environment, which may be long, is not read.
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
    // Children that cleared their environment.
    var count = 0
    while count != family.count {
      count = family.count
      for process in all where family.contains(process.parent) { family.insert(process.id) }
    }
    return all.filter { family.contains($0.id) }
  }

  private static func start(_ id: Int32) -> UInt64? { facts(id)?.start }

  /// A process's parent and its start, as `/proc` tells them; nil for one that has ended.
  private static func facts(_ id: Int32) -> (parent: Int32, start: UInt64)? {
    let text = String(decoding: contents("/proc/\(id)/stat", atMost: 4096), as: UTF8.self)
    // The name, in parentheses, may hold anything.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let parent = Int32(fields[1]),
      let start = UInt64(fields[19])
    else { return nil }
    return (parent, start)
  }

  /// What a file of `/proc` holds: its size is not known before it is read. Empty where it cannot be read.
  private static func contents(_ path: String, atMost count: Int = 1 << 18) -> [UInt8] {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    guard let file = try? files.open(path, O_RDONLY) else { return [] }
    return (try? file.bytes(at: 0, count: count)) ?? []
  }
}
