import MediaCore

extension MasteringDisplayColorVolume: CustomStringConvertible {
  private static let named: [(name: String, primaries: [UInt16])] = [
    // Green, blue, red and white, in units of 0.00002.
    ("p3-d65", [13_250, 34_500, 7500, 3000, 34_000, 16_000, 15_635, 16_450]),
    ("bt2020", [8500, 39_850, 6550, 2300, 35_400, 14_600, 15_635, 16_450]),
    ("bt709", [15_000, 30_000, 7500, 3000, 32_000, 16_500, 15_635, 16_450]),
  ]

  /// A display from what people and other programs write.
  ///
  /// - Parameter text: `p3-d65:1000:0.0001`, the primaries (`p3-d65`, `bt2020` or `bt709`, white being
  ///   D65), the greatest and the least luminance in candela per square meter; or the form of x265 and
  ///   FFmpeg, `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`, in units of 0.00002 and 0.0001. Nil for anything
  ///   else, and for a least luminance that is not below the greatest.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var places: [UInt16] = []
    var (most, least) = (UInt32(0), UInt32(0))
    if parts.count == 3, let maximum = Self.units(parts[1]), let minimum = Self.units(parts[2]),
      let named = Self.named.first(where: { $0.name == parts[0].lowercased() })
    {
      (places, most, least) = (named.primaries, maximum, minimum)
    } else if let values = Self.values(text) {
      places = values.prefix(8).compactMap { UInt16(exactly: $0) }
      guard places.count == 8, places.allSatisfy({ $0 <= 50_000 }) else { return nil }
      (most, least) = (values[8], values[9])
    } else {
      return nil
    }
    guard least < most else { return nil }
    func place(_ index: Int) -> Chromaticity {
      Chromaticity(x: places[2 * index], y: places[2 * index + 1])
    }
    self.init(
      red: place(2), green: place(0), blue: place(1), white: place(3), maximumLuminance: most,
      minimumLuminance: least)
  }

  /// The form of x265 and FFmpeg.
  public var description: String {
    func pair(_ point: Chromaticity) -> String { "(\(point.x),\(point.y))" }
    return "G\(pair(green))B\(pair(blue))R\(pair(red))WP\(pair(white))"
      + "L(\(maximumLuminance),\(minimumLuminance))"
  }

  /// Candela per square meter in units of 0.0001.
  private static func units(_ text: Substring) -> UInt32? {
    guard let number = Double(text), number >= 0, number <= 400_000 else { return nil }
    return UInt32((number * 10_000).rounded())
  }

  /// The ten numbers of x265's form.
  private static func values(_ text: String) -> [UInt32]? {
    var rest = text.filter { $0 != " " }[...]
    var values: [UInt32] = []
    for name in ["G", "B", "R", "WP", "L"] {
      guard rest.uppercased().hasPrefix(name + "("), let end = rest.firstIndex(of: ")") else {
        return nil
      }
      let content = rest[..<end].dropFirst(name.count + 1)
      let numbers = content.split(separator: ",", omittingEmptySubsequences: false).map {
        UInt32($0)
      }
      guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
      values += [first, second]
      rest = rest[rest.index(after: end)...]
    }
    return rest.isEmpty ? values : nil
  }
}

extension ContentLightLevel: CustomStringConvertible {
  /// A level from `1000,400`: the brightest pixel and the brightest average of a frame, in candela per
  /// square meter. Nil for anything else, and for an average above the brightest pixel.
  public init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt16($0) }
    guard numbers.count == 2, let maximum = numbers[0], let average = numbers[1],
      average <= maximum
    else { return nil }
    self.init(maximum: maximum, maximumFrameAverage: average)
  }

  /// The form that ``init(_:)`` takes.
  public var description: String { "\(maximum),\(maximumFrameAverage)" }
}
