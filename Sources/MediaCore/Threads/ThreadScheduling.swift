/// How the system schedules a thread, by its own word: what became of ``ThreadOptions``.
public struct ThreadScheduling: Sendable, Hashable, Codable {
  /// How a thread gets its turn.
  public enum Policy: String, Sendable, Hashable, Codable {
    /// Before all that is not real-time, until it waits.
    case realTime
    /// In proportion, by niceness.
    case timeSharing
  }

  /// The thread's name, 15 bytes at most.
  public var thread: String
  /// How it gets its turn.
  public var policy: Policy
  /// 1 to 99 for real time, more before less; 0 for time sharing.
  public var priority: Int
  /// From -20, the most favored, to 19; means nothing for real time.
  public var niceness: Int
  /// The processors that it is kept on; nil for all that the process has.
  public var processors: [Int]?

  /// A description from its parts.
  public init(
    thread: String, policy: Policy = .timeSharing, priority: Int = 0, niceness: Int = 0,
    processors: [Int]? = nil
  ) {
    self.thread = thread
    self.policy = policy
    self.priority = priority
    self.niceness = niceness
    self.processors = processors
  }

  /// The calling thread's.
  package static var current: ThreadScheduling { SchedulingCalls.system.current() }
}

extension ThreadScheduling: CustomStringConvertible {
  /// `real time 30`, `nice -10`, `normal`, and the processors where they are fewer than all.
  public var description: String {
    let turn =
      switch policy {
      case .realTime: "real time \(priority)"
      case .timeSharing: niceness == 0 ? "normal" : "nice \(niceness)"
      }
    guard let processors else { return turn }
    return "\(turn) on processor \(processors.map(String.init).joined(separator: ", "))"
  }
}

extension ThreadScheduling {
  /// Asks the system for what a role and options come to, for the calling thread; takes less where
  /// it gives less.
  ///
  /// - Parameter index: The thread's number among those of its role.
  static func apply(
    _ role: ThreadRole, _ options: ThreadOptions, index: Int, calls: SchedulingCalls = .system
  ) {
    if !options.processors.isEmpty {
      let own = options.processors[index % options.processors.count]
      _ = calls.setProcessors(role == .encoding ? [own] : options.processors)
    }
    guard options.isRaised else { return }
    // Without the right to any priority a user may have one to some.
    let wanted = role.realTimePriority
    for priority in [wanted, min(wanted, calls.realTimeLimit())] where priority > 0 {
      if calls.setRealTime(priority) { return }
    }
    let least = 20 - calls.nicenessLimit()
    for niceness in [role.niceness, max(role.niceness, least)] where niceness < 0 {
      if calls.setNiceness(niceness) { return }
    }
  }
}
