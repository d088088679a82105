import TIFF

extension PhotoMetadata.Location {
  /// The place that a GPS directory tells; nil where it tells none that can be used.
  init?(_ gps: TIFFDirectory) {
    guard
      let latitude = Self.degrees(gps, .gpsLatitude, .gpsLatitudeRef, ["N", "S"], limit: 90),
      let longitude = Self.degrees(gps, .gpsLongitude, .gpsLongitudeRef, ["E", "W"], limit: 180)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: Self.altitude(gps))
  }

  /// What a GPS directory says of the place and ``init(_:)`` cannot use; without what says that nothing is known.
  static func unusable(in gps: TIFFDirectory) -> [TIFFTag] {
    let said: [TIFFTag] = [.gpsLatitude, .gpsLongitude, .gpsAltitude].filter { tag in
      gps[tag].map(saysSomething) ?? false
    }
    guard let place = Self(gps) else { return said }
    return said.filter { $0 == .gpsAltitude && place.altitude == nil }
  }

  /// False for fractions over zero and for blanks: files write them where a value is unknown.
  private static func saysSomething(_ value: TIFFValue) -> Bool {
    switch value {
    case .rationals(let parts): parts.contains { $0.denominator != 0 }
    case .signedRationals(let parts): parts.contains { $0.denominator != 0 }
    case .ascii(let text): !text.allSatisfy(\.isWhitespace)
    default: value.count > 0
    }
  }

  /// An angle of degrees, minutes and seconds; its direction is never guessed.
  ///
  /// - Parameter directions: The letter of positive angles, and that of negative ones.
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

  /// Metres; EXIF 3.0 has the references 1 and 3 for what lies below.
  private static func altitude(_ gps: TIFFDirectory) -> Double? {
    guard let value = gps[.gpsAltitude]?.firstNumber, value.isFinite else { return nil }
    return [1, 3].contains(gps.integer(.gpsAltitudeRef) ?? 0) ? -value : value
  }
}
