/// Sixty-four weights, row by row, that scale the quantizer for each frequency (RDD 36, 7.3).
public struct QuantizationMatrix: Sendable, Hashable {
  /// The weights in raster order: horizontal frequency runs fastest; 2 to 63 in a valid frame.
  public let weights: [UInt8]

  /// A matrix of exactly 64 weights, or nil.
  public init?(_ weights: [UInt8]) {
    guard weights.count == 64 else { return nil }
    self.weights = weights
  }

  private init(table: [UInt8]) { self.weights = table }

  /// What a decoder uses where a frame carries no matrix: 4 throughout.
  public static let flat = QuantizationMatrix(table: [UInt8](repeating: 4, count: 64))

  /// True where every weight is in the range that the standard allows, 2 to 63.
  public var isValid: Bool { weights.allSatisfy { (2...63).contains($0) } }

  /// ProRes 422 Proxy, luma.
  public static let proxyLuma = QuantizationMatrix(table: [
    4, 7, 9, 11, 13, 14, 15, 63, 7, 7, 11, 12, 14, 15, 63, 63,
    9, 11, 13, 14, 15, 63, 63, 63, 11, 11, 13, 14, 63, 63, 63, 63,
    11, 13, 14, 63, 63, 63, 63, 63, 13, 14, 63, 63, 63, 63, 63, 63,
    13, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
  ])

  /// ProRes 422 Proxy, chroma.
  public static let proxyChroma = QuantizationMatrix(table: [
    4, 7, 9, 11, 13, 14, 63, 63, 7, 7, 11, 12, 14, 63, 63, 63,
    9, 11, 13, 14, 63, 63, 63, 63, 11, 11, 13, 14, 63, 63, 63, 63,
    11, 13, 14, 63, 63, 63, 63, 63, 13, 14, 63, 63, 63, 63, 63, 63,
    13, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
  ])

  /// ProRes 422 LT, luma and chroma.
  public static let lt = QuantizationMatrix(table: [
    4, 5, 6, 7, 9, 11, 13, 15, 5, 5, 7, 8, 11, 13, 15, 17,
    6, 7, 9, 11, 13, 15, 15, 17, 7, 7, 9, 11, 13, 15, 17, 19,
    7, 9, 11, 13, 14, 16, 19, 23, 9, 11, 13, 14, 16, 19, 23, 29,
    9, 11, 13, 15, 17, 21, 28, 35, 11, 13, 16, 17, 21, 28, 35, 41,
  ])

  /// ProRes 422, luma and chroma.
  public static let standard = QuantizationMatrix(table: [
    4, 4, 5, 5, 6, 7, 7, 9, 4, 4, 5, 6, 7, 7, 9, 9,
    5, 5, 6, 7, 7, 9, 9, 10, 5, 5, 6, 7, 7, 9, 9, 10,
    5, 6, 7, 7, 8, 9, 10, 12, 6, 7, 7, 8, 9, 10, 12, 15,
    6, 7, 7, 9, 10, 11, 14, 17, 7, 7, 9, 10, 11, 14, 17, 21,
  ])

  /// ProRes 422 HQ and 4444, luma and chroma; 4444 XQ, chroma.
  public static let hq = QuantizationMatrix(table: [
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5,
    4, 4, 4, 4, 4, 4, 5, 5, 4, 4, 4, 4, 4, 5, 5, 6,
    4, 4, 4, 4, 5, 5, 6, 7, 4, 4, 4, 4, 5, 6, 7, 7,
  ])

  /// ProRes 4444 XQ, luma.
  public static let xqLuma = QuantizationMatrix(table: [
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3,
    2, 2, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 2, 3, 3, 3,
    2, 2, 2, 2, 3, 3, 3, 4, 2, 2, 2, 2, 3, 3, 4, 4,
  ])
}
