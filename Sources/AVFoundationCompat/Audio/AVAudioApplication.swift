/// Whether a program may record sound.
public final class AVAudioApplication: Sendable {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  /// What a program may.
  public enum recordPermission: Int, Sendable {
    /// Nobody was asked yet.
    case undetermined
    /// It may not.
    case denied
    /// It may.
    case granted
  }

  /// The program.
  public static let shared = AVAudioApplication()

  private init() {}

  /// Granted: nobody is asked here, and a device that may not be opened says so when it is.
  public var recordPermission: recordPermission { .granted }

  /// True at once.
  public static func requestRecordPermission() async -> Bool { true }

  /// Calls the handler with true, at once.
  public static func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }
}
