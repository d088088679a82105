/// The slate of a take. It is written into the movie, the sidecar and the report.
public struct TakeLabel: Sendable, Hashable, Codable {
  /// The reel; also written to the timecode track.
  public var reel: String?
  public var scene: String?
  /// The take's number.
  public var take: Int?

  /// A label; nil for what the slate leaves out.
  public init(reel: String? = nil, scene: String? = nil, take: Int? = nil) {
    self.reel = reel
    self.scene = scene
    self.take = take
  }

  /// The label as metadata of a QuickTime movie.
  ///
  /// Final Cut Pro reads reel, scene and take under Apple's keys. Cameras without shot numbers
  /// write the take's number as `shot`, and some editors look there.
  package var metadata: [(key: String, value: String)] {
    let number = take.map { "\($0)" }
    let items: [(String, String?)] = [
      ("com.apple.proapps.reel", reel), ("com.apple.proapps.scene", scene),
      ("com.apple.proapps.take", number), ("com.apple.proapps.shot", number),
      ("com.prores-recorder.reel", reel), ("com.prores-recorder.scene", scene),
      ("com.prores-recorder.take", number),
    ]
    return items.compactMap { key, value in value.map { (key, $0) } }
  }
}
