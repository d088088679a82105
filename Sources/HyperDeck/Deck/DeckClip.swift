/// A take as decks list it.
public struct DeckClip: Sendable, Hashable {
  /// The movie's name, without its folder.
  public var name: String
  /// The timecode of its first frame.
  public var start: String
  /// Its duration as a timecode.
  public var duration: String
  /// Its duration in frames, including gaps left open.
  public var frameCount: Int64
  /// As ``DeckState/fileFormat``.
  public var fileFormat: String
  /// As ``DeckState/videoFormat``.
  public var videoFormat: String
  /// The codec by its short name.
  var codec = ""
  /// Bytes of all its movies; nil if the recorder has not reported it.
  var fileSize: Int64?
  /// Nil if the recorder has not reported it.
  var video: DeckVideo?

  /// A clip.
  public init(
    name: String, start: String, duration: String, frameCount: Int64, fileFormat: String,
    videoFormat: String
  ) {
    self.name = name
    self.start = start
    self.duration = duration
    self.frameCount = frameCount
    self.fileFormat = fileFormat
    self.videoFormat = videoFormat
  }
}
