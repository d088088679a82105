/// The result of a hook that ran after a save.
public struct HookReport: Sendable, Hashable, Codable {
  /// How a hook's process ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// It exited with status 0.
    case succeeded
    /// It exited with another status, or was ended by a signal.
    case failed
    /// It exceeded the time limit and was ended.
    case timedOut
    /// It could not be started.
    case notStarted
    /// It was ended because the program is about to exit.
    case interrupted
    /// It was not started because the program is about to exit.
    case skipped
  }

  /// The executable's path.
  public var hook: String
  /// The asset that was saved.
  public var asset: String
  /// How a hook's process ended.
  public var outcome: Outcome
  /// The exit status, or 128 plus the number of the signal; nil if there is neither.
  public var status: Int32?
  /// How long it ran, in seconds.
  public var duration: Double
  /// Its standard output and standard error combined, limited to the last 64 KiB.
  public var output: String
  /// True if it printed more.
  public var isOutputCut: Bool

  init(hook: String, asset: String, outcome: Outcome) {
    self.hook = hook
    self.asset = asset
    self.outcome = outcome
    (duration, output, isOutputCut) = (0, "", false)
  }

  /// True if it was ended, or not started, because the program is about to exit.
  public var wasInterrupted: Bool { outcome == .interrupted || outcome == .skipped }
}

/// The hooks to run after a save.
public enum HookSelection: Sendable, Hashable {
  /// Those in the folder named in the library's settings, or else the user's: `recordctl/hooks` in
  /// the XDG configuration folder.
  case settings
  /// The executables in a folder, sorted by name.
  case folder(String)
  /// These, in this order.
  case executables([String])
  case none
}
