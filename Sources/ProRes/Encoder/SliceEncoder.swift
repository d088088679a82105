import CProResKernels

/// Encodes slices one after another on one thread: load, transform, quantize, code.
struct SliceEncoder: ~Copyable {
  struct Output {
    /// Bytes of the slice, its header included.
    let byteCount: Int
    /// Bytes of it that are alpha, which no quantizer can shrink.
    let alphaBytes: Int
    /// Bytes at the index it began with, alpha left out.
    let neededBytes: Int
    /// Those of luma among ``neededBytes``.
    let neededLuma: Int
    /// The quantization index it ended with.
    let quantizationIndex: Int
    /// True where its levels, at the index that it began with, are as ``NoiseCurve`` wants them.
    let isNoise: Bool
  }

  /// No slice takes more: four components of 32 blocks, every coefficient at its longest code.
  static let largestSlice = 8 + 4 * 2048 * 7

  private let scratch: SliceScratch
  private let kernels: prores_kernels
  private let tables: QuantizerTables
  private let fullChroma: Bool
  private let alphaBits: Int
  private let headerSize: Int

  init(
    kernels: prores_kernels, tables: QuantizerTables, fullChroma: Bool, alphaBits: Int
  ) throws(ProResError) {
    self.scratch = try SliceScratch()
    self.kernels = kernels
    self.tables = tables
    self.fullChroma = fullChroma
    self.alphaBits = alphaBits
    headerSize = alphaBits == 0 ? 6 : 8
    let component = SliceScratch.componentSize
    let (luma, chroma) = (scratch.coefficients, scratch.coefficients + component)
    let crOffset = fullChroma ? component : PRORES_LANES / 2
    scratch.components[0].coefficients = UnsafePointer(luma)
    scratch.components[1].coefficients = UnsafePointer(chroma)
    scratch.components[2].coefficients = UnsafePointer(chroma + crOffset)
  }

  /// Encodes a slice.
  ///
  /// - Parameters:
  ///   - picture: The field or frame.
  ///   - index: The quantization index to begin with; raised until the slice fits.
  ///   - limit: Most bytes that the slice may take, alpha left out.
  ///   - target: Room for ``largestSlice`` bytes and `PRORES_CODE_MARGIN`.
  func encode(
    _ picture: UnsafePointer<prores_picture>, _ area: prores_area, quantizationIndex index: Int,
    limit: Int, into target: UnsafeMutablePointer<UInt8>
  ) -> Output {
    transform(picture, area)
    let macroblocks = Int(area.macroblocks)
    var index = index
    var sizes = code(macroblocks, index, keep: 1, into: target + headerSize)
    let (needed, neededLuma) = (sizes.total + headerSize, sizes.luma)
    let isNoise = QuantizationIndex.scale(index) < 3 && holdsNoise()
    var before: Attempt?
    while sizes.total + headerSize > limit, index != QuantizationIndex.range.upperBound {
      let attempt = Attempt(index: index, size: sizes.total + headerSize)
      index = attempt.nextIndex(limit: limit, before: before)
      before = attempt
      sizes = code(macroblocks, index, keep: 1, into: target + headerSize)
    }
    var keep = 0.5
    while sizes.total + headerSize > limit, keep > 0.001 {
      // Last resort: the highest frequencies go.
      sizes = code(macroblocks, index, keep: keep, into: target + headerSize)
      keep /= 2
    }
    if sizes.total + headerSize > limit {
      sizes = codeNothing(into: target + headerSize)
    }
    target[0] = UInt8(headerSize << 3)
    target[1] = QuantizationIndex.coded(index)
    Self.store(sizes.luma, target + 2)
    Self.store(sizes.cb, target + 4)
    var alphaBytes = 0
    if alphaBits != 0 {
      Self.store(sizes.cr, target + 6)
      alphaBytes = codeAlpha(picture.pointee, area, into: target + headerSize + sizes.total)
    }
    return Output(
      byteCount: headerSize + sizes.total + alphaBytes, alphaBytes: alphaBytes,
      neededBytes: needed, neededLuma: neededLuma, quantizationIndex: index, isNoise: isNoise)
  }

  /// What a slice takes at an index, alpha left out.
  ///
  /// - Parameter room: Room for ``largestSlice`` bytes and `PRORES_CODE_MARGIN`.
  func measure(
    _ picture: UnsafePointer<prores_picture>, _ area: prores_area, quantizationIndex index: Int,
    using room: UnsafeMutablePointer<UInt8>
  ) -> (bytes: Int, luma: Int, isNoise: Bool) {
    transform(picture, area)
    let sizes = code(Int(area.macroblocks), index, keep: 1, into: room)
    return (
      sizes.total + headerSize, sizes.luma, QuantizationIndex.scale(index) < 3 && holdsNoise()
    )
  }

  /// True where luma has many levels, and nearly all of them are ones.
  private func holdsNoise() -> Bool {
    let luma = scratch.components[0]
    guard luma.count * 4 >= Int(luma.blocks) * NoiseCurve.fewestLevels else { return false }
    var ones = 0
    for symbol in UnsafeBufferPointer(start: luma.symbols, count: luma.count) {
      ones += symbol & 0x7FFF == 1 ? 1 : 0
    }
    return ones * 100 >= luma.count * NoiseCurve.leastOnes
  }

  private func transform(_ picture: UnsafePointer<prores_picture>, _ area: prores_area) {
    let plane = PRORES_SAMPLE_PLANE
    let component = SliceScratch.componentSize
    let isDone = withUnsafePointer(to: area) { area in
      if let transform = kernels.transform_words,
        transform(picture, area, scratch.coefficients, scratch.ahead) != 0
      {
        return true
      }
      kernels.load(picture, area, scratch.samples, scratch.ahead)
      return false
    }
    if isDone { return }
    kernels.transform(scratch.samples, PRORES_ARRANGEMENT_LUMA, scratch.coefficients)
    if fullChroma {
      for chroma in 1...2 {
        kernels.transform(
          scratch.samples + plane * chroma, PRORES_ARRANGEMENT_CHROMA_444,
          scratch.coefficients + component * chroma)
      }
    } else {
      kernels.transform(
        scratch.samples + plane, PRORES_ARRANGEMENT_CHROMA_422, scratch.coefficients + component)
    }
  }

  /// Bytes of the components' code words.
  private struct Sizes {
    let luma: Int
    let cb: Int
    let cr: Int
    var total: Int { luma + cb + cr }
  }

  /// Quantizes and codes the slice; `keep` is the share of each component's levels to code.
  private func code(
    _ macroblocks: Int, _ index: Int, keep: Double, into target: UnsafeMutablePointer<UInt8>
  ) -> Sizes {
    setUp(macroblocks, index)
    kernels.quantize(scratch.components, 3, scratch.linesOfQuantizer)
    if keep < 1 {
      for component in 0..<3 {
        let count = scratch.components[component].count
        scratch.components[component].count = Int(Double(count) * keep)
      }
    }
    return code(into: target)
  }

  /// Tells the components how many blocks they have, and their steps.
  private func setUp(_ macroblocks: Int, _ index: Int) {
    let chromaBlocks = Int32(macroblocks * (fullChroma ? 4 : 2))
    let chroma = tables.chroma(index)
    scratch.components[0].blocks = Int32(macroblocks * 4)
    scratch.components[0].quantizer = tables.luma(index)
    for component in 1...2 {
      scratch.components[component].blocks = chromaBlocks
      scratch.components[component].quantizer = chroma
    }
  }

  private func code(into target: UnsafeMutablePointer<UInt8>) -> Sizes {
    _ = kernels.code(scratch.components, 3, target, scratch.linesOfCoder)
    return Sizes(
      luma: scratch.components[0].bytes, cb: scratch.components[1].bytes,
      cr: scratch.components[2].bytes)
  }

  /// A slice of gray, where nothing else fits.
  private func codeNothing(into target: UnsafeMutablePointer<UInt8>) -> Sizes {
    for component in 0..<3 {
      scratch.components[component].dc.update(repeating: 0, count: PRORES_LANES)
      scratch.components[component].count = 0
    }
    return code(into: target)
  }

  private func codeAlpha(
    _ picture: prores_picture, _ area: prores_area,
    into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = AlphaLoader.load(picture, area, bits: alphaBits, into: scratch.alpha)
    return prores_code_alpha(scratch.alpha, count, Int32(alphaBits), target)
  }

  /// A slice that was too large.
  private struct Attempt {
    let index: Int
    let size: Int

    private var scale: Double { Double(QuantizationIndex.scale(index)) }

    /// The index that should bring the slice to `limit`: size falls with about the 0.75th power of
    /// the scale. Where it fell more slowly from the attempt before, as that of noise does, it is
    /// taken to go on falling as much with each doubling of the scale.
    func nextIndex(limit: Int, before: Attempt?) -> Int {
      let excess = min(Double(size) / Double(max(limit, 1)), 16)
      var next = scale * excess * (0.75 + 0.25 * excess)
      if let before, before.size > size, before.scale < scale {
        let steepness =
          Double(before.size - size) / PortableMath.binaryLogarithm(scale / before.scale)
        next = max(next, scale * PortableMath.binaryPower(min(Double(size - limit) / steepness, 9)))
      }
      return min(
        max(QuantizationIndex.index(scale: next), Int(QuantizationIndex.coded(index)) + 1),
        QuantizationIndex.range.upperBound)
    }
  }

  private static func store(_ value: Int, _ target: UnsafeMutablePointer<UInt8>) {
    target[0] = UInt8(truncatingIfNeeded: value >> 8)
    target[1] = UInt8(truncatingIfNeeded: value)
  }
}
