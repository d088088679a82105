import MediaCore

/// A plain decoder: the independent judge of what the encoder writes.
///
/// The inverse transform runs in floating point on RDD 36's formulas, so pictures are those of an
/// ideal decoder within rounding.
struct ReferenceDecoder {
  /// A decoded frame: planes of 10-bit values with their fractions, alpha as coded.
  struct Picture {
    let width: Int
    let height: Int
    let chromaWidth: Int
    /// Luma, Cb, Cr.
    var planes: [[Float]]
    var alpha: [UInt16]
  }

  /// Decodes one frame.
  ///
  /// - Throws: ``ProResError/Code/invalidFrame`` where the checker finds an error in it.
  static func decode(_ frame: [UInt8]) throws(ProResError) -> Picture {
    let report = FrameChecker().check(frame)
    guard report.isValid, let header = report.header, let mode = header.interlaceMode,
      let chroma = header.chromaFormat, let alpha = header.alpha
    else {
      throw ProResError(
        .invalidFrame, report.findings.first.map(\.description) ?? "the frame has no header")
    }
    let chromaWidth = chroma == .yuv444 ? header.width : (header.width + 1) / 2
    var picture = Picture(
      width: header.width, height: header.height, chromaWidth: chromaWidth,
      planes: [header.width, chromaWidth, chromaWidth].map {
        [Float](repeating: 0, count: $0 * header.height)
      }, alpha: alpha == .none ? [] : [UInt16](repeating: 0, count: header.width * header.height))
    var offset = header.declaredHeaderSize + 8
    let heights = PictureLayout.pictureHeights(frameHeight: header.height, mode: mode)
    for (index, height) in heights.enumerated() {
      let isBottom = (mode == .topFieldFirst) == (index == 1)
      let field = Field(
        header: header, chroma: chroma, alpha: alpha,
        firstRow: mode != .progressive && isBottom ? 1 : 0,
        rowStep: mode == .progressive ? 1 : 2, height: height,
        scan: ScanOrder.positions(interlaced: mode != .progressive))
      offset += try field.decode(frame.span.bytes, at: offset, into: &picture)
    }
    return picture
  }

  /// One picture of the frame and where its rows lie.
  private struct Field {
    let header: FrameHeader
    let chroma: FrameHeader.ChromaFormat
    let alpha: FrameHeader.AlphaChannelType
    let firstRow: Int
    let rowStep: Int
    let height: Int
    let scan: [UInt8]

    func decode(
      _ frame: RawSpan, at start: Int, into picture: inout Picture
    ) throws(ProResError) -> Int {
      let layout = PictureLayout(
        width: header.width, height: height, log2SliceWidth: Int(frame.u8(start + 7) >> 4))
      let table = start + Int(frame.u8(start) >> 3)
      var offset = table + layout.slices * 2
      for index in 0..<layout.slices {
        let place = layout.rowSlices[index % layout.rowSlices.count]
        let slice = SlicePlace(layout, index, pictureHeight: height)
        let size = frame.u16(table + index * 2)
        do {
          try decodeSlice(
            frame, offset..<offset + size, column: place.start,
            row: index / layout.rowSlices.count, slice, into: &picture)
        } catch {
          throw ProResError(.invalidFrame, "slice \(index): \(error.rawValue)")
        }
        offset += size
      }
      return Int(frame.u32(start + 1))
    }

    private func decodeSlice(
      _ frame: RawSpan, _ range: Range<Int>, column: Int, row: Int, _ slice: SlicePlace,
      into picture: inout Picture
    ) throws(ComponentDecoder.Failure) {
      let macroblocks = slice.macroblocks
      let start = range.lowerBound
      let scale = Float(QuantizationIndex.scale(Int(frame.u8(start + 1))))
      var offset = start + Int(frame.u8(start) >> 3)
      var reader = BitReader()
      let luma = frame.u16(start + 2), cb = frame.u16(start + 4)
      let cr = alpha == .none ? range.upperBound - offset - luma - cb : frame.u16(start + 6)
      for (component, size) in [luma, cb, cr].enumerated() {
        let isFull = component == 0 || chroma == .yuv444
        let blocks = macroblocks * (isFull ? 4 : 2)
        var levels = [Int32](repeating: 0, count: blocks * 64)
        reader.open(frame, offset..<offset + size)
        _ = try ComponentDecoder.decode(&reader, blocks: blocks, scan: scan, into: &levels)
        offset += size
        let matrix = component == 0 ? header.effectiveLumaMatrix : header.effectiveChromaMatrix
        for block in 0..<blocks {
          let samples = inverse(levels[block * 64..<block * 64 + 64], matrix, scale)
          let (x, y) = position(of: block, component: component, isFull: isFull)
          put(
            samples, component, x: column * (isFull ? 16 : 8) + x, y: row * 16 + y, &picture)
        }
      }
      guard alpha != .none else { return }
      var values = [UInt16](repeating: 0, count: macroblocks * 256)
      reader.open(frame, offset..<range.upperBound)
      _ = try ComponentDecoder.decodeAlpha(
        &reader, type: alpha, count: slice.alphaSamples, most: values.count, into: &values)
      for (index, value) in values.enumerated() {
        let x = column * 16 + index % (macroblocks * 16)
        let y = row * 16 + index / (macroblocks * 16)
        guard x < header.width, y < height else { continue }
        picture.alpha[(firstRow + y * rowStep) * header.width + x] = value
      }
    }

    /// The place of a block in its slice: luma goes across first, 4:4:4 chroma down first.
    private func position(of block: Int, component: Int, isFull: Bool) -> (x: Int, y: Int) {
      if !isFull { return (block / 2 * 8, block % 2 * 8) }
      let inside = block % 4
      return component == 0
        ? (block / 4 * 16 + inside % 2 * 8, inside / 2 * 8)
        : (block / 4 * 16 + inside / 2 * 8, inside % 2 * 8)
    }

    private func put(
      _ samples: [Float], _ component: Int, x: Int, y: Int, _ picture: inout Picture
    ) {
      let width = component == 0 ? header.width : picture.chromaWidth
      for row in 0..<8 where y + row < height {
        for column in 0..<8 where x + column < width {
          let target = (firstRow + (y + row) * rowStep) * width + x + column
          picture.planes[component][target] = samples[row * 8 + column]
        }
      }
    }

    private static let basis: [Float] = {
      let cosines: [Double] = [
        1, 0.9807852804032304, 0.9238795325112867, 0.8314696123025452, 0.7071067811865476,
        0.5555702330196022, 0.3826834323650898, 0.19509032201612825, 0,
      ]
      return (0..<64).map { index in
        let frequency = index / 8
        let angle = (2 * (index % 8) + 1) * frequency % 32
        let folded = angle > 16 ? 32 - angle : angle
        let cosine = folded <= 8 ? cosines[folded] : -cosines[16 - folded]
        return Float(frequency == 0 ? cosines[4] / 2 : cosine / 2)
      }
    }()

    /// RDD 36, 7.3 and 7.4: weights and scale, then the inverse transform about the middle.
    private func inverse(
      _ levels: ArraySlice<Int32>, _ matrix: QuantizationMatrix, _ scale: Float
    ) -> [Float] {
      let basis = Self.basis
      let coefficients = zip(levels, matrix.weights).map { Float($0) * Float($1) * scale / 4 }
      var rows = [Float](repeating: 0, count: 64)
      for v in 0..<8 {
        for u in 0..<8 where coefficients[v * 8 + u] != 0 {
          for x in 0..<8 { rows[v * 8 + x] += coefficients[v * 8 + u] * basis[u * 8 + x] }
        }
      }
      var samples = [Float](repeating: 512, count: 64)
      for v in 0..<8 {
        for y in 0..<8 {
          for x in 0..<8 { samples[y * 8 + x] += rows[v * 8 + x] * basis[v * 8 + y] }
        }
      }
      return samples
    }
  }
}
