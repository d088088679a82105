/// What is asked of the system for threads that must keep time with a source.
///
/// The system may refuse; nothing fails for that. ``ThreadScheduling`` tells what it granted.
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
