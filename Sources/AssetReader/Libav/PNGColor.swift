import MediaCore

/// The color that a PNG file states ("Portable Network Graphics", third edition), from the chunk of
/// the highest precedence: `cICP`, then `iCCP`, `sRGB`, and `gAMA` with `cHRM`.
struct PNGColor {
  /// The parts that have a name; the rest is unspecified.
  private(set) var named = ColorDescription.unspecified
  /// Describes the parts without a name; empty if there are none.
  private(set) var nameless: [String] = []

  /// Reads the color. An ICC profile is reported elsewhere, as for all files.
  ///
  /// - Parameter chunks: The contents of the chunks before the image data, by name.
  init(_ chunks: [String: ArraySlice<UInt8>]) {
    if let codes = chunks["cICP"], codes.count == 4 {
      readCodes(Array(codes))
    } else if chunks["iCCP"] != nil {
      return
    } else if chunks["sRGB"] != nil {
      (named.primaries, named.transferFunction) = (.bt709, .sRGB)
    } else {
      if let gamma = chunks["gAMA"], gamma.count == 4 { readGamma(gamma) }
      if let places = chunks["cHRM"], places.count == 32 { readPlaces(places) }
    }
  }

  /// Reads code points of H.273 and the full-range flag.
  private mutating func readCodes(_ codes: [UInt8]) {
    named = ColorDescription(
      nclcPrimaries: codes[0], transferFunction: codes[1], matrix: 2)
    if named.primaries == .unspecified, codes[0] != 2 { nameless.append("primaries \(codes[0])") }
    if named.transferFunction == .unspecified, codes[1] != 2 {
      nameless.append("transfer function \(codes[1])")
    }
    if codes[3] == 0 { nameless.append("video range") }
  }

  /// Reads the exponent from light to codes.
  private mutating func readGamma(_ bytes: ArraySlice<UInt8>) {
    switch PNGChunks.number(bytes) {
    case 45_450...45_460: named.transferFunction = .gamma22
    case 100_000: named.transferFunction = .linear
    case let other: nameless.append("gamma \(Self.fraction(other))")
    }
  }

  /// Reads the chromaticities of white, red, green and blue.
  private mutating func readPlaces(_ bytes: ArraySlice<UInt8>) {
    let places = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map {
      PNGChunks.number(bytes[$0..<$0 + 4])
    }
    let known = Self.primaries.first { entry in
      zip(entry.places, places).allSatisfy { abs($0 - $1) <= 50 }
    }
    if let known {
      named.primaries = known.name
    } else {
      let words = places.map { "\(Self.fraction($0))" }.joined(separator: ", ")
      nameless.append("chromaticities \(words)")
    }
  }

  // In units of 0.00001, as in the file.
  private static let primaries: [(name: ColorDescription.Primaries, places: [Int])] = [
    (.bt709, [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]),
    (.bt470bg, [31270, 32900, 64000, 33000, 29000, 60000, 15000, 6000]),
    (.smpte170M, [31270, 32900, 63000, 34000, 31000, 59500, 15500, 7000]),
    (.bt2020, [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600]),
    (.displayP3, [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000]),
    (.dciP3, [31400, 35100, 68000, 32000, 26500, 69000, 15000, 6000]),
  ]

  private static func fraction(_ number: Int) -> Double { Double(number) / 100_000 }
}
