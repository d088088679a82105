/// What a hook did after a save.
public struct HookReport: Sendable, Hashable, Codable {
  /// How a hook's process ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// It exited with status 0.
    case succeeded
    /// With another status, or by a signal.
    case failed
    /// It took too long, and was ended.
    case timedOut
    /// It could not be started.
    case notStarted
    /// It was ended because the program was to come to an end.
    case interrupted
    /// It was not started because the program was to come to an end.
    case skipped
  }

  /// The executable's path.
  public var hook: String
  /// The asset that was saved.
  public var asset: String
  /// How a hook's process ended.
  public var outcome: Outcome
  /// The exit status; 128 and the number for a signal; nil where it did not come to one.
  public var status: Int32?
  /// Seconds that it took.
  public var duration: Double
  /// What it printed, on standard output and standard error: the last 64 KiB at most.
  public var output: String
  /// True where it printed more.
  public var isOutputCut: Bool

  /// A hook that has said nothing so far.
  init(hook: String, asset: String, outcome: Outcome) {
    self.hook = hook
    self.asset = asset
    self.outcome = outcome
    (duration, output, isOutputCut) = (0, "", false)
  }

  /// True where it was ended, or not started, because the program was to come to an end.
  public var wasInterrupted: Bool { outcome == .interrupted || outcome == .skipped }
}

/// Which hooks run after a save.
public enum HookSelection: Sendable, Hashable {
  /// Those of the folder that the library's settings name, or else the user's: `recordctl/hooks` in
  /// the XDG configuration folder.
  case settings
  /// The executables of a folder, by name.
  case folder(String)
  /// These, in this order.
  case executables([String])
  case none
}
