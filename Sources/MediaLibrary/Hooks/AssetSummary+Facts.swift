import FoundationEssentials
import MediaCore

extension AssetSummary {
  /// ``MediaFacts`` under the names that all JSON documents share.
  public struct Facts: Sendable, Hashable, Codable {
    /// The kind of file: `mov`, `jpeg`, `dng`, or libav's name of the container.
    public var container: String?
    /// The codec: the sample entry's code (`apch`), or libavcodec's name.
    public var codec: String?
    /// The codec's display name: `Apple ProRes 422 HQ`.
    public var codecName: String?
    /// Width in pixels; 0 for audio.
    public var width: Int
    /// Height in pixels; 0 for audio.
    public var height: Int
    /// Frames per second: `25`, `30000/1001`; nil if they vary.
    public var frameRate: String?
    /// Seconds; 0 for photos.
    public var duration: Double
    /// The number of frames, if the file tells.
    public var frameCount: Int?
    /// The first frame's timecode.
    public var startTimecode: String?
    /// Color primaries, transfer function and matrix: `1-1-1`.
    public var color: String?
    /// The number of audio channels.
    public var channelCount: Int?
    /// Audio samples per second.
    public var sampleRate: Int?
    /// The camera's maker.
    public var make: String?
    /// The camera's model, or the recorder's input device.
    public var model: String?
    /// The program that wrote the file.
    public var software: String?
    /// The slated reel.
    public var reel: String?
    /// The slated scene.
    public var scene: String?
    /// The slated take number; other recorders may use letters.
    public var take: String?
    /// Identifies the movies of one take; nil for movies from other recorders.
    public var takeIdentifier: String?
    /// When it was created, in ISO 8601.
    public var creationDate: String?
    /// Where it was created.
    public var location: GeographicLocation?
    public var isProRes: Bool
    /// True for sensor data: DNG and camera makers' formats.
    public var isRAW: Bool
    /// True for demosaiced RAW, that is linear DNG such as ProRAW; nil for anything but DNG.
    public var isLinearRAW: Bool?

    init(_ facts: MediaFacts) {
      (container, codec, codecName) = (facts.container, facts.codec, facts.codecName)
      (width, height) = (facts.width, facts.height)
      // The catalogue stores the short name, 29.97.
      frameRate = facts.frameRate.map { FrameRate($0)?.fraction ?? $0 }
      (duration, frameCount) = (facts.duration, facts.frameCount)
      startTimecode = facts.timecode
      color = facts.color
      (channelCount, sampleRate) = (facts.audioChannels, facts.sampleRate)
      (make, model, software) = (facts.make, facts.model, facts.software)
      (reel, scene, take) = (facts.reel, facts.scene, facts.take)
      takeIdentifier = facts.takeIdentifier
      creationDate = facts.creationDate.map {
        Date(timeIntervalSince1970: $0).formatted(.iso8601)
      }
      location = facts.location
      (isProRes, isRAW, isLinearRAW) = (facts.isProRes, facts.isRAW, facts.isLinearRAW)
    }
  }
}
