/// How the codes of one component change on the way from a stored word to the destination.
///
/// Three kinds, all in integers and all exact: at video range a code gains bits by a shift up or
/// loses them by a shift down with rounding (SMPTE ST 274 and BT.2100 define the depths so); at
/// full range, and for alpha, it is scaled by a fraction, rounded to the nearest.
struct CodeConversion: Sendable, Hashable {
  /// What happens to a code.
  enum Kind: Sendable, Hashable {
    case shiftUp(UInt16)
    /// Towards zero: for words whose low bits hold nothing.
    case truncate(UInt16)
    /// To the nearest, halves up.
    case roundDown(UInt16)
    /// `(code * range + bias) / (2^bits - 1)`, after `code` was spread to `bits`.
    case scale(Scale)
  }

  /// A fraction with a denominator of one less than a power of two.
  struct Scale: Sendable, Hashable {
    /// Spreads a code evenly to ``bits``: 257 takes 8 bits to 16.
    let spread: UInt32
    let bits: UInt32
    let range: UInt32
    /// Offset and rounding, in units of the denominator.
    let bias: UInt32

    /// The rounded quotient of a sum of codes whose weights add up to `2^weightBits`.
    @inline(__always)
    func apply(_ sum: UInt32, weightBits: UInt32 = 0) -> UInt32 {
      let product = (sum &* spread &* range &+ (bias &<< weightBits)) &>> weightBits
      return (product &+ (product &>> bits) &+ 1) &>> bits
    }
  }

  /// Bits below the code in a stored word.
  let storedShift: UInt16
  let kind: Kind
  /// Bits of a destination code less those of a source code.
  let depthChange: Int
  /// The codes that the destination may hold.
  let low: UInt16
  let high: UInt16

  /// Which rules a component follows.
  enum Component { case luma, chroma, alpha }

  init(
    _ component: Component, from source: PixelFormat.Descriptor, range: ColorDescription.Range,
    toDepth depth: Int
  ) {
    storedShift = UInt16(source.shift)
    depthChange = depth - source.bitDepth
    // Codes 0-3 and 1020-1023 at 10 bits carry synchronization on SDI (BT.656, SMPTE ST 274), and
    // ProRes decoders clamp to what is left.
    low = component == .alpha ? 0 : 1 << UInt16(depth - 8)
    high = (1 << UInt16(depth)) - 1 - low
    if component == .alpha ? depthChange != 0 : range == .full {
      kind = .scale(Self.scale(component, fromDepth: source.bitDepth, toDepth: depth))
    } else if depthChange > source.shift {
      kind = .shiftUp(UInt16(depthChange - source.shift))
    } else if depthChange >= 0 {
      kind = .truncate(UInt16(source.shift - depthChange))
    } else {
      kind = .roundDown(UInt16(source.shift - depthChange))
    }
  }

  private static func scale(
    _ component: Component, fromDepth: Int, toDepth: Int
  ) -> Scale {
    // The denominator must exceed every quotient: hence the spread of short codes.
    let (spread, bits): (UInt32, Int) =
      switch fromDepth {
      case 8: (257, 16)
      case 10 where toDepth > 10: (1025, 20)
      default: (1, fromDepth)
      }
    let whole = (UInt32(1) << UInt32(bits)) - 1
    let unit = UInt32(1) << UInt32(toDepth - 8)
    switch component {
    case .luma:
      return Scale(
        spread: spread, bits: UInt32(bits), range: 219 * unit, bias: 16 * unit * whole + whole / 2)
    case .chroma:
      let middle = (UInt32(1) << UInt32(fromDepth - 1)) * spread
      return Scale(
        spread: spread, bits: UInt32(bits), range: 224 * unit,
        bias: 128 * unit * whole - 224 * unit * middle + whole / 2)
    case .alpha:
      return Scale(
        spread: spread, bits: UInt32(bits), range: (UInt32(1) << UInt32(toDepth)) - 1,
        bias: whole / 2)
    }
  }
}
