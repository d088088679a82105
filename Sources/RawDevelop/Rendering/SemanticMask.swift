import DNG
import MediaCore

/// The coverage, 0 to 1, of an image's pixels by a kind of object.
public struct SemanticMask: Sendable, Hashable {
  /// What it shows: DNG's SemanticName.
  public let name: String
  /// Distinguishes masks of the same name.
  public let instanceID: String?
  /// Width of the stored part in pixels.
  public let width: Int
  /// Height of the stored part in pixels.
  public let height: Int
  /// The stored part, row by row.
  public let samples: [Float]
  /// The position of the stored part in the mask, and the mask's size; the mask covers the active area as trimmed
  /// by opcodes.
  let place: (left: Int, top: Int, width: Int, height: Int)

  public static func == (lhs: SemanticMask, rhs: SemanticMask) -> Bool {
    lhs.name == rhs.name && lhs.instanceID == rhs.instanceID && lhs.width == rhs.width
      && lhs.samples == rhs.samples && lhs.place == rhs.place
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(instanceID)
    hasher.combine(samples)
  }

  /// The greatest position and side, the same as for a file's images.
  private static let sideLimit = 65_535
  /// The most pixels in a mask: ``image`` has three floats for each.
  private static let pixelLimit = (1 << 29) / 3
  /// The most samples in all masks used together, the same as in an image.
  private static let sampleLimit = 1 << 29

  /// Decodes a file's mask.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for an invalid form or size, and what decoding throws.
  init(_ source: DNGFile.Image, of file: DNGFile) throws(RawDevelopError) {
    name = source.semanticName ?? ""
    instanceID = source.semanticInstanceID
    (width, height) = (source.width, source.height)
    place =
      source.maskSubArea ?? (left: 0, top: 0, width: source.width, height: source.height)
    guard source.components == 1, place.width > 0, place.height > 0 else {
      throw RawDevelopError(.invalidFile, "the mask \(name) has an impossible form")
    }
    guard [place.left, place.top, place.width, place.height].allSatisfy({ $0 <= Self.sideLimit }),
      place.width * place.height <= Self.pixelLimit
    else {
      throw RawDevelopError(
        .invalidFile,
        "the mask \(name) claims \(place.width)x\(place.height) pixels from \(place.left), "
          + "\(place.top) on (MaskSubArea); no image is that large")
    }
    let samples = try RawDevelopError.from { () throws(DNGError) in
      try file.decodeSamples(of: source)
    }
    switch samples {
    case .integers(let image):
      let scale = 1 / Float((1 << image.bitDepth) - 1)
      self.samples = image.samples.map { Float($0) * scale }
    case .floats(let image): self.samples = image.samples.map { $0.bounded(0, 1) }
    }
  }

  /// Decodes several of a file's masks.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for more samples than the limit, and what decoding throws.
  static func all(
    _ images: [DNGFile.Image], of file: DNGFile
  ) throws(RawDevelopError) -> [SemanticMask] {
    try checkSize(of: images)
    var masks: [SemanticMask] = []
    for image in images { masks.append(try SemanticMask(image, of: file)) }
    return masks
  }

  /// Throws if the masks are too large together: in a small file, many may share the same bytes.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile``.
  static func checkSize(of images: [DNGFile.Image]) throws(RawDevelopError) {
    guard images.reduce(0, { $0 + $1.width * $1.height }) > sampleLimit else { return }
    throw tooLarge(images.compactMap(\.semanticName), count: images.count)
  }

  private static func tooLarge(_ names: [String], count: Int) -> RawDevelopError {
    var different: [String] = []
    for name in names where !different.contains(name) { different.append(name) }
    return RawDevelopError(
      .invalidFile,
      "the file has \(count) masks \(different.joined(separator: ", ")), which are too large together"
    )
  }

  private init(_ first: SemanticMask, samples: [Float]) {
    (name, instanceID, self.samples) = (first.name, nil, samples)
    (width, height) = (first.place.width, first.place.height)
    place = (left: 0, top: 0, width: width, height: height)
  }

  /// The fraction of an image covered by the stored part, at most 1.
  private var share: Double {
    func part(_ stored: Int, _ full: Int) -> Double { min(Double(stored + 1) / Double(full), 1) }
    return part(width, place.width) * part(height, place.height)
  }

  /// The union of masks, with the first one's size and name; nil if there are no masks.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` if the pixels covered, counted for each mask, exceed the limit
  ///   for an image: a small file may claim many masks of any size.
  static func union(_ masks: [SemanticMask]) throws(RawDevelopError) -> SemanticMask? {
    guard let first = masks.first, masks.count > 1 else { return masks.first }
    let (width, height) = (first.place.width, first.place.height)
    guard masks.reduce(0, { $0 + $1.share }) * Double(width * height) <= Double(sampleLimit) else {
      throw tooLarge(masks.map(\.name), count: masks.count)
    }
    var samples = [Float](repeating: 0, count: width * height)
    samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for row in 0..<height {
        for mask in masks {
          mask.raise(
            start + row * width, count: width, x: 0.5 / Float(width), step: 1 / Float(width),
            y: (Float(row) + 0.5) / Float(height))
        }
      }
    }
    return SemanticMask(first, samples: samples)
  }

  /// Raises the weights of a run of pixels to the mask's where those are greater; the mask is 0 outside its stored
  /// part.
  ///
  /// - Parameters:
  ///   - x: The center of the first pixel, 0 to 1 across the trimmed active area.
  ///   - step: The distance to the next pixel.
  ///   - y: The center of the row, 0 to 1.
  func raise(
    _ run: UnsafeMutablePointer<Float>, count: Int, x: Float, step: Float, y: Float
  ) {
    /// The samples on both sides of a position in the full mask, and the second one's weight.
    func axis(_ part: Float, _ full: Int) -> (Int, Int, Float) {
      let inside = min(max(part * Float(full) - 0.5, 0), Float(full - 1))
      let index = Int(inside)
      return (index, min(index + 1, full - 1), inside - Float(index))
    }
    let (top, bottom, v) = axis(y, place.height)
    guard bottom >= place.top, top < place.top + height else { return }
    for index in columns(x, step, count) {
      let (left, right, u) = axis(x + step * Float(index), place.width)
      let above = self[top, left] * (1 - u) + self[top, right] * u
      let below = self[bottom, left] * (1 - u) + self[bottom, right] * u
      run[index] = max(run[index], above * (1 - v) + below * v)
    }
  }

  /// The pixels of a run that the stored part may cover, and few more.
  private func columns(_ x: Float, _ step: Float, _ count: Int) -> Range<Int> {
    /// The pixel above a column of the full mask; beyond the mask's edges its outermost columns are repeated.
    func pixel(_ column: Int) -> Int {
      if column <= 0 { return 0 }
      if column >= place.width { return count }
      let place = (Double(column) / Double(place.width) - Double(x)) / Double(step)
      return Int(min(max(place, 0), Double(count)))
    }
    let first = max(pixel(place.left - 1) - 2, 0)
    return first..<max(min(pixel(place.left + width + 1) + 3, count), first)
  }

  /// A sample of the full mask.
  private subscript(row: Int, column: Int) -> Float {
    let (y, x) = (row - place.top, column - place.left)
    return (0..<height).contains(y) && (0..<width).contains(x) ? samples[y * width + x] : 0
  }

  /// The mask over the whole image, as a gray image of floats; pixels outside the stored area are 0.
  public var image: RenderedImage {
    var pixels = [Float](repeating: 0, count: 3 * place.width * place.height)
    for row in max(place.top, 0)..<max(min(place.top + height, place.height), max(place.top, 0)) {
      for column in 0..<width where (0..<place.width).contains(column + place.left) {
        let index = 3 * (row * place.width + column + place.left)
        let sample = samples[(row - place.top) * width + column]
        for color in 0..<3 { pixels[index + color] = sample }
      }
    }
    return RenderedImage(
      width: place.width, height: place.height, samples: .float(pixels), colorSpace: .linearSRGB)
  }
}
