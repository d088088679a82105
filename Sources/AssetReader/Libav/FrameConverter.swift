import CFFmpeg
import MediaCore

/// Converts frames from libav's pixel formats to this package's, component by component and
/// exactly: no code differs from the ideal value by more than its rounding.
///
/// libswscale's 15-bit tables are not that exact, and it guesses ranges and matrices. Bands of a
/// frame are converted on all processors.
struct FrameConverter: Sendable {
  private let layout: FrameLayout
  private let format: PixelFormat
  private let width: Int
  private let height: Int
  private let readers: [ComponentReader]
  private let horizontal: Int
  private let vertical: Int
  private let maps: [CodeScale]
  private let matrix: RGBMatrix
  private let chromaRowsShift: Int
  private let chromaColumnsShift: Int
  private let siting: ChromaSiting
  /// The source columns of each chroma sample in a row; empty if no horizontal upsampling is
  /// needed.
  private let columns: [ChromaPlace]

  /// Creates a converter for frames of one pixel format, size and color; nil if libavutil does not
  /// know the pixel format.
  ///
  /// - Parameters:
  ///   - range: The range of the frame's codes.
  ///   - siting: The siting of the frame's chroma.
  init?(
    _ number: Int32, layout: FrameLayout, details: PixelBuffer.Description,
    range: ColorDescription.Range, siting: ChromaSiting
  ) {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: number)) else { return nil }
    self.layout = layout
    format = details.format
    width = details.width
    height = details.height
    let components = Int32(facts.pointee.nb_components)
    let isPalette = cffmpeg_pixel_is_palette(facts) != 0
    let count = isPalette ? 3 : components
    let readers = (0..<count).map { ComponentReader(facts, index: $0) }
    self.readers = readers
    let subsampling = format.descriptor.subsampling
    horizontal = Int(facts.pointee.log2_chroma_w) - subsampling.horizontalShift
    vertical = Int(facts.pointee.log2_chroma_h) - subsampling.verticalShift
    chromaRowsShift = Int(facts.pointee.log2_chroma_h)
    chromaColumnsShift = Int(facts.pointee.log2_chroma_w)
    self.siting = siting
    columns = Self.columns(
      of: details, sharedBy: chromaColumnsShift, isBetweenColumns: siting.isBetweenColumns)
    let depth = format.descriptor.bitDepth
    let (isRGB, hasAlpha) = (layout.isRGB, layout.hasAlpha)
    maps = readers.enumerated().map { index, reader in
      let isAlpha = hasAlpha && index == readers.count - 1
      if isRGB || isAlpha {
        return CodeScale(from: reader.depth, to: isRGB && !isAlpha ? 16 : depth, .whole)
      }
      guard range == .full else { return CodeScale(from: reader.depth, to: depth, .shift) }
      guard layout.becomesVideoRange else {
        return CodeScale(from: reader.depth, to: depth, .whole)
      }
      return CodeScale(from: reader.depth, to: depth, index > 0 ? .videoChroma : .videoLuma)
    }
    matrix = RGBMatrix(details.color.matrix, range: range)
  }

  private static func columns(
    of details: PixelBuffer.Description, sharedBy shift: Int, isBetweenColumns: Bool
  ) -> [ChromaPlace] {
    let step = details.format.descriptor.subsampling.horizontalShift
    guard shift > step else { return [] }
    let count = (details.width + (1 << shift) - 1) >> shift
    return stride(from: 0, to: details.width, by: 1 << step).map {
      ChromaPlace($0, shift: shift, count: count, isBetweenColumns ? .between : .upper)
    }
  }

  /// Row buffers of one thread.
  private final class Scratch {
    private let memory: UnsafeMutablePointer<UInt16>
    private let length: Int

    init(width: Int) {
      length = width + 16
      memory = .allocate(capacity: 4 * length)
    }

    deinit { memory.deallocate() }

    subscript(index: Int) -> UnsafeMutablePointer<UInt16> { memory + index * length }
  }

  /// A band of a frame's rows, and the row buffers of its thread.
  private struct Band {
    let index: Int
    let count: Int
    let scratch: Scratch

    /// The band's part of a number of rows.
    func part(of rows: Int) -> Range<Int> { rows * index / count..<rows * (index + 1) / count }
  }

  /// Rows of a band: enough to be worth a thread's time.
  private static let bandHeight = 64

  /// Converts a frame into a pixel buffer.
  func convert(_ frame: UnsafeMutablePointer<AVFrame>, into image: inout MutablePixelBuffer) {
    image.withPlanes { image in
      // Safe: the frame is only read, and each band writes only its own rows.
      nonisolated(unsafe) let (frame, image) = (frame, image)
      let count = max(1, (height + Self.bandHeight - 1) / Self.bandHeight)
      _ = ConcurrentMap.map(count, worker: { Scratch(width: width) }) { scratch, index in
        convert(frame, image, Band(index: index, count: count, scratch: scratch))
      }
    }
  }

  private func convert(
    _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes, _ band: Band
  ) {
    if format == .bgr24 {
      convertBytes(frame, image, band)
    } else if layout.isRGB {
      convertRGB(frame, image, band)
    } else {
      convertLuma(frame, image, band)
    }
    guard format.descriptor.hasAlpha, let alpha = readers.indices.last else { return }
    eachRow(of: image, plane: 3, band) { row, target in
      read(alpha, row, frame, target, width)
    }
  }

  /// Reads a row of codes, scaled to the target's depth.
  private func read(
    _ component: Int, _ row: Int, _ frame: UnsafeMutablePointer<AVFrame>,
    _ target: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    readers[component].read(row: row, of: frame, into: target, count: count)
    maps[component].apply(target, count)
  }

  // MARK: RGB

  private func convertBytes(
    _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes, _ band: Band
  ) {
    let (red, green, blue) = (band.scratch[0], band.scratch[1], band.scratch[2])
    for row in band.part(of: height) {
      for (component, target) in [red, green, blue].enumerated() {
        readers[component].read(row: row, of: frame, into: target, count: width)
      }
      let pixels = image.row(row, ofPlane: 0).assumingMemoryBound(to: UInt8.self)
      for place in 0..<width {
        pixels[3 &* place] = UInt8(truncatingIfNeeded: blue[place])
        pixels[3 &* place &+ 1] = UInt8(truncatingIfNeeded: green[place])
        pixels[3 &* place &+ 2] = UInt8(truncatingIfNeeded: red[place])
      }
    }
  }

  private func convertRGB(
    _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes, _ band: Band
  ) {
    let (red, green, blue) = (band.scratch[0], band.scratch[1], band.scratch[2])
    eachRow(of: image, plane: 0, band) { row, luma in
      read(0, row, frame, red, width)
      read(1, row, frame, green, width)
      read(2, row, frame, blue, width)
      matrix.convert(
        red, green, blue, luma: luma, blueDifference: target(image, 1, row),
        redDifference: target(image, 2, row), count: width)
    }
  }

  // MARK: Luma and chroma

  private func convertLuma(
    _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes, _ band: Band
  ) {
    eachRow(of: image, plane: 0, band) { row, target in read(0, row, frame, target, width) }
    let isBiplanar = format.descriptor.packing == .biplanar
    for component in 1...2 {
      guard readers.count > 2 else {
        fillMiddle(image, plane: component, band)
        continue
      }
      if isBiplanar {
        convertPairs(component, frame, image, band)
      } else {
        convertChroma(component, frame, image, band)
      }
    }
  }

  private func convertChroma(
    _ component: Int, _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes,
    _ band: Band
  ) {
    let count = (width + (1 << chromaColumnsShift) - 1) >> chromaColumnsShift
    guard horizontal > 0 || vertical > 0 else {
      eachRow(of: image, plane: component, band) { row, target in
        read(component, row, frame, target, count)
      }
      return
    }
    let rows = (height + (1 << chromaRowsShift) - 1) >> chromaRowsShift
    eachRow(of: image, plane: component, band) { row, target in
      let place = ChromaPlace(row, shift: vertical, count: rows, siting.rows)
      let near = horizontal > 0 ? band.scratch[0] : target
      let far = band.scratch[1]
      read(component, place.first, frame, near, count)
      if place.weight > 0 {
        read(component, place.second, frame, far, count)
        place.blend(near, far, count)
      }
      if horizontal > 0 { stretch(near, target) }
    }
  }

  /// Upsamples a row horizontally by linear interpolation.
  private func stretch(
    _ source: UnsafeMutablePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>
  ) {
    for (place, column) in columns.enumerated() {
      target[place] = column.blend(source[column.first], source[column.second])
    }
  }

  /// Converts one component into every second word of the interleaved Cb and Cr plane.
  private func convertPairs(
    _ component: Int, _ frame: UnsafeMutablePointer<AVFrame>, _ image: MutablePixelBuffer.Planes,
    _ band: Band
  ) {
    let (count, codes) = ((width + 1) / 2, band.scratch[0])
    eachRow(of: image, plane: 1, band) { row, target in
      read(component, row, frame, codes, count)
      for place in 0..<count { target[2 &* place &+ component &- 1] = codes[place] }
    }
  }

  private func fillMiddle(_ frame: MutablePixelBuffer.Planes, plane: Int, _ band: Band) {
    let middle = UInt16(1) << UInt16(format.descriptor.bitDepth - 1)
    let count = format.descriptor.subsampling == .yuv422 ? (width + 1) / 2 : width
    eachRow(of: frame, plane: plane, band) { _, target in
      target.update(repeating: middle, count: count)
    }
  }

  // MARK: Rows

  /// Calls `body` with each row of a plane's band as words, which are then narrowed for 8-bit
  /// formats.
  private func eachRow(
    of frame: MutablePixelBuffer.Planes, plane: Int, _ band: Band,
    _ body: (Int, UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let rowCount = format.rows(plane: plane, height: height)
    let isBytes = format.descriptor.bitDepth == 8
    let count = format.minimumBytesPerRow(plane: plane, width: width)
    for row in band.part(of: rowCount) {
      let target = frame.row(row, ofPlane: plane)
      guard isBytes else {
        body(row, target.assumingMemoryBound(to: UInt16.self))
        continue
      }
      let words = band.scratch[3]
      body(row, words)
      let bytes = target.assumingMemoryBound(to: UInt8.self)
      for place in 0..<count { bytes[place] = UInt8(truncatingIfNeeded: words[place]) }
    }
  }

  /// A row of a plane, as words.
  private func target(
    _ frame: MutablePixelBuffer.Planes, _ plane: Int, _ row: Int
  ) -> UnsafeMutablePointer<UInt16> {
    frame.row(row, ofPlane: plane).assumingMemoryBound(to: UInt16.self)
  }
}

/// The two chroma rows around a luma row, or the two columns around a luma column, with the left
/// one as the upper.
private struct ChromaPlace: Sendable {
  let first: Int
  let second: Int
  /// The weight of the second row, in units of 2 to the power of -``bits``.
  let weight: UInt32
  private let bits: UInt32

  /// - Parameters:
  ///   - shift: The number of luma rows per chroma row, as a power of two.
  ///   - siting: Where the chroma row lies among them.
  init(_ row: Int, shift: Int, count: Int, _ siting: ChromaSiting.Rows) {
    // In half rows, so that midway is a whole number.
    let unit = 2 << shift
    let middle = (1 << shift) - 1
    let offset =
      switch siting {
      case .upper: 0
      case .between: middle
      case .lower: 2 * middle
      }
    let position = 2 * row - offset
    let below = position < 0 ? -1 : position / unit
    bits = UInt32(shift + 1)
    weight = UInt32(position - below * unit)
    first = min(max(below, 0), count - 1)
    second = min(max(below + 1, 0), count - 1)
  }

  func blend(_ near: UInt16, _ far: UInt16) -> UInt16 {
    let (first, half) = ((1 << bits) - weight, UInt32(1) << (bits - 1))
    let sum = UInt32(near) &* first &+ UInt32(far) &* weight
    return UInt16(truncatingIfNeeded: (sum &+ half) &>> bits)
  }

  func blend(
    _ near: UnsafeMutablePointer<UInt16>, _ far: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for place in 0..<count { near[place] = blend(near[place], far[place]) }
  }
}

/// How codes of one depth become codes of another.
private struct CodeScale: Sendable, Hashable {
  /// How codes are scaled.
  enum Rule {
    /// Zero bits are appended.
    case shift
    /// The full code range is scaled: the highest code becomes the highest.
    case whole
    /// Full-range luma becomes video-range luma.
    case videoLuma
    /// Full-range chroma becomes video-range chroma.
    case videoChroma
  }

  private enum Kind: Hashable {
    case same
    case shift(UInt16)
    /// The target code for each source code.
    case table([UInt16])
  }

  private let kind: Kind

  init(from depth: Int, to target: Int, _ rule: Rule) {
    let (top, bottom, unit) = ((1 << target) - 1, (1 << depth) - 1, 1 << (target - 8))
    switch rule {
    case .shift: kind = depth == target ? .same : .shift(UInt16(max(target - depth, 0)))
    case .whole:
      kind =
        depth == target
        ? .same : .table((0...bottom).map { UInt16(($0 * top + bottom / 2) / bottom) })
    case .videoLuma:
      kind = .table(
        (0...bottom).map { UInt16(16 * unit + ($0 * 219 * unit + bottom / 2) / bottom) })
    case .videoChroma:
      // The sum stays positive, so the division always rounds the same way.
      let zero = 128 * unit * bottom - 224 * unit * (1 << (depth - 1))
      kind = .table(
        (0...bottom).map { UInt16(($0 * 224 * unit + zero + bottom / 2) / bottom) })
    }
  }

  func apply(_ codes: UnsafeMutablePointer<UInt16>, _ count: Int) {
    switch kind {
    case .same: break
    case .shift(let shift):
      for place in 0..<count { codes[place] = codes[place] &<< shift }
    case .table(let table):
      table.withUnsafeBufferPointer { table in
        // No bounds check: codes are masked to the depth that the table was made for.
        guard let first = table.baseAddress else { return }
        for place in 0..<count { codes[place] = first[Int(codes[place])] }
      }
    }
  }
}
