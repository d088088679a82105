public import CaptureDevices
import MediaCore

extension MovieName {
  /// Refuses a name, or a part of one, that no file name can hold.
  ///
  /// - Parameter subject: What the text is, for the message: `the reel`.
  /// - Throws: `CaptureError.Code.invalidArgument` for an invisible character, and for more than 240 bytes of
  ///   UTF-8.
  public static func check(_ text: String, as subject: String) throws(CaptureError) {
    if let character = text.firstHiddenCharacter {
      throw CaptureError(.invalidArgument, "\(subject) has \(character); leave it out")
    }
    guard text.utf8.count <= longestName else {
      throw CaptureError(
        .invalidArgument,
        "\(subject) '\(text.prefix(40))…' has \(text.utf8.count) bytes; the limit is \(longestName)"
      )
    }
  }
}

extension MovieName.Values {
  /// Refuses a reel or a scene that cannot be.
  ///
  /// - Throws: As ``MovieName/check(_:as:)``.
  func check() throws(CaptureError) {
    if let reel { try MovieName.check(reel, as: "the reel") }
    if let scene { try MovieName.check(scene, as: "the scene") }
  }
}

extension TakeSlate {
  /// Refuses a slate that no take can have, whatever its session.
  ///
  /// - Throws: As ``MovieName/init(presetName:)`` and ``MovieName/check(_:as:)``.
  public func check() throws(CaptureError) {
    if let name { _ = try MovieName(presetName: name) }
    var values = MovieName.Values()
    (values.reel, values.scene) = (reel, scene)
    try values.check()
  }
}
