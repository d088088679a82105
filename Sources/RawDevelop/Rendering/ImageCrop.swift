/// A crop as in Camera Raw.
///
/// The corners are fractions of the image as stored, before it is turned. A crop with an angle is a rectangle
/// turned clockwise around its center, so its contents turn the other way; its upper left and lower right corners
/// keep their stated positions.
public struct ImageCrop: Sendable, Hashable, Codable {
  /// The upper left corner's position, as a fraction of the width, 0 to 1.
  public let left: Double
  /// The upper left corner's position, as a fraction of the height, 0 to 1.
  public let top: Double
  /// The lower right corner's position, as a fraction of the width, 0 to 1.
  public let right: Double
  /// The lower right corner's position, as a fraction of the height, 0 to 1.
  public let bottom: Double
  /// The angle in degrees, -45 to 45.
  public let angle: Double

  /// A crop; nil if a corner is outside the image, or if a straight crop's corners form no rectangle. Whether a
  /// turned crop's corners do so depends on the image's proportions; if not, the crop is ignored.
  public init?(left: Double, top: Double, right: Double, bottom: Double, angle: Double = 0) {
    guard [left, top, right, bottom].allSatisfy((0...1).contains), (-45...45).contains(angle),
      angle != 0 || (left < right && top < bottom)
    else { return nil }
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    self.angle = angle
  }

  /// Decodes a crop.
  ///
  /// - Throws: `DecodingError` for an invalid crop.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let crop = ImageCrop(
      left: try values.decode(Double.self, forKey: .left),
      top: try values.decode(Double.self, forKey: .top),
      right: try values.decode(Double.self, forKey: .right),
      bottom: try values.decode(Double.self, forKey: .bottom),
      angle: try values.decodeIfPresent(Double.self, forKey: .angle) ?? 0)
    guard let crop else {
      throw DecodingError.dataCorruptedError(
        forKey: .left, in: values, debugDescription: "the corners do not form a crop")
    }
    self = crop
  }

  private enum CodingKeys: String, CodingKey { case left, top, right, bottom, angle }
}
