import CProResKernels
import MediaCore

/// Decodes slices of one frame: what one thread needs for it.
///
/// Slices are read in pairs, since the kernels read two components at a time.
struct SliceDecoder: ~Copyable {
  /// A slice and its place in its picture, in macroblocks.
  struct Slice {
    let number: Int
    let range: Range<Int>
    let column: Int
    let row: Int
    let macroblocks: Int
  }

  private static let levelCount = Int(PRORES_LEVELS) + Int(PRORES_LEVELS_MARGIN)
  /// A slice has up to 64 KB.
  private static let copySize = 65536 + Int(PRORES_CODED_MARGIN)
  /// Words of a component of eight macroblocks, and of a slice's alpha.
  private static let planeSize = 128 * 16

  private let kernels: prores_decoder_kernels
  private var dequantizers = Dequantizers()
  private var columnsByLast: [Int32] = []
  private var fullChroma = false
  private var alpha = FrameHeader.AlphaChannelType.none
  private let memory: AlignedMemory
  /// Levels of two slices' components.
  private let levels: UnsafeMutablePointer<Int16>
  /// Three components and alpha of a slice that lies across the picture's edge.
  private let samples: UnsafeMutablePointer<UInt16>
  private let copies: UnsafeMutablePointer<UInt8>
  private let coded: UnsafeMutablePointer<prores_coded>

  init(kernels: prores_decoder_kernels) throws(ProResError) {
    self.kernels = kernels
    let sizes = [
      6 * Self.levelCount * 2, 4 * Self.planeSize * 2, 2 * Self.copySize,
      6 * MemoryLayout<prores_coded>.stride,
    ]
    let memory = try AlignedMemory(byteCount: sizes.reduce(0) { $0 + ($1 + 63) / 64 * 64 })
    let bytes = memory.bytes
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var offset = 0
    func part<Element>(_ index: Int, as type: Element.Type) -> UnsafeMutablePointer<Element> {
      defer { offset += (sizes[index] + 63) / 64 * 64 }
      return UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        .bindMemory(to: type).baseAddress ?? .allocate(capacity: 1)
    }
    levels = part(0, as: Int16.self)
    samples = part(1, as: UInt16.self)
    copies = part(2, as: UInt8.self)
    coded = part(3, as: prores_coded.self)
    self.memory = memory
  }

  /// Sets the frame whose slices come next.
  mutating func begin(_ map: FrameMap) {
    let isInterlaced = map.mode != .progressive
    dequantizers.begin(
      luma: map.header.effectiveLumaMatrix, chroma: map.header.effectiveChromaMatrix,
      interlaced: isInterlaced)
    columnsByLast = isInterlaced ? Self.interlacedColumns : Self.progressiveColumns
    fullChroma = map.chroma == .yuv444
    alpha = map.alpha
  }

  private static let progressiveColumns = columns(ScanOrder.progressive)
  private static let interlacedColumns = columns(ScanOrder.interlaced)

  /// For each index in the scan, the horizontal frequencies up to there.
  private static func columns(_ scan: [UInt8]) -> [Int32] {
    scan.indices.map { last in scan[...last].map { Int32($0 % 8) + 1 }.max() ?? 8 }
  }

  // MARK: A pair

  /// Decodes one slice, or two.
  ///
  /// - Throws: ``ProResError/Code/invalidFrame``, with the slice's number.
  mutating func decode(
    _ slices: [Slice], of picture: FrameMap.Picture, _ frame: UnsafeRawBufferPointer,
    into planes: DecodedPlanes
  ) throws(ProResError) {
    var parts: [SliceParts] = []
    for slice in slices { parts.append(try read(slice, frame.bytes)) }
    for (place, slice) in slices.enumerated() {
      prepare(slice, parts[place], frame, place: place, of: slices.count)
    }
    kernels.read(coded, slices.count * 3)
    for (place, slice) in slices.enumerated() {
      try judge(slice, parts[place], frame.bytes, place: place, of: slices.count)
      put(slice, parts[place], picture, place: place, of: slices.count, into: planes)
      try putAlpha(slice, parts[place], picture, frame, place: place, into: planes)
    }
  }

  private func read(_ slice: Slice, _ frame: RawSpan) throws(ProResError) -> SliceParts {
    guard let parts = SliceParts(frame, slice.range, hasAlpha: alpha != .none) else {
      throw ProResError(.invalidFrame, "slice \(slice.number): its header does not fit its bytes")
    }
    guard QuantizationIndex.range.contains(parts.quantizationIndex) else {
      throw ProResError(
        .invalidFrame,
        "slice \(slice.number): quantization_index \(parts.quantizationIndex) is outside 1...224")
    }
    return parts
  }

  private func blocks(_ slice: Slice, _ component: Int) -> Int {
    slice.macroblocks * (component == 0 || fullChroma ? 4 : 2)
  }

  /// Says where the code words of a slice are, and clears room for its levels.
  private func prepare(
    _ slice: Slice, _ parts: SliceParts, _ frame: UnsafeRawBufferPointer, place: Int, of count: Int
  ) {
    var bytes = frame.baseAddress?.assumingMemoryBound(to: UInt8.self)
    if slice.range.upperBound + Int(PRORES_CODED_MARGIN) > frame.count {
      let copy = copies + place * Self.copySize
      UnsafeMutableRawBufferPointer(start: copy, count: slice.range.count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[slice.range]))
      bytes = UnsafePointer(copy) - slice.range.lowerBound
    }
    for component in 0..<3 {
      let blocks = blocks(slice, component)
      let index = component * count + place
      let levels = levels + (component * 2 + place) * Self.levelCount
      UnsafeMutableRawPointer(levels).initializeMemory(
        as: UInt8.self, repeating: 0, count: blocks * 128)
      coded[index] = prores_coded(
        bytes: bytes.map { $0 + parts.components[component].lowerBound },
        size: parts.components[component].count, blocks: Int32(blocks), levels: levels, padding: 0,
        last: 0, longest: 0)
    }
  }

  private func judge(
    _ slice: Slice, _ parts: SliceParts, _ frame: RawSpan, place: Int, of count: Int
  ) throws(ProResError) {
    for component in 0..<3 where coded[component * count + place].padding < 0 {
      var reader = BitReader()
      reader.open(frame, parts.components[component])
      var reason = "its code words are not valid"
      do throws(ComponentDecoder.Failure) {
        _ = try ComponentDecoder.decode(&reader, blocks: blocks(slice, component))
      } catch { reason = error.rawValue }
      throw ProResError(
        .invalidFrame, "slice \(slice.number), component \(component): \(reason)")
    }
  }

  // MARK: Samples

  /// Transforms a slice: into the planes where it lies within them, else by way of `samples`.
  private mutating func put(
    _ slice: Slice, _ parts: SliceParts, _ picture: FrameMap.Picture, place: Int, of count: Int,
    into planes: DecodedPlanes
  ) {
    dequantizers.use(quantizationIndex: parts.quantizationIndex)
    let rows = min(16, picture.height - slice.row * 16)
    let isWhole =
      slice.macroblocks == 8 && rows == 16 && (slice.column + 8) * 16 <= planes.planes[0].width
    let targets = InlineArray<3, UnsafeMutablePointer<UInt16>> { component in
      guard isWhole else { return samples + component * Self.planeSize }
      let plane = planes.planes[component].rows(of: picture)
      let x = slice.column * (component == 0 || fullChroma ? 16 : 8)
      return plane.start + slice.row * 16 * plane.stride + x
    }
    func stride(_ component: Int) -> Int {
      isWhole ? planes.planes[component].stride * picture.rowStep : 128
    }
    transform(0, place, count, targets[0], stride(0), planes.depth)
    if fullChroma {
      transform(1, place, count, targets[1], stride(1), planes.depth)
      transform(2, place, count, targets[2], stride(2), planes.depth)
    } else {
      transform(1, place, count, targets[1], stride(1), planes.depth, second: targets[2])
    }
    guard !isWhole else { return }
    for component in 0..<3 {
      let plane = planes.planes[component].rows(of: picture)
      let x = slice.column * (component == 0 || fullChroma ? 16 : 8)
      let width = slice.macroblocks * (component == 0 || fullChroma ? 16 : 8)
      copy(
        targets[component], min(width, plane.width - x), rows,
        to: plane.start + slice.row * 16 * plane.stride + x, plane.stride)
    }
  }

  private func transform(
    _ component: Int, _ place: Int, _ count: Int, _ target: UnsafeMutablePointer<UInt16>,
    _ stride: Int, _ depth: Int, second: UnsafeMutablePointer<UInt16>? = nil
  ) {
    let first = coded[component * count + place]
    var last = first.last
    var inversion = prores_inversion()
    inversion.levels = UnsafePointer(first.levels)
    if let second {
      let other = coded[(component + 1) * count + place]
      inversion.second_levels = UnsafePointer(other.levels)
      inversion.second = second
      last = max(last, other.last)
    }
    inversion.dequantizer = component == 0 ? dequantizers.luma : dequantizers.chroma
    inversion.blocks = first.blocks
    inversion.columns = columnsByLast[Int(last)]
    inversion.arrangement =
      component == 0
      ? PRORES_ARRANGEMENT_LUMA
      : second == nil ? PRORES_ARRANGEMENT_CHROMA_444 : PRORES_ARRANGEMENT_CHROMA_422
    inversion.depth = Int32(depth)
    inversion.first = target
    inversion.stride = stride
    kernels.inverse(&inversion)
  }

  private func copy(
    _ source: UnsafeMutablePointer<UInt16>, _ width: Int, _ rows: Int,
    to target: UnsafeMutablePointer<UInt16>, _ stride: Int
  ) {
    guard width > 0 else { return }
    for row in 0..<rows {
      (target + row * stride).update(from: source + row * 128, count: width)
    }
  }

  // MARK: Alpha

  private func putAlpha(
    _ slice: Slice, _ parts: SliceParts, _ picture: FrameMap.Picture,
    _ frame: UnsafeRawBufferPointer, place: Int, into planes: DecodedPlanes
  ) throws(ProResError) {
    guard alpha != .none, let start = frame.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return
    }
    let isCopied = slice.range.upperBound + Int(PRORES_CODED_MARGIN) > frame.count
    let bytes =
      isCopied ? UnsafePointer(copies + place * Self.copySize) - slice.range.lowerBound : start
    let width = slice.macroblocks * 16
    let rows = min(16, picture.height - slice.row * 16)
    var end = 0
    let values = samples + 3 * Self.planeSize
    let padding = prores_read_alpha(
      bytes + parts.alpha.lowerBound, parts.alpha.count, alpha == .bits16 ? 16 : 8, width * rows,
      width * 16, values, &end)
    guard padding >= 0 else {
      throw ProResError(.invalidFrame, "slice \(slice.number): its alpha is not valid")
    }
    guard let plane = planes.alpha?.rows(of: picture) else { return }
    let x = slice.column * 16
    prores_scale_alpha(
      values, width, alpha == .bits16 ? 16 : 8, Int32(min(width, plane.width - x)), Int32(rows),
      plane.start + slice.row * 16 * plane.stride + x, plane.stride, Int32(planes.depth))
  }
}
