package import AssetReader
public import MediaCore

/// What happened to pictures on their way from a source into a movie, as far as the movie does not show
/// it. The accounts of a movie's parts add up to that of the whole.
public struct PictureAccount: Sendable, Hashable, Codable {
  /// Pictures that something is the matter with.
  public struct Finding: Sendable, Hashable, Codable {
    /// How many.
    public private(set) var count: Int
    /// When the first of them is shown, in seconds from the movie's beginning.
    public private(set) var seconds: Double

    /// One picture or more, the first at its time from the movie's beginning.
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

  /// What a movie says of all of its pictures at once.
  public struct Look: Sendable, Hashable, Codable {
    /// Which field is first.
    public let fieldOrder: FieldOrder
    /// The shape of a pixel: `16:15`.
    public let pixelAspectRatio: String
    /// Code points of primaries, transfer function and matrix: `1-1-1`.
    public let color: String
    /// Width and height: `1920x1080`; nil in documents of versions that did not note it.
    public let size: String?

    package init(_ picture: PixelBuffer.Description) {
      fieldOrder = picture.fieldOrder
      pixelAspectRatio = "\(picture.pixelAspectRatio)"
      // Each picture's range is converted by itself, and so are the places of its chroma.
      color = "\(picture.color.with(range: .video))"
      size = "\(picture.width)x\(picture.height)"
    }
  }

  /// Pictures of another look than the movie says.
  public struct Change<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    /// What the first of them is.
    public private(set) var value: Value
    /// How many of them there are.
    public private(set) var pictures: Finding

    fileprivate init(_ value: Value, _ picture: Finding) {
      (self.value, pictures) = (value, picture)
    }

    fileprivate static func sum(_ one: Self?, _ other: Self?) -> Self? {
      guard var sum = one, let other else { return one ?? other }
      if other.pictures.seconds < sum.pictures.seconds { sum.value = other.value }
      sum.pictures = Finding.sum(sum.pictures, other.pictures) ?? sum.pictures
      return sum
    }
  }

  /// What the movie says of all pictures; nil before the first one.
  public private(set) var look: Look?
  /// Pictures of another field order.
  public private(set) var otherFieldOrder: Change<FieldOrder>?
  /// Pictures whose pixels have another shape.
  public private(set) var otherPixelAspectRatio: Change<String>?
  /// Pictures of another color.
  public private(set) var otherColor: Change<String>?
  /// Pictures of another size, which filters brought to the movie's.
  public private(set) var otherSize: Change<String>?
  /// The display that the movie says its pictures were mastered on, in words; nil for none.
  public private(set) var display: String?
  /// The light level that the movie says its pictures have, in words; nil for none.
  public private(set) var light: String?
  /// Pictures that were mastered on another display.
  public private(set) var otherDisplay: Change<String>?
  /// Pictures of another light level.
  public private(set) var otherLight: Change<String>?
  /// Names of what came with pictures and is dropped, in alphabetical order.
  public private(set) var extras: [String] = []
  /// Pictures of whose data a part was missing or wrong.
  public private(set) var damaged: Finding?
  /// Pictures that do not decode and are missing, each at the time of the one before.
  public private(set) var undecoded: Finding?
  /// Places where the source lacks data of pictures, as its container tells.
  public package(set) var gapCount = 0

  /// An account of no picture.
  ///
  /// - Parameter look: What the movie says of all pictures; nil for what the first one is.
  package init(look: Look? = nil) { self.look = look }

  /// True where the source lacks data of pictures, or that is wrong.
  package var isDamaged: Bool { damaged != nil || undecoded != nil || gapCount > 0 }

  // MARK: What comes

  /// Makes looks of pictures, whose texts are made anew only where one differs from the one before.
  package struct Looks {
    private var last: (details: PixelBuffer.Description, look: Look)?
    private var display: (value: PictureSideData.MasteringDisplay, text: String)?
    private var light: (value: PictureSideData.ContentLight, text: String)?

    package init() {}

    /// What comes with a picture; nil for what is not said of it.
    mutating func texts(of sideData: PictureSideData) -> (display: String?, light: String?) {
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

  /// Takes a picture that the movie shows.
  ///
  /// - Parameters:
  ///   - time: When it is shown, from the movie's beginning.
  ///   - looks: Those of the pictures before.
  package mutating func take(_ sample: AssetSample, at time: MediaTime, _ looks: inout Looks) {
    take(sample.sideData.extras)
    let picture = Finding(at: time)
    if sample.sampleBuffer.attachments.isDamaged { damaged = Finding.sum(damaged, picture) }
    let texts = looks.texts(of: sample.sideData)
    if let text = texts.display, text != display {
      otherDisplay = Change.sum(otherDisplay, Change(text, picture))
    }
    if let text = texts.light, text != light {
      otherLight = Change.sum(otherLight, Change(text, picture))
    }
    guard let details = sample.sampleBuffer.imageBuffer?.details else { return }
    take(looks.look(of: details), picture)
  }

  /// What comes with the source's first picture, or else with its track: the movie says it of all pictures.
  package mutating func takeFirst(_ picture: PictureSideData, _ track: PictureSideData) {
    display = (picture.masteringDisplay ?? track.masteringDisplay)?.text
    light = (picture.contentLight ?? track.contentLight)?.text
  }

  /// Takes what comes with pictures and no movie has.
  package mutating func take(_ others: Set<PictureSideData.Extra>) {
    let isKnown = others.allSatisfy { extras.contains($0.rawValue) }
    if !isKnown { take(names: others.map(\.rawValue)) }
  }

  /// Takes pictures that do not decode.
  ///
  /// - Parameter time: When the picture before them is shown, from the movie's beginning.
  package mutating func takeUndecoded(_ count: Int = 1, at time: MediaTime) {
    guard count > 0 else { return }
    undecoded = Finding.sum(undecoded, Finding(count, at: time))
  }

  private mutating func take(names: [String]) {
    extras = Set(extras).union(names).sorted()
  }

  private mutating func take(_ other: Look, _ picture: Finding) {
    guard let look else { return look = other }
    guard other != look else { return }
    if other.fieldOrder != look.fieldOrder {
      otherFieldOrder = Change.sum(otherFieldOrder, Change(other.fieldOrder, picture))
    }
    if other.pixelAspectRatio != look.pixelAspectRatio {
      otherPixelAspectRatio = Change.sum(
        otherPixelAspectRatio, Change(other.pixelAspectRatio, picture))
    }
    if other.color != look.color {
      otherColor = Change.sum(otherColor, Change(other.color, picture))
    }
    if let size = look.size, let other = other.size, other != size {
      otherSize = Change.sum(otherSize, Change(other, picture))
    }
  }

  /// Adds the account of other pictures of the same movie.
  package mutating func add(_ other: PictureAccount) {
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

extension PictureSideData.MasteringDisplay {
  /// Its primaries, its white and its luminance, in words.
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

extension PictureSideData.ContentLight {
  /// In words.
  fileprivate var text: String { "\(maximum) cd/m2, \(maximumFrameAverage) a frame" }
}
