/// A code point of ITU-T H.273 that ``ColorDescription`` has no case for: neither QuickTime's `nclc` nor
/// a ProRes frame has a code for it.
public struct UnknownColorCode: Sendable, Hashable, CustomStringConvertible {
  /// What the code point is of.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// Of the primaries.
    case primaries
    /// Of the transfer function.
    case transferFunction = "transfer function"
    /// Of the matrix.
    case matrix
  }

  /// What the code point is of.
  public let part: Part
  /// The code point.
  public let codePoint: Int

  /// The code points of a video track that are unknown here. The codes 0, 2 and 3, which specify nothing, do not
  /// count, except matrix 0, which is identity.
  public static func all(
    primaries: some BinaryInteger, transferFunction: some BinaryInteger, matrix: some BinaryInteger
  ) -> [UnknownColorCode] {
    let silent = [0, 2, 3]
    let (primaries, transfer, matrix) = (Int(primaries), Int(transferFunction), Int(matrix))
    let parts: [(Part, Int, isKnown: Bool)] = [
      (
        .primaries, primaries,
        ColorDescription.Primaries(codePoint: primaries) != .unspecified
      ),
      (
        .transferFunction, transfer,
        ColorDescription.TransferFunction(codePoint: transfer) != .unspecified
      ),
      (.matrix, matrix, ColorDescription.Matrix(codePoint: matrix) != .unspecified),
    ]
    return parts.filter { !$0.isKnown && !silent.contains($0.1) }.map {
      UnknownColorCode(part: $0.0, codePoint: $0.1)
    }
  }

  private static let names: [Part: [Int: String]] = [
    .primaries: [8: "generic film", 10: "CIE 1931 XYZ", 22: "EBU Tech. 3213-E"],
    .transferFunction: [
      9: "logarithmic, 100:1", 10: "logarithmic, 316:1", 11: "IEC 61966-2-4",
      12: "BT.1361 extended gamut",
    ],
    .matrix: [
      4: "FCC", 8: "YCgCo", 11: "SMPTE ST 2085", 12: "of the primaries",
      13: "of the primaries, constant luminance", 14: "ICtCp", 15: "IPT-C2", 16: "YCgCo-Re",
      17: "YCgCo-Ro",
    ],
  ]

  /// `primaries 22 (EBU Tech. 3213-E)`.
  public var description: String {
    "\(part.rawValue) \(codePoint)" + (Self.names[part]?[codePoint].map { " (\($0))" } ?? "")
  }
}
