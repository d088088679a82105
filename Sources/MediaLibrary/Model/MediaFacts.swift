/// What a file says of its pictures and sound.
public struct MediaFacts: Sendable, Hashable, Codable {
  /// The kind of file: `mov`, `jpeg`, `dng`, or libav's name of the container.
  public var container: String?
  /// The codec: the sample entry's code (`apch`), or libavcodec's name.
  public var codec: String?
  /// The codec for people: `Apple ProRes 422 HQ`.
  public var codecName: String?
  /// Pixels in a row; 0 for sound.
  public var width = 0
  /// Rows; 0 for sound.
  public var height = 0
  /// Frames a second: `25`, `30000/1001`; nil where they vary.
  public var frameRate: String?
  /// Seconds; 0 for pictures.
  public var duration = 0.0
  /// Frames, where the file counts them.
  public var frameCount: Int?
  /// The first frame's timecode.
  public var timecode: String?
  /// Primaries, transfer and matrix: `1-1-1`.
  public var color: String?
  /// Channels of sound.
  public var audioChannels: Int?
  /// Frames of sound a second.
  public var sampleRate: Int?
  /// The camera's manufacturer.
  public var make: String?
  /// The camera, or the recorder's device.
  public var model: String?
  /// The program that wrote the file.
  public var software: String?
  /// The reel, as it was slated.
  public var reel: String?
  /// The scene, as it was slated.
  public var scene: String?
  /// The take's number, as it was slated.
  public var take: String?
  /// What the movies of one take have in common; nil for movies of other recorders.
  public var takeIdentifier: String?
  /// When it was made, in seconds since 1970.
  public var creationDate: Double?
  /// Where it was made.
  public var location: GeographicLocation?
  /// True for ProRes: what carries the "ProRes" badge.
  public var isProRes = false
  /// True for a sensor's own data: DNG and the makers' formats.
  public var isRAW = false
  /// True for RAW whose colors are made already, linear DNG as ProRAW is; nil for all else.
  public var isLinearRAW: Bool?

  /// Nothing known.
  public init() {}

  /// Adds what another form of the same picture says: the RAW file beside a processed one.
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

  /// When it was made, in seconds since 1970; nil where the file does not say it, or says what cannot be:
  /// cameras without a clock say 1904, 1970 or something to come.
  ///
  /// - Parameter now: Seconds since 1970.
  func likelyCreationDate(now: Double) -> Double? {
    let day = 86_400.0
    return creationDate.flatMap { $0 > 366 * day && $0 < now + day ? $0 : nil }
  }

  /// Adds the length of the movie that a take goes on in.
  mutating func append(segment: MediaFacts) {
    duration += segment.duration
    if let count = segment.frameCount { frameCount = frameCount.map { $0 + count } }
  }

  /// The camera for people: make and model.
  public var device: String? {
    let parts = [make, model].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
