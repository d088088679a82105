/// Permission to record audio.
public final class AVAudioApplication: Sendable {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  /// Whether the program may record.
  public enum recordPermission: Int, Sendable {
    // Apple's numbers: undt, deny and grnt in ASCII.

    /// The user has not been asked yet.
    case undetermined = 0x756E_6474
    /// Recording is not allowed.
    case denied = 0x6465_6E79
    /// Recording is allowed.
    case granted = 0x6772_6E74
  }

  /// The only instance.
  public static let shared = AVAudioApplication()

  private init() {}

  /// Always granted: the user is not asked. Opening a device without permission fails with an error.
  public var recordPermission: recordPermission { .granted }

  /// Returns true immediately.
  public static func requestRecordPermission() async -> Bool { true }

  /// Calls the handler with true immediately.
  public static func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }
}
