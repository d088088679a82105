/// What a thread does, from which follows how urgent it is.
package enum ThreadRole: Sendable, Hashable, CaseIterable {
  /// Takes samples from a device, whose buffers are few. Little work, at once.
  case capture
  /// Writes the movie; what it falls behind waits in memory.
  case writing
  /// Encodes. All of the work, and a frame's time to do it in.
  case encoding

  /// The real-time priority to ask for, 1 to 99.
  ///
  /// Encoding comes last, for it can take all of every processor; the kernel keeps a twentieth for
  /// what is not real-time. A niceness would not do for it: where Linux groups threads by session
  /// (sched_autogroup), it counts within the group alone, and the machine's other sessions get as
  /// much as before.
  var realTimePriority: Int {
    switch self {
    case .capture: 30
    case .writing: 20
    case .encoding: 10
    }
  }

  /// The niceness to request if real-time priority is not available.
  var niceness: Int {
    switch self {
    case .capture: -15
    case .writing: -12
    case .encoding: -10
    }
  }
}
