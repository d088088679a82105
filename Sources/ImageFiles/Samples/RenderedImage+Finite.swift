import RawDevelop

extension RenderedImage {
  /// The greatest value that a half float can hold.
  static let greatestHalf: Float = 65_504

  /// An image that a codec can encode, and how many of its samples were changed to allow that.
  struct Finite: Sendable {
    let image: RenderedImage
    /// Samples that were infinite or NaN.
    var notFiniteCount = 0
    /// Samples out of the range of half floats.
    var beyondHalfCount = 0
  }

  /// The image with only finite values: infinity becomes the greatest half float, and all other non-finite values
  /// 0. An image without any is not copied.
  ///
  /// - Parameter asHalves: True to clip values out of the range of half floats.
  func finite(asHalves: Bool) -> Finite {
    switch samples {
    case .uint8, .uint16: Finite(image: self)
    case .half(let values): finite(halves: values)
    case .float(let values): finite(floats: values, asHalves: asHalves)
    }
  }

  private func finite(halves: [UInt16]) -> Finite {
    let (infinity, limit) = (Float16.infinity.bitPattern, Float16(Self.greatestHalf).bitPattern)
    let count = halves.withUnsafeBufferPointer { values in
      values.reduce(0) { $0 + ($1 & infinity == infinity ? 1 : 0) }
    }
    guard count > 0 else { return Finite(image: self) }
    let changed = halves.map { half in
      half & infinity != infinity ? half : half == infinity ? limit : 0
    }
    return Finite(image: with(.half(changed)), notFiniteCount: count)
  }

  private func finite(floats: [Float], asHalves: Bool) -> Finite {
    let limit = Self.greatestHalf
    var (notFinite, beyond) = (0, 0)
    floats.withUnsafeBufferPointer { values in
      for value in values {
        notFinite += value.isFinite ? 0 : 1
        beyond += value.isFinite && abs(value) > limit ? 1 : 0
      }
    }
    if !asHalves { beyond = 0 }
    guard notFinite + beyond > 0 else { return Finite(image: self) }
    let changed = floats.map { value in
      guard value.isFinite else { return value > 0 ? limit : 0 }
      return asHalves ? min(max(value, -limit), limit) : value
    }
    return Finite(
      image: with(.float(changed)), notFiniteCount: notFinite, beyondHalfCount: beyond)
  }

  private func with(_ samples: Samples) -> RenderedImage {
    RenderedImage(width: width, height: height, samples: samples, colorSpace: colorSpace)
  }
}
