/// A conversion of single codes, known at compile time so that loops over it vectorize.
protocol CodeMap {
  /// The destination's code for a stored word.
  func map(_ word: UInt16) -> UInt16
}

struct ShiftUpMap: CodeMap {
  let shift: UInt16
  let low: UInt16
  let high: UInt16

  @inline(__always)
  func map(_ word: UInt16) -> UInt16 { min(max(word &<< shift, low), high) }
}

struct TruncateMap: CodeMap {
  let shift: UInt16
  let low: UInt16
  let high: UInt16

  @inline(__always)
  func map(_ word: UInt16) -> UInt16 { min(max(word &>> shift, low), high) }
}

struct RoundDownMap: CodeMap {
  let shift: UInt16
  let low: UInt16
  let high: UInt16

  @inline(__always)
  func map(_ word: UInt16) -> UInt16 {
    min(max((word &>> shift) &+ ((word &>> (shift &- 1)) & 1), low), high)
  }
}

struct ScaleMap: CodeMap {
  let scale: CodeConversion.Scale
  let storedShift: UInt16
  let low: UInt16
  let high: UInt16

  @inline(__always)
  func map(_ word: UInt16) -> UInt16 {
    let code = scale.apply(UInt32(word &>> storedShift))
    return UInt16(truncatingIfNeeded: min(max(code, UInt32(low)), UInt32(high)))
  }
}

extension CodeConversion {
  /// Converts a row of stored words.
  func convert(
    _ source: UnsafePointer<UInt16>, _ destination: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch kind {
    case .shiftUp(let shift):
      Self.convert(ShiftUpMap(shift: shift, low: low, high: high), source, destination, count)
    case .truncate(let shift):
      Self.convert(TruncateMap(shift: shift, low: low, high: high), source, destination, count)
    case .roundDown(let shift):
      Self.convert(RoundDownMap(shift: shift, low: low, high: high), source, destination, count)
    case .scale(let scale):
      let map = ScaleMap(scale: scale, storedShift: storedShift, low: low, high: high)
      Self.convert(map, source, destination, count)
    }
  }

  /// Converts a row of Cb and Cr in turn into two rows.
  func convertPairs(
    _ source: UnsafePointer<UInt32>, _ first: UnsafeMutablePointer<UInt16>,
    _ second: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch kind {
    case .shiftUp(let shift):
      let map = ShiftUpMap(shift: shift, low: low, high: high)
      Self.convertPairs(map, source, first, second, count)
    case .truncate(let shift):
      let map = TruncateMap(shift: shift, low: low, high: high)
      Self.convertPairs(map, source, first, second, count)
    case .roundDown(let shift):
      let map = RoundDownMap(shift: shift, low: low, high: high)
      Self.convertPairs(map, source, first, second, count)
    case .scale(let scale):
      let map = ScaleMap(scale: scale, storedShift: storedShift, low: low, high: high)
      Self.convertPairs(map, source, first, second, count)
    }
  }

  @inline(__always)
  private static func convert(
    _ map: some CodeMap, _ source: UnsafePointer<UInt16>,
    _ destination: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for index in 0..<count { destination[index] = map.map(source[index]) }
  }

  @inline(__always)
  private static func convertPairs(
    _ map: some CodeMap, _ source: UnsafePointer<UInt32>, _ first: UnsafeMutablePointer<UInt16>,
    _ second: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for index in 0..<count {
      let pair = source[index]
      first[index] = map.map(UInt16(truncatingIfNeeded: pair))
      second[index] = map.map(UInt16(truncatingIfNeeded: pair &>> 16))
    }
  }
}
