import CRawKernels
import MediaCore

/// Decodes the strips or tiles of an image.
struct ChunkDecoder: Sendable {
  /// The samples of a chunk, including its padding.
  enum Samples: Sendable {
    case integers([UInt16])
    case floats([Float])
    /// Integers that have already been stored at their positions.
    case placed
  }

  let image: DNGFile.Image
  let bytes: [UInt8]
  let isLittleEndian: Bool

  /// Rows in a chunk; the last strip may have fewer.
  func rows(_ index: Int) -> Int {
    let layout = image.layout
    let row = index % layout.countPerPlane / layout.columns
    return layout.isTiled ? layout.height : min(layout.height, image.height - row * layout.height)
  }

  /// Decodes a chunk.
  ///
  /// - Parameter target: The samples of the whole image; a chunk may be decoded directly into it. Its contents
  ///   are undefined after an error.
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, ``DNGError/Code/unsupported`` for an unsupported
  ///   form.
  func decode(
    _ index: Int, into target: UnsafeMutableBufferPointer<UInt16>? = nil
  ) throws(DNGError) -> Samples {
    let layout = image.layout
    let offset = layout.offsets[index]
    let data = bytes[offset..<offset + layout.byteCounts[index]]
    let rows = rows(index)
    let count = samplesPerRow * rows
    switch image.compression {
    case .some(.none):
      guard image.predictor == 1 else { throw unsupportedPredictor }
      guard data.count >= bytesPerRow * rows else {
        throw .damaged("a tile or strip is shorter than its pixels")
      }
      return try samples(Array(data.prefix(bytesPerRow * rows)), rows: rows)
    case .deflate, .adobeDeflate:
      return try samples(
        Deflate.inflate(data, count: bytesPerRow * rows, name: "tile \(index)"), rows: rows)
    case .jpeg where holdsCodes && LosslessJPEGDecoder.isOtherProcess(data):
      return try dctJPEG(data, index, count: count)
    case .jpeg where holdsCodes:
      let decoded = try LosslessJPEGDecoder.decode(
        data, sampleLimit: count, into: target.flatMap { place(of: index, in: $0) })
      if decoded.isPlaced { return .placed }
      guard decoded.samples.count == count else {
        throw .damaged("tile \(index) has a different size than the file says")
      }
      return .integers(decoded.samples)
    case .lossyJPEG where image.bitDepth == 8 && (components == 1 || components == 3):
      let pixels = try JPEGCodec.decode(
        data, width: layout.width, height: rows, components: components)
      return .integers(integers(pixels, depth: 8, rows: rows))
    case .lossyJPEG where holdsCodes:
      return try dctJPEG(data, index, count: count)
    case .jpegXL where components <= 4:
      return try jpegXL(data, rows: rows)
    default:
      throw DNGError(
        .unsupported,
        "pixels of compression \(image.compressionCode), \(image.components) samples of "
          + "\(image.bitDepth) bits, are not read")
    }
  }

  // MARK: Parts

  /// A chunk's place in the image; nil if part of it is outside the image, or its samples are not adjacent
  /// there.
  private func place(
    of index: Int, in target: UnsafeMutableBufferPointer<UInt16>
  ) -> LosslessJPEGDecoder.Place? {
    let (layout, rows) = (image.layout, rows(index))
    let (x, y) = (index % layout.columns * layout.width, index / layout.columns * layout.height)
    guard !image.isPlanar || image.components == 1, let start = target.baseAddress,
      x + layout.width <= image.width, y + rows <= image.height
    else { return nil }
    return LosslessJPEGDecoder.Place(
      start: start + (y * image.width + x) * components, rowLength: samplesPerRow, rows: rows,
      stride: image.width * components)
  }

  /// True for integer samples that are not a preview's.
  private var holdsCodes: Bool { image.role != .preview && !image.isFloat }

  /// Samples per pixel in a chunk.
  private var components: Int { image.isPlanar ? 1 : image.components }
  private var samplesPerRow: Int { image.layout.width * components }
  private var bytesPerRow: Int { (samplesPerRow * image.bitDepth + 7) / 8 }

  private var unsupportedPredictor: DNGError {
    DNGError(
      .unsupported,
      "predictor \(image.predictor) with compression \(image.compressionCode) and "
        + "\(image.bitDepth)-bit samples is not read")
  }

  /// The distance in pixels to the sample each one is predicted from, and whether the bytes of floats are
  /// predicted; nil without prediction.
  private func prediction() throws(DNGError) -> (step: Int, isFloat: Bool)? {
    switch image.predictor {
    case 1: nil
    case 2: (1, false)
    case 3: (1, true)
    case 34_892: (2, false)
    case 34_893: (4, false)
    case 34_894: (2, true)
    case 34_895: (4, true)
    default: throw unsupportedPredictor
    }
  }

  private func samples(_ data: [UInt8], rows: Int) throws(DNGError) -> Samples {
    let prediction = try prediction()
    // Adobe's SDK and other programs handle left-over pixels differently.
    guard image.layout.width % (prediction?.step ?? 1) == 0 else { throw unsupportedPredictor }
    guard image.isFloat else {
      var values = integers(data, depth: image.bitDepth, rows: rows)
      if let prediction {
        guard !prediction.isFloat, image.bitDepth == 8 || image.bitDepth == 16 else {
          throw unsupportedPredictor
        }
        let perRow = samplesPerRow
        values.withUnsafeMutableBufferPointer {
          raw_undo_differences(
            $0.baseAddress, perRow, rows, prediction.step * components,
            image.bitDepth == 8 ? 0xFF : 0xFFFF)
        }
      }
      return .integers(values)
    }
    var data = data
    let size = image.bitDepth / 8
    if let prediction {
      guard prediction.isFloat else { throw unsupportedPredictor }
      let perRow = samplesPerRow
      var scratch = [UInt8](repeating: 0, count: bytesPerRow)
      data.withUnsafeMutableBufferPointer { data in
        scratch.withUnsafeMutableBufferPointer { scratch in
          raw_undo_float_differences(
            data.baseAddress, perRow, rows, size, prediction.step * components,
            scratch.baseAddress)
        }
      }
    }
    let isBigEndian = prediction != nil || !isLittleEndian
    let count = samplesPerRow * rows
    return .floats(
      [Float](unsafeUninitializedCapacity: count) { target, used in
        raw_floats(data, size, count, isBigEndian ? 1 : 0, target.baseAddress)
        used = count
      })
  }

  /// Unpacks integers of the given depth; `data` must have all the bytes they need.
  private func integers(
    _ data: [UInt8], depth: Int, rows: Int, isLittleEndian: Bool? = nil
  ) -> [UInt16] {
    let count = samplesPerRow * rows
    let isLittle = isLittleEndian ?? self.isLittleEndian
    return [UInt16](unsafeUninitializedCapacity: count) { target, used in
      raw_unpack(
        data, (samplesPerRow * depth + 7) / 8, samplesPerRow, rows, UInt32(depth),
        isLittle ? 0 : 1, target.baseAddress)
      used = count
    }
  }

  /// Some cameras' Cinema DNG files have such 12-bit JPEGs instead of lossless ones, and their frames may also have
  /// another shape than the tile: only the number of samples has to match.
  private func dctJPEG(
    _ data: ArraySlice<UInt8>, _ index: Int, count: Int
  ) throws(DNGError) -> Samples {
    let decoded = try DCTJPEGDecoder.decode(data, sampleLimit: count)
    guard decoded.samples.count == count else {
      throw .damaged("tile \(index) has a different size than the file says")
    }
    guard decoded.precision <= image.bitDepth else {
      throw .damaged(
        "tile \(index) has samples of \(decoded.precision) bits, the image of \(image.bitDepth)"
      )
    }
    // In a mosaic the JPEG's components are neighboring photosites, and a YCbCr image is to stay YCbCr: neither
    // is converted.
    let isColor = components == 3 && image.photometric != 6
    return .integers(
      isColor && decoded.isYCbCr ? decoded.convertedToRGB() : decoded.samples)
  }

  private func jpegXL(_ data: ArraySlice<UInt8>, rows: Int) throws(DNGError) -> Samples {
    let size = image.isFloat ? 4 : image.bitDepth <= 8 ? 1 : 2
    let pixels = try JPEGXLCodec.decode(
      data, width: image.layout.width, height: rows, components: components, sampleBytes: size)
    guard image.isFloat else {
      return .integers(integers(pixels, depth: 8 * size, rows: rows, isLittleEndian: true))
    }
    let count = samplesPerRow * rows
    return .floats(
      [Float](unsafeUninitializedCapacity: count) { target, used in
        raw_floats(pixels, 4, count, 0, target.baseAddress)
        used = count
      })
  }
}
