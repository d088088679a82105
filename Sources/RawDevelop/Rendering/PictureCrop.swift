/// The part of a picture that is kept, as Camera Raw has it.
///
/// The corners are shares of the picture as the file has it, before it is turned. A crop with an angle
/// is a rectangle turned clockwise around its middle, so that what is in it turns the other way;
/// its corners at the upper left and the lower right lie where they are said to.
public struct PictureCrop: Sendable, Hashable, Codable {
  /// The upper left corner's share of the width, 0 to 1.
  public let left: Double
  /// The upper left corner's share of the height, 0 to 1.
  public let top: Double
  /// The lower right corner's share of the width, 0 to 1.
  public let right: Double
  /// The lower right corner's share of the height, 0 to 1.
  public let bottom: Double
  /// Degrees, -45 to 45.
  public let angle: Double

  /// A crop; nil if a corner is outside the picture, or if a straight crop's corners form no rectangle.
  /// Whether those of a turned crop do depends on the picture's proportions; if they do not, it is ignored.
  public init?(left: Double, top: Double, right: Double, bottom: Double, angle: Double = 0) {
    guard [left, top, right, bottom].allSatisfy((0...1).contains), (-45...45).contains(angle),
      angle != 0 || (left < right && top < bottom)
    else { return nil }
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    self.angle = angle
  }

  /// Reads a crop.
  ///
  /// - Throws: `DecodingError` for what is no crop.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let crop = PictureCrop(
      left: try values.decode(Double.self, forKey: .left),
      top: try values.decode(Double.self, forKey: .top),
      right: try values.decode(Double.self, forKey: .right),
      bottom: try values.decode(Double.self, forKey: .bottom),
      angle: try values.decodeIfPresent(Double.self, forKey: .angle) ?? 0)
    guard let crop else {
      throw DecodingError.dataCorruptedError(
        forKey: .left, in: values, debugDescription: "the corners are none of a crop")
    }
    self = crop
  }

  private enum CodingKeys: String, CodingKey { case left, top, right, bottom, angle }
}
