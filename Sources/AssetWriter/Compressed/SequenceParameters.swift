package import MediaCore

/// What the sequence parameter set of an H.264 or HEVC stream states about its pictures.
package struct SequenceParameters: Hashable, Sendable {
  /// The size that is meant to be seen.
  package var dimensions = VideoDimensions(width: 0, height: 0)
  /// How chroma is sampled, as both standards number it: 0 for none, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chromaFormat = 1
  /// Bits of a sample of luma.
  package var lumaDepth = 8
  /// Bits of a sample of chroma.
  package var chromaDepth = 8
  /// What the numbers mean; unspecified, at video range, where the set does not say.
  package var color = ColorDescription.unspecified
  /// The shape of a pixel; square where the set does not say.
  package var pixelAspectRatio = PixelAspectRatio.square

  /// Reads a set.
  ///
  /// - Parameters:
  ///   - unit: The whole unit, with its header and with the bytes that keep start codes out of it.
  ///   - codec: ``VideoCodecType/h264`` or ``VideoCodecType/hevc``.
  /// - Returns: Nil for one that is damaged or cut short, and for what no sample entry
  ///   can say.
  package init?(_ unit: [UInt8], _ codec: VideoCodecType) {
    var bits = ParameterBits(DecoderConfiguration.payload(unit))
    let isRead = codec == .h264 ? readAVC(&bits) : readHEVC(&bits)
    guard isRead, !bits.hasRunOut, (1...0xFFFF).contains(dimensions.width),
      (1...0xFFFF).contains(dimensions.height), (0...3).contains(chromaFormat),
      (8...15).contains(lumaDepth), (8...15).contains(chromaDepth)
    else { return nil }
  }

  private mutating func readChroma(_ bits: inout ParameterBits) {
    chromaFormat = bits.unsigned()
    // Planes that are coded apart are as large as those that are not.
    if chromaFormat == 3 { bits.skip(1) }
  }

  /// Crops the size; false if nothing is left.
  private mutating func cut(
    _ width: Int, _ height: Int, rowsPerUnit: Int, _ bits: inout ParameterBits
  ) -> Bool {
    // Sums of what can be read stay far below the largest number.
    let (left, right) = (bits.unsigned(), bits.unsigned())
    let (top, bottom) = (bits.unsigned(), bits.unsigned())
    let hasNarrowChroma = chromaFormat == 1 || chromaFormat == 2
    dimensions = VideoDimensions(
      width: width - (left + right) * (hasNarrowChroma ? 2 : 1),
      height: height - (top + bottom) * (chromaFormat == 1 ? 2 : 1) * rowsPerUnit)
    return dimensions.width > 0 && dimensions.height > 0
  }

  // MARK: H.264 (ITU-T H.264, 7.3.2.1.1)

  /// Profiles that say more of chroma and depth than that they are 4:2:0 of 8 bits.
  private static let detailedProfiles: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]

  private mutating func readAVC(_ bits: inout ParameterBits) -> Bool {
    guard bits.number(8) & 0x1F == 7 else { return false }
    let profile = bits.number(8)
    bits.skip(16)
    _ = bits.unsigned()
    if Self.detailedProfiles.contains(profile) {
      readChroma(&bits)
      lumaDepth = bits.unsigned() + 8
      chromaDepth = bits.unsigned() + 8
      _ = bits.flag()
      if bits.flag() {
        for list in 0..<(chromaFormat == 3 ? 12 : 8) where bits.flag() {
          Self.passScaling(of: list < 6 ? 16 : 64, &bits)
        }
      }
    }
    _ = bits.unsigned()
    guard Self.passFrameOrder(&bits) else { return false }
    _ = bits.unsigned()
    _ = bits.flag()
    let width = (bits.unsigned() + 1) * 16
    let rows = (bits.unsigned() + 1) * 16
    let isFramesOnly = bits.flag()
    if !isFramesOnly { bits.skip(1) }
    bits.skip(1)
    let rowsPerUnit = isFramesOnly ? 1 : 2
    dimensions = VideoDimensions(width: width, height: rows * rowsPerUnit)
    if bits.flag(), !cut(width, rows * rowsPerUnit, rowsPerUnit: rowsPerUnit, &bits) {
      return false
    }
    if bits.flag() { readUsability(&bits) }
    return true
  }

  private static func passScaling(of count: Int, _ bits: inout ParameterBits) {
    var (last, next) = (8, 8)
    for _ in 0..<count where next != 0 {
      next = (last + bits.signed()) & 0xFF
      if next != 0 { last = next }
    }
  }

  private static func passFrameOrder(_ bits: inout ParameterBits) -> Bool {
    switch bits.unsigned() {
    case 0: _ = bits.unsigned()
    case 1:
      bits.skip(1)
      _ = (bits.signed(), bits.signed())
      let count = bits.unsigned()
      guard count <= 255 else { return false }
      for _ in 0..<count { _ = bits.signed() }
    case 2: break
    default: return false
    }
    return true
  }

  // MARK: HEVC (ITU-T H.265, 7.3.2.2.1)

  private mutating func readHEVC(_ bits: inout ParameterBits) -> Bool {
    guard bits.number(16) >> 9 & 0x3F == 33 else { return false }
    bits.skip(4)
    let layers = bits.number(3)
    bits.skip(1)
    Self.passProfiles(layers, &bits)
    _ = bits.unsigned()
    readChroma(&bits)
    let (width, height) = (bits.unsigned(), bits.unsigned())
    dimensions = VideoDimensions(width: width, height: height)
    if bits.flag(), !cut(width, height, rowsPerUnit: 1, &bits) { return false }
    lumaDepth = bits.unsigned() + 8
    chromaDepth = bits.unsigned() + 8
    let orderBits = bits.unsigned() + 4
    guard orderBits <= 16 else { return false }
    for _ in (bits.flag() ? 0 : layers)...layers {
      _ = (bits.unsigned(), bits.unsigned(), bits.unsigned())
    }
    for _ in 0..<6 { _ = bits.unsigned() }
    if bits.flag(), bits.flag() { Self.passScalingLists(&bits) }
    bits.skip(2)
    if bits.flag() {
      bits.skip(8)
      _ = (bits.unsigned(), bits.unsigned())
      bits.skip(1)
    }
    guard Self.passReferences(orderBits, &bits) else { return false }
    bits.skip(2)
    if bits.flag() { readUsability(&bits) }
    return true
  }

  /// Passes profile, tier and level of the stream and of its temporal layers.
  private static func passProfiles(_ layers: Int, _ bits: inout ParameterBits) {
    bits.skip(96)
    guard layers > 0 else { return }
    var rest = 0
    for _ in 0..<layers { rest += (bits.flag() ? 88 : 0) + (bits.flag() ? 8 : 0) }
    bits.skip(2 * (8 - layers) + rest)
  }

  private static func passScalingLists(_ bits: inout ParameterBits) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard bits.flag() else {
          _ = bits.unsigned()
          continue
        }
        if size > 1 { _ = bits.signed() }
        for _ in 0..<min(64, 16 << (2 * size)) { _ = bits.signed() }
      }
    }
  }

  /// Skips the short-term reference picture sets and long-term reference pictures; false if they exceed the limits.
  private static func passReferences(_ orderBits: Int, _ bits: inout ParameterBits) -> Bool {
    let sets = bits.unsigned()
    guard sets <= 64 else { return false }
    var previous = 0
    for set in 0..<sets {
      if set > 0, bits.flag() {
        bits.skip(1)
        _ = bits.unsigned()
        var count = 0
        for _ in 0...previous where bits.flag() || bits.flag() { count += 1 }
        previous = count
      } else {
        let (before, after) = (bits.unsigned(), bits.unsigned())
        guard before <= 16, after <= 16 else { return false }
        for _ in 0..<before + after {
          _ = bits.unsigned()
          bits.skip(1)
        }
        previous = before + after
      }
    }
    if bits.flag() {
      let count = bits.unsigned()
      guard count <= 32 else { return false }
      bits.skip(count * (orderBits + 1))
    }
    return true
  }

  // MARK: Both (annexes E)

  /// Shapes of pixels by number, from 1.
  private static let shapes: [(Int32, Int32)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  /// Reads the start of the usability information, which is the same for both: what follows is of no use here.
  private mutating func readUsability(_ bits: inout ParameterBits) {
    if bits.flag() {
      let shape = bits.number(8)
      if shape == 255 {
        let (horizontal, vertical) = (Int32(bits.number(16)), Int32(bits.number(16)))
        pixelAspectRatio = PixelAspectRatio(horizontal, vertical)
      } else if Self.shapes.indices.contains(shape - 1) {
        pixelAspectRatio = PixelAspectRatio(Self.shapes[shape - 1].0, Self.shapes[shape - 1].1)
      }
    }
    if bits.flag() { bits.skip(1) }
    guard bits.flag() else { return }
    bits.skip(3)
    let isFull = bits.flag()
    color.range = isFull ? .full : .video
    guard bits.flag() else { return }
    let (primaries, transfer, matrix) = (bits.number(8), bits.number(8), bits.number(8))
    color = ColorDescription(
      nclcPrimaries: primaries, transferFunction: transfer, matrix: matrix,
      range: isFull ? .full : .video)
  }
}
