import FoundationEssentials

/// Where an asset was created: degrees north and east, and metres above sea level.
public struct GeographicLocation: Sendable, Hashable, Codable {
  /// Degrees north, -90 to 90.
  public var latitude: Double
  /// Degrees east, -180 to 180.
  public var longitude: Double
  /// Metres above sea level; nil if unknown.
  public var altitude: Double?

  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Parses ISO 6709 as in QuickTime: `+48.1374+011.5755+520.0/`; nil for anything else.
  public init?(iso6709 text: String) {
    var numbers: [Double] = []
    var part = ""
    for character in text + "+" {
      if character == "+" || character == "-" || character == "/" {
        if !part.isEmpty {
          guard let number = Double(part), number.isFinite else { return nil }
          numbers.append(number)
        }
        part = character == "/" ? "" : String(character)
        if part == "+" || part == "-" { continue }
      } else {
        part.append(character)
      }
      if character == "/" { break }
    }
    guard numbers.count >= 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
    self.init(
      latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
  }
}
