import FoundationEssentials
import MediaCore

extension AssetSummary {
  /// ``MediaFacts`` in the words that all JSON documents share.
  public struct Facts: Sendable, Hashable, Codable {
    /// The kind of file: `mov`, `jpeg`, `dng`, or libav's name of the container.
    public var container: String?
    /// The codec: the sample entry's code (`apch`), or libavcodec's name.
    public var codec: String?
    /// The codec for people: `Apple ProRes 422 HQ`.
    public var codecName: String?
    /// Pixels in a row; 0 for audio.
    public var width: Int
    /// Rows; 0 for audio.
    public var height: Int
    /// Frames a second: `25`, `30000/1001`; nil where they vary.
    public var frameRate: String?
    /// Seconds; 0 for photos.
    public var duration: Double
    /// Frames, where the file counts them.
    public var frameCount: Int?
    /// The first frame's timecode.
    public var startTimecode: String?
    /// Primaries, transfer and matrix: `1-1-1`.
    public var color: String?
    /// Channels of audio.
    public var channelCount: Int?
    /// Samples of audio a second.
    public var sampleRate: Int?
    /// Who made the camera.
    public var make: String?
    /// The camera, or the recorder's device.
    public var model: String?
    /// The program that wrote the file.
    public var software: String?
    /// The reel, as it was slated.
    public var reel: String?
    /// The scene, as it was slated.
    public var scene: String?
    /// The take's number, as it was slated; other recorders write letters, too.
    public var take: String?
    /// What the movies of one take have in common; nil for movies of other recorders.
    public var takeIdentifier: String?
    /// When it was made, by ISO 8601.
    public var creationDate: String?
    /// Where it was made.
    public var location: GeographicLocation?
    public var isProRes: Bool
    /// True for a sensor's own data: DNG and the makers' formats.
    public var isRAW: Bool
    /// True for RAW whose colors are made already, linear DNG as ProRAW is; nil for all else.
    public var isLinearRAW: Bool?

    init(_ facts: MediaFacts) {
      (container, codec, codecName) = (facts.container, facts.codec, facts.codecName)
      (width, height) = (facts.width, facts.height)
      // The catalogue keeps the short name, 29.97.
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
