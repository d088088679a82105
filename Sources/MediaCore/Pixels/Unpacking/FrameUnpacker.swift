#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Converts frames of any layout to the planar one that an encoder reads: 10-bit 4:2:2, or 4:4:4
/// of 10 or 12 bits if the source has that much chroma.
///
/// The result is video range, and holds no code that ProRes and SDI reserve: 4...1019 at 10 bits,
/// 16...4079 at 12. Depths change by shifts, with rounding on the way down; full range is scaled,
/// rounded to the nearest; the chroma of 4:2:0 is interpolated, from where it sits, between rows of its
/// own field and onto the even pixels; the chroma of 4:4:4 is filtered (1, 2, 1) onto them, and that of
/// 4:2:2 stays as it is. Every output row depends on the source alone.
public struct FrameUnpacker: Sendable {
  /// What the sources are.
  public let source: PixelBuffer.Description
  /// What the results are: the same size and color, at video range.
  public let destination: PixelBuffer.Description

  // Looked up once, for they are asked for on every row.
  private let packing: PixelFormat.Packing
  private let subsampling: PixelFormat.Subsampling
  private let chromaRowCount: Int
  private let halvesChroma: Bool
  private let writesAlpha: Bool
  private let luma: CodeConversion
  private let chroma: CodeConversion
  private let alpha: CodeConversion
  private let rgb: RGBConversion?

  /// The layouts that a source can be unpacked to, the one that keeps most of it first.
  public static func destinations(for format: PixelFormat) -> [PixelFormat] {
    let table = format.descriptor
    if table.subsampling == .mosaic { return [] }
    guard table.subsampling == .yuv444 || table.subsampling == .rgb else { return [.yuv422p10] }
    let opaque: [PixelFormat] =
      table.bitDepth > 10
      ? [.yuv444p12, .yuv444p10, .yuv422p10] : [.yuv444p10, .yuv444p12, .yuv422p10]
    guard table.hasAlpha else { return opaque }
    return
      (table.bitDepth > 10 ? [.yuva444p12, .yuva444p10] : [.yuva444p10, .yuva444p12]) + opaque
  }

  /// An unpacker for frames of one description.
  ///
  /// - Parameters:
  ///   - source: The description of the frames to unpack.
  ///   - format: One of ``destinations(for:)``.
  /// - Throws: ``MediaCoreError/Code/unsupportedConversion``.
  public init(
    from source: PixelBuffer.Description, to format: PixelFormat
  ) throws(MediaCoreError) {
    let table = source.format.descriptor
    guard Self.destinations(for: source.format).contains(format) else {
      throw MediaCoreError(
        .unsupportedConversion,
        "\(source.format) cannot be unpacked to \(format), only to "
          + Self.destinations(for: source.format).map(\.description).joined(separator: ", "))
    }
    let depth = format.descriptor.bitDepth
    var color = source.color
    if table.subsampling == .rgb {
      if color.matrix == .identity { color.matrix = .unspecified }
      color.matrix = color.resolved(forHeight: source.height).matrix
      guard
        let conversion = RGBConversion(
          color.matrix, range: color.range, depth: depth, packing: table.packing)
      else {
        throw MediaCoreError(
          .unsupportedConversion,
          "RGB cannot be converted with constant luminance; use BT.2020's "
            + "non-constant luminance")
      }
      rgb = conversion
    } else {
      rgb = nil
    }
    self.source = source
    var destination = source
    destination.format = format
    destination.color = color.with(range: .video)
    if table.subsampling != .yuv422 { destination.chromaSiting = .left }
    self.destination = destination
    packing = table.packing
    subsampling = table.subsampling
    chromaRowCount = source.format.rows(plane: 1, height: source.height)
    halvesChroma = format == .yuv422p10
    writesAlpha = format.descriptor.hasAlpha
    luma = CodeConversion(.luma, from: table, range: color.range, toDepth: depth)
    chroma = CodeConversion(.chroma, from: table, range: color.range, toDepth: depth)
    alpha = CodeConversion(.alpha, from: table, range: color.range, toDepth: depth)
  }

  /// Unpacks a frame, or some of its rows.
  ///
  /// - Parameters:
  ///   - frame: Of ``source``'s format and size.
  ///   - result: Of ``destination``'s format and size; nothing but the pixels of `rows` is written.
  ///   - rows: Rows of the frame; nil for all.
  /// - Throws: ``MediaCoreError/Code/invalidLayout`` if a buffer is not as described, or the rows
  ///   are not within the frame.
  public func unpack(
    _ frame: PixelBuffer, into result: inout MutablePixelBuffer, rows: Range<Int>? = nil
  ) throws(MediaCoreError) {
    let rows = rows ?? 0..<source.height
    try check(frame, result.details, rows)
    try result.withPlanes { planes throws(MediaCoreError) in
      try unpack(frame, into: planes, rows)
    }
  }

  /// A frame unpacked into memory of its own.
  ///
  /// - Throws: As ``unpack(_:into:rows:)``, and ``MediaCoreError/Code/outOfMemory``.
  public func unpacked(_ frame: PixelBuffer) throws(MediaCoreError) -> PixelBuffer {
    var result = try MutablePixelBuffer(destination)
    try unpack(frame, into: &result)
    return result.finish()
  }

  private func unpack(
    _ frame: PixelBuffer, into planes: MutablePixelBuffer.Planes, _ rows: Range<Int>
  ) throws(MediaCoreError) {
    try withScratch(byteCount: RowReader.scratchBytes(width: source.width)) { memory in
      let reader = RowReader(frame, scratch: memory)
      for row in rows { unpackRow(row, reader, planes) }
    }
  }

  /// A row of a frame as 10-bit 4:2:2, valid during the call that lends it.
  package struct Row: ~Copyable {
    /// Its number in the frame.
    package let number: Int
    /// Samples of luma, as many as the frame has pixels in a row.
    package let luma: UnsafePointer<UInt16>
    /// Samples of chroma, half as many, rounded up.
    package let cb: UnsafePointer<UInt16>
    package let cr: UnsafePointer<UInt16>
  }

  /// Lends chosen rows of a frame, one after the other; nothing else of the frame is read.
  ///
  /// For unpackers to 10-bit 4:2:2.
  ///
  /// - Throws: As ``unpack(_:into:rows:)``, and ``MediaCoreError/Code/outOfMemory``.
  package func forEachRow(
    _ rows: some Sequence<Int>, of frame: PixelBuffer, _ body: (borrowing Row) -> Void
  ) throws(MediaCoreError) {
    try check(frame, destination, 0..<source.height)
    guard destination.format == .yuv422p10 else {
      throw MediaCoreError(
        .unsupportedConversion, "rows are lent as 10-bit 4:2:2, not as \(destination.format)")
    }
    let scratch = (RowReader.scratchBytes(width: source.width) + 63) / 64 * 64
    // Rows have room for all samples of v210's last block, which may extend beyond the frame.
    let run = (source.width + 63) / 32 * 32
    try withScratch(byteCount: scratch + 6 * run) { memory in
      let reader = RowReader(frame, scratch: memory)
      func samples(_ place: Int) -> UnsafeMutablePointer<UInt16> {
        (memory + scratch + 2 * run * place).assumingMemoryBound(to: UInt16.self)
      }
      let (y, cb, cr) = (samples(0), samples(1), samples(2))
      for row in rows where row >= 0 && row < source.height {
        unpackRow(row, reader, y, cb, cr)
        body(
          Row(
            number: row, luma: UnsafePointer(y), cb: UnsafePointer(cb), cr: UnsafePointer(cr)))
      }
    }
  }

  private func withScratch(
    byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(MediaCoreError) {
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, 64, byteCount) == 0, let memory else {
      throw MediaCoreError(.outOfMemory, "no memory for rows of \(source.width) pixels")
    }
    defer { free(memory) }
    body(memory)
  }

  private func check(
    _ frame: PixelBuffer, _ result: PixelBuffer.Description, _ rows: Range<Int>
  ) throws(MediaCoreError) {
    func fits(_ given: PixelBuffer.Description, _ wanted: PixelBuffer.Description) -> Bool {
      given.format == wanted.format && given.width == wanted.width && given.height == wanted.height
    }
    guard fits(frame.details, source), fits(result, destination) else {
      throw MediaCoreError(
        .invalidLayout,
        "an unpacker from \(source.width)x\(source.height) \(source.format) to "
          + "\(destination.format) was given \(frame.width)x\(frame.height) "
          + "\(frame.format) and \(result.width)x\(result.height) \(result.format)")
    }
    guard rows.lowerBound >= 0, rows.upperBound <= source.height else {
      throw MediaCoreError(
        .invalidLayout, "rows \(rows) are not within a frame of \(source.height) rows")
    }
  }

  private func unpackRow(_ row: Int, _ reader: RowReader, _ planes: MutablePixelBuffer.Planes) {
    func target(_ index: Int) -> UnsafeMutablePointer<UInt16> {
      planes.row(row, ofPlane: index).assumingMemoryBound(to: UInt16.self)
    }
    unpackRow(row, reader, target(0), target(1), target(2))
    if writesAlpha {
      alpha.convert(
        reader.plane(3, row: row, count: source.width), target(3), count: source.width)
    }
  }

  private func unpackRow(
    _ row: Int, _ reader: RowReader, _ y: UnsafeMutablePointer<UInt16>,
    _ cb: UnsafeMutablePointer<UInt16>, _ cr: UnsafeMutablePointer<UInt16>
  ) {
    let width = source.width
    switch packing {
    case .packedBGR, .packedBGRX, .packedXRGB:
      let pixels = reader.row(row, ofPlane: 0).assumingMemoryBound(to: UInt8.self)
      rgb?.luma(pixels, y, width: width)
      if halvesChroma {
        rgb?.halvedChroma(pixels, cb, cr, width: width)
      } else {
        rgb?.chroma(pixels, cb, cr, width: width)
      }
    case .packedYCbYCr, .packedCbYCrY, .v210:
      let parts = reader.packed(row: row)
      luma.convert(parts.luma, y, count: width)
      if let pairs = parts.pairs {
        chroma.convertPairs(pairs, cb, cr, count: (width + 1) / 2)
      } else {
        chroma.convert(parts.cb, cb, count: (width + 1) / 2)
        chroma.convert(parts.cr, cr, count: (width + 1) / 2)
      }
    case .planar, .biplanar, .biplanarPacked10:
      luma.convert(reader.plane(0, row: row, count: width), y, count: width)
      unpackChroma(row, reader, cb, cr)
    case .mosaic, .mosaicPacked:
      // No destination takes a sensor's mosaic.
      break
    }
  }

  private func unpackChroma(
    _ row: Int, _ reader: RowReader, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>
  ) {
    let width = source.width
    let half = (width + 1) / 2
    switch subsampling {
    case .yuv422:
      if let pairs = reader.chromaPairs(row: row) {
        chroma.convertPairs(pairs, cb, cr, count: half)
      } else {
        let parts = reader.chroma(row: row)
        chroma.convert(parts.cb, cb, count: half)
        chroma.convert(parts.cr, cr, count: half)
      }
    case .yuv420:
      let rows = ChromaRows(
        forRow: row, of: chromaRowCount, siting: source.chromaSiting,
        isInterlaced: source.fieldOrder.isInterlaced)
      let near = reader.chroma(row: rows.near)
      let far = reader.chroma(row: rows.far, second: true)
      let (weight, isBetween) = (rows.nearWeight, source.chromaSiting.isBetweenColumns)
      chroma.blendRows(
        near.cb, far.cb, nearWeight: weight, isBetweenColumns: isBetween, cb, count: half)
      chroma.blendRows(
        near.cr, far.cr, nearWeight: weight, isBetweenColumns: isBetween, cr, count: half)
    case .yuv444, .rgb, .mosaic:
      let parts = reader.chroma(row: row)
      if halvesChroma {
        chroma.halve(parts.cb, width: width, cb)
        chroma.halve(parts.cr, width: width, cr)
      } else {
        chroma.convert(parts.cb, cb, count: width)
        chroma.convert(parts.cr, cr, count: width)
      }
    }
  }
}
