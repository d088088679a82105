import Synchronization

/// The scheduling to request for threads that must keep pace with a source.
///
/// If the system refuses, nothing fails. ``ThreadScheduling`` says what it granted.
public struct ThreadOptions: Sendable, Hashable, Codable {
  /// True to ask for a higher priority than that of other programs.
  public var isRaised: Bool
  /// The processors that the threads are kept on, numbered as Linux does; empty for any. Each
  /// encoding thread gets one of them for itself, in turn; capture and writing use any of them.
  public var processors: [Int]

  /// Options; a raised priority and any processor unless told otherwise.
  public init(isRaised: Bool = true, processors: [Int] = []) {
    self.isRaised = isRaised
    self.processors = processors
  }

  /// A thread like any other: for work that no source waits for.
  public static let ordinary = ThreadOptions(isRaised: false)
}

extension ThreadOptions {
  /// Those of ``processors`` that do not exist, or that this program may not use. Tried on a short-lived
  /// thread.
  package var refusedProcessors: [Int] { refusedProcessors(by: .system) }

  func refusedProcessors(by calls: SchedulingCalls) -> [Int] {
    guard !processors.isEmpty else { return [] }
    let wanted = Set(processors).sorted()
    let refused = Mutex<[Int]>([])
    let thread = try? MediaThread(name: "processors", role: .writing) {
      let answers = wanted.filter { !calls.setProcessors([$0]) }
      refused.withLock { $0 = answers }
    }
    thread?.join()
    return refused.withLock { $0 }
  }

  /// What to mind of processors that are refused, in one line; nil for none.
  package static func warning(ofRefused processors: [Int]) -> String? {
    guard !processors.isEmpty else { return nil }
    return
      "the system cannot pin a thread to processor \(processors.map(String.init).joined(separator: ", ")): "
      + "the machine has no such processor, or the program may not use it; its threads run "
      + "elsewhere"
  }
}
