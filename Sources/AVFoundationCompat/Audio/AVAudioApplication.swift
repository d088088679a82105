/// Whether a program may record sound.
public final class AVAudioApplication: Sendable {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  /// What a program may.
  public enum recordPermission: Int, Sendable {
    // Apple's numbers: undt, deny and grnt in ASCII.

    /// Nobody was asked yet.
    case undetermined = 0x756E_6474
    /// It may not.
    case denied = 0x6465_6E79
    /// It may.
    case granted = 0x6772_6E74
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
