/// A conversion of a weighted sum of codes, known at compile time so that loops over it vectorize.
private protocol SumMap {
  /// The destination's code for a sum whose weights add up to the map's power of two.
  func map(_ sum: UInt32) -> UInt16
}

private struct ShiftedSumMap: SumMap {
  let up: UInt32
  let down: UInt32
  let rounding: UInt32
  let low: Int32
  let high: Int32

  @inline(__always)
  func map(_ sum: UInt32) -> UInt16 {
    let code = Int32(truncatingIfNeeded: ((sum &<< up) &+ rounding) &>> down)
    return UInt16(truncatingIfNeeded: min(max(code, low), high))
  }
}

private struct ScaledSumMap: SumMap {
  let scale: CodeConversion.Scale
  let weightBits: UInt32
  let low: Int32
  let high: Int32

  @inline(__always)
  func map(_ sum: UInt32) -> UInt16 {
    let code = Int32(truncatingIfNeeded: scale.apply(sum, weightBits: weightBits))
    return UInt16(truncatingIfNeeded: min(max(code, low), high))
  }
}

/// Moves chroma to its 4:2:2 positions and converts it to the destination's codes in one step, so
/// that nothing is rounded twice.
extension CodeConversion {
  /// The weighted mean of two rows, weights adding up to eight.
  ///
  /// - Parameter isBetweenColumns: True for chroma that sits midway between columns: each sample is
  ///   brought a quarter of the way to the one before it. The first is repeated.
  func blendRows(
    _ near: UnsafePointer<UInt16>, _ far: UnsafePointer<UInt16>, nearWeight: UInt32,
    isBetweenColumns: Bool, _ destination: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let bits = isBetweenColumns ? 5 : 3
    if case .scale(let scale) = kind {
      let map = ScaledSumMap(
        scale: scale, weightBits: UInt32(bits), low: Int32(low), high: Int32(high))
      blend(map, near, far, nearWeight, isBetweenColumns, destination, count)
    } else {
      blend(
        shiftedSumMap(weightBits: bits), near, far, nearWeight, isBetweenColumns, destination, count
      )
    }
  }

  /// Every second sample, each the mean of itself (half) and its neighbors (a quarter each): the
  /// chroma of 4:2:2 sits on the even pixels. The row's ends are repeated.
  func halve(
    _ source: UnsafePointer<UInt16>, width: Int, _ destination: UnsafeMutablePointer<UInt16>
  ) {
    if case .scale(let scale) = kind {
      let map = ScaledSumMap(scale: scale, weightBits: 2, low: Int32(low), high: Int32(high))
      halve(map, source, width, destination)
    } else {
      halve(shiftedSumMap(weightBits: 2), source, width, destination)
    }
  }

  private func shiftedSumMap(weightBits: Int) -> ShiftedSumMap {
    let down = max(weightBits - depthChange, 0)
    return ShiftedSumMap(
      up: UInt32(max(depthChange - weightBits, 0)), down: UInt32(down),
      rounding: down > 0 ? 1 << UInt32(down - 1) : 0, low: Int32(low), high: Int32(high))
  }

  @inline(__always)
  private func blend(
    _ map: some SumMap, _ near: UnsafePointer<UInt16>, _ far: UnsafePointer<UInt16>,
    _ nearWeight: UInt32, _ isBetweenColumns: Bool, _ destination: UnsafeMutablePointer<UInt16>,
    _ count: Int
  ) {
    let shift = storedShift
    let farWeight = 8 &- nearWeight
    func rows(_ place: Int) -> UInt32 {
      UInt32(near[place] &>> shift) &* nearWeight &+ UInt32(far[place] &>> shift) &* farWeight
    }
    guard isBetweenColumns else {
      for index in 0..<count { destination[index] = map.map(rows(index)) }
      return
    }
    guard count > 0 else { return }
    destination[0] = map.map(4 &* rows(0))
    for index in 1..<count { destination[index] = map.map(3 &* rows(index) &+ rows(index &- 1)) }
  }

  @inline(__always)
  private func halve(
    _ map: some SumMap, _ source: UnsafePointer<UInt16>, _ width: Int,
    _ destination: UnsafeMutablePointer<UInt16>
  ) {
    let shift = storedShift
    func sum(_ left: Int, _ center: Int, _ right: Int) -> UInt32 {
      UInt32(source[left] &>> shift) &+ 2 &* UInt32(source[center] &>> shift)
        &+ UInt32(source[right] &>> shift)
    }
    destination[0] = map.map(sum(0, 0, min(1, width - 1)))
    let last = (width - 1) / 2
    guard last > 0 else { return }
    for index in 1..<last {
      destination[index] = map.map(sum(2 &* index &- 1, 2 &* index, 2 &* index &+ 1))
    }
    destination[last] = map.map(sum(2 * last - 1, 2 * last, min(2 * last + 1, width - 1)))
  }
}
