import TIFF

extension PhotoMetadata.Location {
  /// The location in a GPS directory; nil if there is none or it is unusable.
  init?(_ gps: TIFFDirectory) {
    guard
      let latitude = Self.degrees(gps, .gpsLatitude, .gpsLatitudeRef, ["N", "S"], limit: 90),
      let longitude = Self.degrees(gps, .gpsLongitude, .gpsLongitudeRef, ["E", "W"], limit: 180)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: Self.altitude(gps))
  }

  /// The location tags of a GPS directory that ``init(_:)`` cannot use, without those that mean "unknown".
  static func unusable(in gps: TIFFDirectory) -> [TIFFTag] {
    let said: [TIFFTag] = [.gpsLatitude, .gpsLongitude, .gpsAltitude].filter { tag in
      gps[tag].map(isMeaningful) ?? false
    }
    guard let place = Self(gps) else { return said }
    return said.filter { $0 == .gpsAltitude && place.altitude == nil }
  }

  /// False for fractions with denominator 0 and for blanks, which files contain if a value is unknown.
  private static func isMeaningful(_ value: TIFFValue) -> Bool {
    switch value {
    case .rationals(let parts): parts.contains { $0.denominator != 0 }
    case .signedRationals(let parts): parts.contains { $0.denominator != 0 }
    case .ascii(let text): !text.allSatisfy(\.isWhitespace)
    default: value.count > 0
    }
  }

  /// An angle in degrees, minutes and seconds; nil without a direction, which is never guessed.
  ///
  /// - Parameter directions: The letters for positive and for negative angles.
  private static func degrees(
    _ gps: TIFFDirectory, _ tag: TIFFTag, _ reference: TIFFTag, _ directions: [Character],
    limit: Double
  ) -> Double? {
    guard let parts = gps.numbers(tag), parts.count == 3,
      parts.allSatisfy({ $0.isFinite && $0 >= 0 }), gps[tag]?.firstNumber != nil,
      let letter = gps[reference]?.text?.first(where: { !$0.isWhitespace })?.uppercased().first,
      let direction = directions.firstIndex(of: letter)
    else { return nil }
    let value = parts[0] + parts[1] / 60 + parts[2] / 3600
    guard value <= limit else { return nil }
    return direction == 0 ? value : -value
  }

  /// Altitude in metres; EXIF 3.0 has references 1 and 3 for altitudes below sea level.
  private static func altitude(_ gps: TIFFDirectory) -> Double? {
    guard let value = gps[.gpsAltitude]?.firstNumber, value.isFinite else { return nil }
    return [1, 3].contains(gps.integer(.gpsAltitudeRef) ?? 0) ? -value : value
  }
}
