import CProResKernels

/// The reciprocals and roundings of every quantization index, for luma and for chroma.
final class QuantizerTables: @unchecked Sendable {
  // Sendable: written by init alone.
  private let tables: UnsafeMutablePointer<prores_quantizer>
  private let count = QuantizationIndex.sparse.upperBound + 1
  /// The chroma table of each index: that of luma where it is the same.
  private let chromaTables: UnsafeMutablePointer<UnsafePointer<prores_quantizer>>

  /// - Parameters:
  ///   - rounding: The part of a step, from 0 to 0.5, that is added before a coefficient is cut to
  ///     a multiple of the step: at the beginning of the scan and at its end, and evenly between;
  ///     for all indices but the finest.
  ///   - faint: The same at index 226, for luma and for chroma.
  init(
    luma: QuantizationMatrix, chroma: QuantizationMatrix, interlaced: Bool,
    rounding: ClosedRange<Double>,
    faint: (luma: Double, chroma: Double) = (0.03, 0.03)
  ) {
    let scan = ScanOrder.positions(interlaced: interlaced)
    tables = .allocate(capacity: 2 * count)
    chromaTables = .allocate(capacity: count)
    for index in 0..<count {
      let scale = QuantizationIndex.scale(max(index, 1))
      let own = Self.rounding(index, faint: faint.luma) ?? rounding
      let chromas = Self.rounding(index, faint: faint.chroma) ?? rounding
      (tables + index).initialize(to: Self.table(luma, scale: scale, scan, own))
      (tables + count + index).initialize(to: Self.table(chroma, scale: scale, scan, chromas))
      // Kernels are quicker where both are one.
      let isOne = luma == chroma && own == chromas
      (chromaTables + index).initialize(
        to: UnsafePointer(tables + (isOne ? index : count + index)))
    }
  }

  deinit {
    chromaTables.deallocate()
    tables.deallocate()
  }

  func luma(_ index: Int) -> UnsafePointer<prores_quantizer> { UnsafePointer(tables + index) }

  func chroma(_ index: Int) -> UnsafePointer<prores_quantizer> {
    chromaTables[index]
  }

  /// The rounding of the indices that have one of their own.
  ///
  /// With index 1 there is little to save: levels are rounded nearly to the nearest.
  private static func rounding(_ index: Int, faint: Double) -> ClosedRange<Double>? {
    switch index {
    case ...1: 0.46...0.46
    case 225: 0.30...0.30
    case 226: faint...faint
    case 227: 0.15...0.15
    case 228: 0.07...0.07
    default: nil
    }
  }

  private static func table(
    _ matrix: QuantizationMatrix, scale: Int, _ scan: [UInt8],
    _ rounding: ClosedRange<Double>
  ) -> prores_quantizer {
    var table = prores_quantizer()
    // Coefficients are eight times the orthonormal ones, levels count quarters of weight x scale.
    let steps = scan.map { Int(matrix.weights[Int($0)]) * scale * 2 }
    table.dc_step = UInt32(steps[0])
    table.dc_reciprocal = UInt32((1 << 32 + steps[0] - 1) / steps[0])
    withUnsafeMutableBytes(of: &table) { bytes in
      let entries = bytes.assumingMemoryBound(to: UInt32.self)
      for index in 0..<64 {
        let reciprocal = UInt32((65536 + steps[index] / 2) / steps[index])
        let span = rounding.upperBound - rounding.lowerBound
        let part = rounding.lowerBound + span * Double(index) / 63
        let rounded = UInt32(Double(steps[index]) * part)
        entries[index] = reciprocal << 16 | reciprocal
        entries[64 + index] = rounded << 16 | rounded
        bytes[512 + index] = scan[index]
      }
    }
    return table
  }
}

extension ProResProfile {
  /// The part of a step that is added before a coefficient is cut to a multiple of it, at the
  /// beginning and the end of the scan.
  ///
  /// Found by comparing error at equal size over seven kinds of picture: half a decibel and more
  /// over adding nothing; the rise along the scan is worth 0.05 to 0.1 dB over one value for all.
  /// Where half of the steps and more are zero, a wider dead zone in front saves more bits than it
  /// costs error.
  var rounding: ClosedRange<Double> {
    switch self {
    case .proxy, .lt, .standard: 0.30...0.46
    case .hq, .p4444, .xq: 0.38...0.42
    }
  }

  /// The same at index 226, whose dead zone is the widest of index 1.
  ///
  /// Found on dark gradients, whose luma is mostly noise and whose chroma is smooth. With the
  /// weights of LT little rounding takes the lowest frequencies of chroma; with those of other
  /// profiles more of it costs bytes there and gains nothing.
  var faintRounding: (luma: Double, chroma: Double) {
    switch self {
    case .lt: (0.15, 0.30)
    case .standard: (0.10, 0.10)
    case .proxy, .hq, .p4444, .xq: (0.03, 0.03)
    }
  }
}
