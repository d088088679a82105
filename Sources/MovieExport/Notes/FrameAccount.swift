package import AssetReader
public import MediaCore

/// Records what happened to frames between a source and a movie, as far as the movie does not show
/// it. The accounts of a movie's parts add up to that of the whole.
public struct FrameAccount: Sendable, Hashable, Codable {
  /// Frames with an issue.
  public struct Finding: Sendable, Hashable, Codable {
    /// The number of frames.
    public private(set) var count: Int
    /// The movie time of the first one, in seconds.
    public private(set) var seconds: Double

    /// One or more frames, the first at a movie time.
    init(_ count: Int = 1, at time: MediaTime) {
      self.count = count
      seconds = time.isNumeric ? max(time.seconds, 0) : 0
    }

    fileprivate static func sum(_ one: Self?, _ other: Self?) -> Self? {
      guard var sum = one, let other else { return one ?? other }
      sum.count = sum.count.addingSaturating(other.count)
      sum.seconds = min(sum.seconds, other.seconds)
      return sum
    }
  }

  /// The properties that a movie states for all of its frames together.
  public struct Look: Sendable, Hashable, Codable {
    /// The field order.
    public let fieldOrder: FieldOrder
    /// The pixel aspect ratio: `16:15`.
    public let pixelAspectRatio: String
    /// Code points of primaries, transfer function and matrix: `1-1-1`.
    public let color: String
    /// Width and height: `1920x1080`; nil in documents of versions that did not record it.
    public let size: String?

    package init(_ frame: PixelBuffer.Description) {
      fieldOrder = frame.fieldOrder
      pixelAspectRatio = "\(frame.pixelAspectRatio)"
      // Range and chroma siting are left out because they are converted for each frame.
      color = "\(frame.color.with(range: .video))"
      size = "\(frame.width)x\(frame.height)"
    }
  }

  /// Frames whose properties differ from what the movie states.
  public struct Change<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    /// The value of the first such frame.
    public private(set) var value: Value
    /// The frames concerned.
    public private(set) var pictures: Finding

    fileprivate init(_ value: Value, _ frame: Finding) {
      (self.value, pictures) = (value, frame)
    }

    fileprivate static func sum(_ one: Self?, _ other: Self?) -> Self? {
      guard var sum = one, let other else { return one ?? other }
      if other.pictures.seconds < sum.pictures.seconds { sum.value = other.value }
      sum.pictures = Finding.sum(sum.pictures, other.pictures) ?? sum.pictures
      return sum
    }
  }

  /// What the movie states for all frames; nil before the first one.
  public private(set) var look: Look?
  /// Frames of another field order.
  public private(set) var otherFieldOrder: Change<FieldOrder>?
  /// Frames of another pixel aspect ratio.
  public private(set) var otherPixelAspectRatio: Change<String>?
  /// Frames of another color.
  public private(set) var otherColor: Change<String>?
  /// Frames of another size, which filters scaled to the movie's.
  public private(set) var otherSize: Change<String>?
  /// The mastering display that the movie states, in words; nil for none.
  public private(set) var display: String?
  /// The content light level that the movie states, in words; nil for none.
  public private(set) var light: String?
  /// Frames of another mastering display.
  public private(set) var otherDisplay: Change<String>?
  /// Frames of another content light level.
  public private(set) var otherLight: Change<String>?
  /// The names of dropped side data, in alphabetical order.
  public private(set) var extras: [String] = []
  /// Frames whose data was partly missing or damaged.
  public private(set) var damaged: Finding?
  /// Missing frames that failed to decode, each with the time of the one before.
  public private(set) var undecoded: Finding?
  /// The number of places where video data is missing, according to the container.
  public package(set) var gapCount = 0

  /// Creates an account without frames.
  ///
  /// - Parameter look: What the movie states for all frames; nil to use the first frame's
  ///   properties.
  package init(look: Look? = nil) { self.look = look }

  /// True if video data is missing or damaged.
  package var isDamaged: Bool { damaged != nil || undecoded != nil || gapCount > 0 }

  // MARK: What comes

  /// Makes the looks of frames, and makes new texts only when a frame differs from the one before.
  package struct Looks {
    private var last: (details: PixelBuffer.Description, look: Look)?
    private var display: (value: FrameSideData.MasteringDisplay, text: String)?
    private var light: (value: FrameSideData.ContentLight, text: String)?

    package init() {}

    /// The texts for a frame's side data; nil for what it lacks.
    mutating func texts(of sideData: FrameSideData) -> (display: String?, light: String?) {
      if let value = sideData.masteringDisplay, value != display?.value {
        display = (value, value.text)
      }
      if let value = sideData.contentLight, value != light?.value { light = (value, value.text) }
      return (
        sideData.masteringDisplay == nil ? nil : display?.text,
        sideData.contentLight == nil ? nil : light?.text
      )
    }

    mutating func look(of details: PixelBuffer.Description) -> Look {
      if let last, last.details == details { return last.look }
      let look = Look(details)
      last = (details, look)
      return look
    }
  }

  /// Records a frame of the movie.
  ///
  /// - Parameters:
  ///   - time: Its movie time.
  ///   - looks: The looks of the frames before.
  package mutating func take(_ sample: AssetSample, at time: MediaTime, _ looks: inout Looks) {
    take(sample.sideData.extras)
    let frame = Finding(at: time)
    if sample.sampleBuffer.attachments.isDamaged { damaged = Finding.sum(damaged, frame) }
    let texts = looks.texts(of: sample.sideData)
    if let text = texts.display, text != display {
      otherDisplay = Change.sum(otherDisplay, Change(text, frame))
    }
    if let text = texts.light, text != light {
      otherLight = Change.sum(otherLight, Change(text, frame))
    }
    guard let details = sample.sampleBuffer.imageBuffer?.details else { return }
    take(looks.look(of: details), frame)
  }

  /// Takes the side data of the source's first frame, or else of its track, which the movie states
  /// for all frames.
  package mutating func takeFirst(_ frame: FrameSideData, _ track: FrameSideData) {
    display = (frame.masteringDisplay ?? track.masteringDisplay)?.text
    light = (frame.contentLight ?? track.contentLight)?.text
  }

  /// Records side data that no movie carries.
  package mutating func take(_ others: Set<FrameSideData.Extra>) {
    let isKnown = others.allSatisfy { extras.contains($0.rawValue) }
    if !isKnown { take(names: others.map(\.rawValue)) }
  }

  /// Records frames that failed to decode.
  ///
  /// - Parameter time: The movie time of the frame before them.
  package mutating func takeUndecoded(_ count: Int = 1, at time: MediaTime) {
    guard count > 0 else { return }
    undecoded = Finding.sum(undecoded, Finding(count, at: time))
  }

  private mutating func take(names: [String]) {
    extras = Set(extras).union(names).sorted()
  }

  private mutating func take(_ other: Look, _ frame: Finding) {
    guard let look else { return look = other }
    guard other != look else { return }
    if other.fieldOrder != look.fieldOrder {
      otherFieldOrder = Change.sum(otherFieldOrder, Change(other.fieldOrder, frame))
    }
    if other.pixelAspectRatio != look.pixelAspectRatio {
      otherPixelAspectRatio = Change.sum(
        otherPixelAspectRatio, Change(other.pixelAspectRatio, frame))
    }
    if other.color != look.color {
      otherColor = Change.sum(otherColor, Change(other.color, frame))
    }
    if let size = look.size, let other = other.size, other != size {
      otherSize = Change.sum(otherSize, Change(other, frame))
    }
  }

  /// Adds the account of other frames of the same movie.
  package mutating func add(_ other: FrameAccount) {
    look = look ?? other.look
    display = display ?? other.display
    light = light ?? other.light
    otherDisplay = Change.sum(otherDisplay, other.otherDisplay)
    otherLight = Change.sum(otherLight, other.otherLight)
    otherFieldOrder = Change.sum(otherFieldOrder, other.otherFieldOrder)
    otherPixelAspectRatio = Change.sum(otherPixelAspectRatio, other.otherPixelAspectRatio)
    otherColor = Change.sum(otherColor, other.otherColor)
    otherSize = Change.sum(otherSize, other.otherSize)
    take(names: other.extras)
    damaged = Finding.sum(damaged, other.damaged)
    undecoded = Finding.sum(undecoded, other.undecoded)
    gapCount = gapCount.addingSaturating(other.gapCount)
  }
}

extension FrameSideData.MasteringDisplay {
  /// The primaries, white point and luminance, in words.
  fileprivate var text: String {
    let places = chromaticities.map { (Double($0) / 50_000).text(decimals: 4) }
    let pairs = stride(from: 0, to: places.count - 1, by: 2).map {
      "\(places[$0]),\(places[$0 + 1])"
    }
    let (least, most) = (Double(minimumLuminance) / 10_000, Double(maximumLuminance) / 10_000)
    return
      "\(least.text(decimals: 4)) to \(most.text(decimals: 4)) cd/m2 (\(pairs.joined(separator: " ")))"
  }
}

extension FrameSideData.ContentLight {
  /// The light levels, in words.
  fileprivate var text: String { "\(maximum) cd/m2, \(maximumFrameAverage) a frame" }
}
