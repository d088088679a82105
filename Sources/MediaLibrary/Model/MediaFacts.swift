/// What a file says about its video, audio or image.
public struct MediaFacts: Sendable, Hashable, Codable {
  /// The kind of file: `mov`, `jpeg`, `dng`, or libav's name of the container.
  public var container: String?
  /// The codec: the sample entry's code (`apch`), or libavcodec's name.
  public var codec: String?
  /// The codec's display name: `Apple ProRes 422 HQ`.
  public var codecName: String?
  /// Width in pixels; 0 for audio.
  public var width = 0
  /// Height in pixels; 0 for audio.
  public var height = 0
  /// Frames per second: `25`, `30000/1001`; nil if they vary.
  public var frameRate: String?
  /// Seconds; 0 for photos.
  public var duration = 0.0
  /// The number of frames, if the file tells.
  public var frameCount: Int?
  /// The first frame's timecode.
  public var timecode: String?
  /// Color primaries, transfer function and matrix: `1-1-1`.
  public var color: String?
  /// The number of audio channels.
  public var audioChannels: Int?
  /// Audio samples per second.
  public var sampleRate: Int?
  /// The camera's manufacturer.
  public var make: String?
  /// The camera's model, or the recorder's input device.
  public var model: String?
  /// The program that wrote the file.
  public var software: String?
  /// The slated reel.
  public var reel: String?
  /// The slated scene.
  public var scene: String?
  /// The slated take number.
  public var take: String?
  /// Identifies the movies of one take; nil for movies from other recorders.
  public var takeIdentifier: String?
  /// When it was created, in seconds since 1970.
  public var creationDate: Double?
  /// Where it was created.
  public var location: GeographicLocation?
  /// True for ProRes, which gets the "ProRes" badge.
  public var isProRes = false
  /// True for sensor data: DNG and camera makers' formats.
  public var isRAW = false
  /// True for demosaiced RAW, that is linear DNG such as ProRAW; nil for anything but DNG.
  public var isLinearRAW: Bool?

  public init() {}

  /// Fills gaps with the facts of another form of the same photo, such as the RAW file beside a
  /// processed one.
  mutating func complete(with other: MediaFacts) {
    isRAW = isRAW || other.isRAW
    isLinearRAW = isLinearRAW ?? other.isLinearRAW
    make = make ?? other.make
    model = model ?? other.model
    software = software ?? other.software
    creationDate = creationDate ?? other.creationDate
    location = location ?? other.location
    if width == 0 { (width, height) = (other.width, other.height) }
  }

  /// The creation time in seconds since 1970; nil if the file does not state it, or not plausibly:
  /// cameras without a clock write 1904, 1970 or a time in the future.
  ///
  /// - Parameter now: Seconds since 1970.
  func likelyCreationDate(now: Double) -> Double? {
    let day = 86_400.0
    return creationDate.flatMap { $0 > 366 * day && $0 < now + day ? $0 : nil }
  }

  /// Adds the length of a further movie of the take.
  mutating func append(segment: MediaFacts) {
    duration += segment.duration
    if let count = segment.frameCount { frameCount = frameCount.map { $0 + count } }
  }

  /// The camera's displayed name: make and model.
  public var device: String? {
    let parts = [make, model].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
