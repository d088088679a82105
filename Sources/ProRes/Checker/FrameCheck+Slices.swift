/// What the check of one picture needs to know about it.
struct PictureCheck {
  let index: Int
  let width: Int
  let height: Int
  let chroma: FrameHeader.ChromaFormat
  let alpha: FrameHeader.AlphaChannelType
}

/// The size of a slice.
struct SlicePlace {
  let macroblocks: Int
  /// Samples of alpha: those of rows below the picture are not coded (RDD 36, 7.5.3).
  let alphaSamples: Int

  init(_ layout: PictureLayout, _ slice: Int, pictureHeight: Int) {
    let row = slice / layout.rowSlices.count
    macroblocks = layout.rowSlices[slice % layout.rowSlices.count].width
    alphaSamples = macroblocks * 16 * min(16, pictureHeight - row * 16)
  }
}

extension FrameCheck {
  /// Checks a picture (RDD 36, 5.2 and 6.2) and returns its size; nil where the rest cannot be
  /// found.
  mutating func check(_ picture: PictureCheck, _ frame: RawSpan, at start: Int) -> Int? {
    let index = picture.index
    guard start + 8 <= frame.byteCount else {
      report(.pictureHeader, "the frame ends before the picture's header", picture: index)
      return nil
    }
    let headerSize = Int(frame.u8(start) >> 3)
    let size = Int(frame.u32(start + 1))
    let log2Width = Int(frame.u8(start + 7) >> 4)
    guard headerSize >= 8, size >= headerSize, start + size <= frame.byteCount else {
      report(
        .pictureHeader,
        "header of \(headerSize) bytes, picture of \(size), \(frame.byteCount - start) in the frame",
        picture: index)
      return nil
    }
    guard log2Width <= 3 else {
      report(.reservedBits, "bits above the slice width are set", picture: index)
      return size
    }
    if frame.u8(start) & 7 != 0 || frame.u8(start + 7) & 15 != 0 || headerSize != 8 {
      report(.reservedBits, "a reserved bit of the picture header is set", picture: index)
    }
    let layout = PictureLayout(
      width: picture.width, height: picture.height, log2SliceWidth: log2Width)
    let declared = frame.u16(start + 5)
    if declared != 0, declared != layout.slices {
      report(
        .sliceCount, "\(declared) slices, the layout has \(layout.slices)", picture: index)
      return size
    }
    checkSlices(picture, layout, frame, table: start + headerSize, end: start + size)
    return size
  }

  private mutating func checkSlices(
    _ picture: PictureCheck, _ layout: PictureLayout, _ frame: RawSpan, table: Int, end: Int
  ) {
    var offset = table + layout.slices * 2
    guard offset <= end else {
      report(.sliceTable, "the slice table does not fit the picture", picture: picture.index)
      return
    }
    for slice in 0..<layout.slices {
      let size = frame.u16(table + slice * 2)
      guard offset + size <= end else {
        report(
          .sliceTable, "\(size) bytes, \(end - offset) left in the picture",
          picture: picture.index, slice: slice)
        return
      }
      let place = SlicePlace(layout, slice, pictureHeight: picture.height)
      if decodesSlices, !judge.has(offset) {
        let next = slice + 1 < layout.slices ? frame.u16(table + slice * 2 + 2) : 0
        let following = SlicePlace(
          layout, min(slice + 1, layout.slices - 1), pictureHeight: picture.height)
        judge.judge(
          [
            SliceJudge.Slice(range: offset..<offset + size, macroblocks: place.macroblocks),
            SliceJudge.Slice(
              range: offset + size..<min(offset + size + next, end),
              macroblocks: following.macroblocks),
          ], picture, frame)
      }
      checkSlice(picture, slice, frame, offset..<offset + size, place)
      if isFull { return }
      offset += size
    }
    if offset != end {
      report(
        .sliceTable, "\(end - offset) bytes of the picture belong to no slice",
        picture: picture.index)
    }
  }

  private mutating func checkSlice(
    _ picture: PictureCheck, _ slice: Int, _ frame: RawSpan, _ range: Range<Int>,
    _ place: SlicePlace
  ) {
    let needed = picture.alpha == .none ? 6 : 8
    let headerSize = range.count >= 1 ? Int(frame.u8(range.lowerBound) >> 3) : 0
    guard headerSize >= needed, range.count >= headerSize else {
      report(
        .sliceHeader, "header of \(headerSize) bytes in a slice of \(range.count)",
        picture: picture.index, slice: slice)
      return
    }
    if headerSize > needed { hasLongHeaders = true }
    let start = range.lowerBound
    let quantizer = Int(frame.u8(start + 1))
    noteSlice(quantizationIndex: quantizer)
    if frame.u8(start) & 7 != 0 {
      report(
        .reservedBits, "a reserved bit of the slice header is set", picture: picture.index,
        slice: slice)
    }
    if !QuantizationIndex.range.contains(quantizer) {
      report(
        .quantizationIndex, "quantization_index \(quantizer) is outside 1...224",
        picture: picture.index, slice: slice)
    }
    let luma = frame.u16(start + 2)
    let cb = frame.u16(start + 4)
    let rest = range.count - headerSize - luma - cb
    let cr = picture.alpha == .none ? rest : frame.u16(start + 6)
    guard rest >= 0, cr <= rest else {
      report(
        .sliceHeader, "components of \(luma), \(cb) and \(cr) bytes in a slice of \(range.count)",
        picture: picture.index, slice: slice)
      return
    }
    guard decodesSlices else { return }
    decode(picture, slice, frame, start + headerSize, [luma, cb, cr, rest - cr], place, in: range)
  }

  private mutating func decode(
    _ picture: PictureCheck, _ slice: Int, _ frame: RawSpan, _ start: Int, _ sizes: [Int],
    _ place: SlicePlace, in range: Range<Int>
  ) {
    let paddings = judge.paddings(range.lowerBound)
    var offset = start
    for (component, size) in sizes.enumerated() {
      let bytes = offset..<offset + size
      offset += size
      if component == 3, picture.alpha == .none { continue }
      do {
        let padding =
          if component < 3, let paddings, paddings[component] >= 0 { paddings[component] } else {
            try decode(component, picture, slice, frame, bytes, place)
          }
        if padding > 7 {
          report(
            .componentPadding, "component \(component) ends with \(padding) zero bits",
            severity: .warning, picture: picture.index, slice: slice)
        }
      } catch {
        report(
          .entropyCode, "component \(component): \(error.rawValue)", picture: picture.index,
          slice: slice)
      }
    }
  }

  /// Reads a component in plain Swift, which knows why it is not valid.
  private mutating func decode(
    _ component: Int, _ picture: PictureCheck, _ slice: Int, _ frame: RawSpan,
    _ range: Range<Int>, _ place: SlicePlace
  ) throws(ComponentDecoder.Failure) -> Int {
    if component == 3 {
      let end = try decodeAlpha(picture, frame, range, place)
      // Once a picture: a whole row of slices is alike.
      if end.hasRowsBelowPicture,
        !findings.contains(where: { $0.code == .alphaRows && $0.picture == picture.index })
      {
        report(
          .alphaRows, "alpha is coded for rows below the picture too", severity: .warning,
          picture: picture.index, slice: slice)
      }
      return end.padding
    }
    reader.open(frame, range)
    let blocks = place.macroblocks * (component == 0 || picture.chroma == .yuv444 ? 4 : 2)
    return try ComponentDecoder.decode(&reader, blocks: blocks)
  }

  private mutating func decodeAlpha(
    _ picture: PictureCheck, _ frame: RawSpan, _ range: Range<Int>, _ place: SlicePlace
  ) throws(ComponentDecoder.Failure) -> ComponentDecoder.AlphaEnd {
    let (count, most) = (place.alphaSamples, place.macroblocks * 256)
    if let end = judge.alpha(frame, range, type: picture.alpha, count: count, most: most) {
      return end
    }
    reader.open(frame, range)
    return try ComponentDecoder.decodeAlpha(&reader, type: picture.alpha, count: count, most: most)
  }
}
