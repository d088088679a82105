import MediaCore

/// Where the slices of a frame are: its headers and tables, checked against its bytes.
///
/// It is made before any memory is taken for a picture: a few bytes cannot ask for a large one.
struct FrameMap {
  /// One picture of the frame, and which of its rows are the picture's.
  struct Picture {
    let layout: PictureLayout
    let height: Int
    let firstRow: Int
    let rowStep: Int
    /// Where each slice begins, and where the last one ends.
    let offsets: [Int]
  }

  let header: FrameHeader
  let chroma: FrameHeader.ChromaFormat
  let mode: FrameHeader.InterlaceMode
  let alpha: FrameHeader.AlphaChannelType
  private(set) var pictures: [Picture] = []

  /// - Throws: ``ProResError/Code/invalidFrame``.
  init(_ frame: RawSpan) throws(ProResError) {
    header = try FrameHeader(parsing: frame)
    guard Int(header.frameSize) <= frame.byteCount else {
      throw ProResError(
        .invalidFrame, "frame_size is \(header.frameSize), the frame has \(frame.byteCount) bytes")
    }
    guard let chroma = header.chromaFormat, let mode = header.interlaceMode,
      let alpha = header.alpha, header.bitstreamVersion <= 1
    else {
      throw ProResError(
        .invalidFrame,
        "the header has reserved codes: version \(header.bitstreamVersion), chroma_format "
          + "\(header.chromaFormatCode), interlace_mode \(header.interlaceModeCode), "
          + "alpha_channel_type \(header.alphaCode)")
    }
    self.chroma = chroma
    self.mode = mode
    self.alpha = alpha
    let heights = PictureLayout.pictureHeights(frameHeight: header.height, mode: mode)
    guard header.width > 0, heights.allSatisfy({ $0 > 0 }) else {
      throw ProResError(.invalidFrame, "the frame is \(header.width)x\(header.height)")
    }
    var offset = header.declaredHeaderSize + 8
    for (index, height) in heights.enumerated() {
      let isBottom = (mode == .topFieldFirst) == (index == 1)
      let (picture, size) = try Self.picture(
        frame, at: offset, index, width: header.width, height: height,
        firstRow: mode != .progressive && isBottom ? 1 : 0,
        rowStep: mode == .progressive ? 1 : 2)
      pictures.append(picture)
      offset += size
    }
  }

  private static func picture(
    _ frame: RawSpan, at start: Int, _ index: Int, width: Int, height: Int, firstRow: Int,
    rowStep: Int
  ) throws(ProResError) -> (Picture, size: Int) {
    guard start + 8 <= frame.byteCount else {
      throw ProResError(.invalidFrame, "picture \(index): the frame ends before its header")
    }
    let headerSize = Int(frame.u8(start) >> 3)
    let size = Int(frame.u32(start + 1))
    let log2Width = Int(frame.u8(start + 7) >> 4)
    guard headerSize >= 8, size >= headerSize, start + size <= frame.byteCount, log2Width <= 3
    else {
      throw ProResError(
        .invalidFrame,
        "picture \(index): header of \(headerSize) bytes, picture of \(size), "
          + "\(frame.byteCount - start) in the frame")
    }
    let layout = PictureLayout(width: width, height: height, log2SliceWidth: log2Width)
    let declared = frame.u16(start + 5)
    guard declared == 0 || declared == layout.slices else {
      throw ProResError(
        .invalidFrame, "picture \(index): \(declared) slices, the layout has \(layout.slices)")
    }
    let table = start + headerSize
    let end = start + size
    var offset = table + layout.slices * 2
    guard offset <= end else {
      throw ProResError(
        .invalidFrame, "picture \(index): the slice table does not fit the picture")
    }
    var offsets = [offset]
    offsets.reserveCapacity(layout.slices + 1)
    for slice in 0..<layout.slices {
      let bytes = frame.u16(table + slice * 2)
      guard bytes >= 6, offset + bytes <= end else {
        throw ProResError(
          .invalidFrame,
          "picture \(index): slice \(slice): \(bytes) bytes, \(end - offset) left in the picture")
      }
      offset += bytes
      offsets.append(offset)
    }
    let picture = Picture(
      layout: layout, height: height, firstRow: firstRow, rowStep: rowStep, offsets: offsets)
    return (picture, size)
  }
}
