import MediaCore

/// The color that a PNG file says ("Portable Network Graphics", third edition): by the chunk with the highest rank,
/// which is `cICP`, then `iCCP`, `sRGB`, and `gAMA` with `cHRM`.
struct PNGColor {
  /// What of it has a name; unspecified for the rest.
  private(set) var named = ColorDescription.unspecified
  /// What of it has none, in words; empty for nothing.
  private(set) var nameless: [String] = []

  /// An ICC profile is told elsewhere, as of all files.
  ///
  /// - Parameter chunks: What the chunks before the picture hold, by their names.
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

  /// Code points of H.273, and whether codes are of full range.
  private mutating func readCodes(_ codes: [UInt8]) {
    named = ColorDescription(
      nclcPrimaries: codes[0], transferFunction: codes[1], matrix: 2)
    if named.primaries == .unspecified, codes[0] != 2 { nameless.append("primaries \(codes[0])") }
    if named.transferFunction == .unspecified, codes[1] != 2 {
      nameless.append("transfer function \(codes[1])")
    }
    if codes[3] == 0 { nameless.append("video range") }
  }

  /// The exponent from light to codes.
  private mutating func readGamma(_ bytes: ArraySlice<UInt8>) {
    switch PNGChunks.number(bytes) {
    case 45_450...45_460: named.transferFunction = .gamma22
    case 100_000: named.transferFunction = .linear
    case let other: nameless.append("gamma \(Self.fraction(other))")
    }
  }

  /// Where white, red, green and blue lie.
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

  // In units of 0.00001, as the file has them.
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
