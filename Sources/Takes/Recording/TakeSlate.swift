import CaptureDevices

/// What is said of a single take when it is begun.
public struct TakeSlate: Sendable, Hashable {
  /// The movie's name, with wildcards as ``MovieName`` has them, and without a folder; nil for the
  /// session's.
  public var name: String?
  /// The reel; nil for the one before.
  public var reel: String?
  /// The scene; nil for the one before.
  public var scene: String?
  /// The take's number; nil for the next one.
  public var take: Int?

  /// A change of the slate; nil for values that stay.
  public init(
    name: String? = nil, reel: String? = nil, scene: String? = nil, take: Int? = nil
  ) {
    self.name = name
    self.reel = reel
    self.scene = scene
    self.take = take
  }

  /// The template of the take's name in the folder of the session's.
  ///
  /// - Throws: As ``check()``: what comes from elsewhere is a name, never a path.
  func template(
    in session: String?, _ setup: RecordingSetup
  ) throws(CaptureError) -> String? {
    try check()
    guard let name else { return session }
    let file = name.hasSuffix(".mov") ? name : name + ".mov"
    let folder =
      try MovieName(
        output: session ?? setup.request.outputFolder.map { $0.hasSuffix("/") ? $0 : $0 + "/" },
        standardName: setup.request.preset.fileName
      ).folder
    return folder + file
  }
}
