/// The header of a slice and where its components are (RDD 36, 5.3.2).
struct SliceParts {
  let quantizationIndex: Int
  /// Luma, Cb and Cr.
  let components: InlineArray<3, Range<Int>>
  /// Empty where there is none.
  let alpha: Range<Int>

  /// Nil where the header does not fit the slice's bytes.
  init?(_ frame: RawSpan, _ range: Range<Int>, hasAlpha: Bool) {
    let start = range.lowerBound
    let needed = hasAlpha ? 8 : 6
    let headerSize = range.count >= 1 ? Int(frame.u8(start) >> 3) : 0
    guard headerSize >= needed, range.count >= headerSize else { return nil }
    quantizationIndex = Int(frame.u8(start + 1))
    let luma = start + headerSize
    let cb = luma + frame.u16(start + 2)
    let cr = cb + frame.u16(start + 4)
    guard cr <= range.upperBound else { return nil }
    let end = hasAlpha ? cr + frame.u16(start + 6) : range.upperBound
    guard end <= range.upperBound else { return nil }
    components = [luma..<cb, cb..<cr, cr..<end]
    alpha = end..<range.upperBound
  }
}
