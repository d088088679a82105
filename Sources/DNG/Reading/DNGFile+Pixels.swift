import CRawKernels
import MediaCore
import Synchronization
import TIFF

extension DNGFile {
  /// The most samples in an image that is decoded.
  static let sampleLimit = 1 << 29

  /// Decodes an image's samples as stored, before the linearization table.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, ``DNGError/Code/unsupported`` for an unsupported
  ///   form.
  public func decodeSamples(of image: Image) throws(DNGError) -> DNGSamples {
    try image.checkForm()
    guard codedSampleCount(of: image) <= greatestSampleCount(of: image) else {
      throw .damaged("an image claims more pixels than its data can hold")
    }
    let decoder = ChunkDecoder(image: image, bytes: bytes, isLittleEndian: isLittleEndian)
    if image.isFloat {
      let samples = try decode(image) { index, _ throws(DNGError) -> [Float]? in
        guard case .floats(let chunk) = try decoder.decode(index) else { throw Self.otherSamples }
        return chunk
      }
      return .floats(
        FloatImage(
          width: image.width, height: image.height, components: image.components,
          samples: image.deinterleaved(samples)))
    }
    let samples = try decode(image) { index, target throws(DNGError) -> [UInt16]? in
      switch try decoder.decode(index, into: target) {
      case .integers(let chunk): return chunk
      case .placed: return nil
      case .floats: throw Self.otherSamples
      }
    }
    return .integers(
      try RawImage(
        width: image.width, height: image.height, components: image.components,
        bitDepth: image.storedBitDepth, samples: image.deinterleaved(samples)))
  }

  /// Decodes an image from its tiles or strips. The thread that decodes a chunk also stores it in the image, so
  /// that no more chunks are in memory than there are threads.
  ///
  /// - Parameter chunk: Returns the samples of a tile or strip, or stores them in the image and returns nil.
  private func decode<Sample: BitwiseCopyable & Sendable>(
    _ image: Image,
    _ chunk: @Sendable (Int, UnsafeMutableBufferPointer<Sample>) throws(DNGError) -> [Sample]?
  ) throws(DNGError) -> [Sample] {
    let total = image.width * image.height * image.components
    var failure: DNGError?
    let samples = [Sample](unsafeUninitializedCapacity: total) { target, count in
      // Safe: chunks do not overlap, so each thread writes only its own samples, and `map` waits for all threads.
      nonisolated(unsafe) let target = target
      ImageMemory.preferLargePages(UnsafeMutableRawBufferPointer(target))
      // Chunks after a damaged one are skipped and all before it are decoded, so that the error is always the same.
      let damaged = Atomic(Int.max)
      let errors = ConcurrentMap.map(image.layout.count) { index -> DNGError? in
        guard index < damaged.load(ordering: .relaxed) else { return nil }
        do throws(DNGError) {
          if let samples = try chunk(index, target) {
            image.place(samples, index, into: target)
          }
          return nil
        } catch {
          damaged.min(index, ordering: .relaxed)
          return error
        }
      }
      failure = errors.lazy.compactMap(\.self).first
      count = failure == nil ? total : 0
    }
    if let failure { throw failure }
    return samples
  }

  private static let otherSamples = DNGError.damaged("a tile or strip has samples of another kind")

  /// Decodes an image's integer samples as stored, before the linearization table.
  ///
  /// - Throws: What ``decodeSamples(of:)`` throws, and ``DNGError/Code/unsupported`` for
  ///   floating-point samples.
  public func decodePixels(of source: Image) throws(DNGError) -> RawImage {
    guard !source.isFloat, case .integers(let image) = try decodeSamples(of: source) else {
      throw DNGError(.unsupported, "samples are floating-point; decode them as samples")
    }
    return image
  }

  /// True if the first tile or strip is a JPEG other than a lossless one.
  func holdsOtherJPEG(_ image: Image) -> Bool {
    guard let offset = image.layout.offsets.first, let count = image.layout.byteCounts.first,
      offset >= 0, count >= 0, offset <= bytes.count - count
    else { return false }
    return LosslessJPEGDecoder.isOtherProcess(bytes[offset..<offset + count])
  }

  /// The number of samples in all tiles or strips, including parts beyond the image's edges.
  private func codedSampleCount(of image: Image) -> Int {
    let layout = image.layout
    let rows =
      layout.isTiled ? layout.countPerPlane / layout.columns * layout.height : image.height
    return layout.columns * layout.width * rows * image.components
  }

  /// The most samples that an image's bytes can stand for: an image that claims more is damaged, and no memory is
  /// allocated for it.
  private func greatestSampleCount(of image: Image) -> Int {
    // The offsets of several tiles may point to the same data.
    let count = min(image.byteCount, bytes.count)
    let greatest =
      switch image.compression {
      case .some(.none): count * 8 / image.bitDepth
      // Deflate expands data at most 1032 times.
      case .deflate, .adobeDeflate: count * 1032 * 8 / image.bitDepth
      case .lossyJPEG: count * JPEGCodec.samplesPerByte
      case .jpeg where holdsOtherJPEG(image): count * DCTJPEGDecoder.samplesPerByte
      // A flat JPEG XL image takes hardly any bytes, but its size is limited all the same.
      case .jpegXL: count * 4096 + 1 << 22
      // A code word has at least one bit.
      default: count * 8
      }
    return min(greatest, Self.sampleLimit)
  }

  /// Checks the pixels against the digest in the file, or their compressed data if the codec is lossy. Returns nil
  /// if there is no digest, for floats, and for lossy JPEG under the number of the lossless one, because DNG does
  /// not say what its digest covers. The older RawImageDigest is used if there is no NewRawImageDigest, but not
  /// with a lossy codec.
  ///
  /// - Throws: What decoding throws.
  public func verifyDigest() throws(DNGError) -> Bool? { try verifyDigest(of: nil) }

  /// The same, using raw samples decoded earlier; if nil, they are decoded when needed.
  ///
  /// - Throws: What decoding throws.
  package func verifyDigest(of samples: DNGSamples?) throws(DNGError) -> Bool? {
    let newer = digest(.newRawImageDigest)
    guard let expected = newer ?? digest(.rawImageDigest) else { return nil }
    let raw = try rawImage()
    if raw.compression == .lossyJPEG || raw.compression == .jpegXL {
      guard newer != nil else { return nil }
      let layout = raw.layout
      return RawTiles.digest(
        compressed: (0..<layout.count).map { index in
          Array(bytes[layout.offsets[index]..<layout.offsets[index] + layout.byteCounts[index]])
        }) == expected
    }
    guard !raw.isFloat, !(raw.compression == .jpeg && holdsOtherJPEG(raw)) else { return nil }
    let pixels: RawImage
    if case .integers(let decoded) = samples {
      pixels = decoded
    } else {
      pixels = try decodePixels(of: raw)
    }
    guard newer != nil else {
      // A program of 2008 wrote the first four bytes wrong; Adobe's SDK does not check them either.
      return RawTiles.digest(inRows: pixels).suffix(12) == expected.suffix(12)
    }
    let tableCount = raw.directory[.linearizationTable]?.count
    let asBytes = raw.bitDepth == 8 || (tableCount.map { $0 <= 256 } ?? false)
    return RawTiles.digest(pixels, asBytes: asBytes) == expected
  }

  /// A digest in the file; nil for zeros, which mean that there is none.
  private func digest(_ tag: TIFFTag) -> [UInt8]? {
    guard case .bytes(let digest) = root[tag], digest.contains(where: { $0 != 0 }) else {
      return nil
    }
    return digest
  }
}

extension DNGFile.Image {
  /// Bits of a decoded sample.
  var storedBitDepth: Int { compression == .jpegXL && bitDepth > 8 ? 16 : bitDepth }

  /// Throws if no decoder here supports the image's form.
  func checkForm() throws(DNGError) {
    func refuse(_ what: String) -> DNGError { DNGError(.unsupported, "\(what) are not read") }
    guard components <= 4 else { throw refuse("pixels of \(components) samples") }
    guard isFloat ? [16, 24, 32].contains(bitDepth) : bitDepth <= 16 else {
      throw refuse("\(isFloat ? "floating-point" : "integer") samples of \(bitDepth) bits")
    }
    if let block = directory.numbers(.subTileBlockSize), block != [1, 1] {
      throw refuse("tiles whose blocks are reordered (SubTileBlockSize)")
    }
    guard (1...16).contains(columnInterleave), (1...16).contains(rowInterleave) else {
      throw DNGError.damaged("an impossible interleave factor")
    }
  }

  /// Stores a chunk's samples at their positions in the image.
  func place<Sample: BitwiseCopyable>(
    _ chunk: [Sample], _ index: Int, into samples: UnsafeMutableBufferPointer<Sample>
  ) {
    let place = index % layout.countPerPlane
    let x = place % layout.columns * layout.width
    let y = place / layout.columns * layout.height
    let columns = min(layout.width, width - x)
    for row in 0..<min(layout.height, height - y) {
      let target = ((y + row) * width + x) * components
      if isPlanar, components > 1 {
        let plane = index / layout.countPerPlane
        for column in 0..<columns {
          samples[target + column * components + plane] = chunk[row * layout.width + column]
        }
      } else {
        let source = row * layout.width * components
        let count = columns * components
        _ = UnsafeMutableBufferPointer(rebasing: samples[target..<target + count])
          .update(fromContentsOf: chunk[source..<source + count])
      }
    }
  }

  /// The samples in image order, if rows or columns are stored interleaved.
  func deinterleaved<Sample: BitwiseCopyable>(_ samples: [Sample]) -> [Sample] {
    guard columnInterleave > 1 || rowInterleave > 1 else { return samples }
    let count = samples.count
    return [Sample](unsafeUninitializedCapacity: count) { target, used in
      samples.withUnsafeBytes { source in
        raw_deinterleave(
          source.bindMemory(to: UInt8.self).baseAddress, width, height,
          components * MemoryLayout<Sample>.stride, columnInterleave, rowInterleave,
          UnsafeMutableRawBufferPointer(target).bindMemory(to: UInt8.self).baseAddress)
      }
      used = count
    }
  }
}

extension DNGFile {
  /// The largest preview that is a single JPEG file, as stored; nil if there is none.
  public var largestJPEGPreview: [UInt8]? {
    largestPreview.map { Array(data(of: $0)) }
  }

  /// Decodes the largest single-JPEG preview to red, green and blue bytes; with DNG's number of its color space
  /// (PreviewColorSpace: 2 for sRGB, 3 for Adobe RGB, 4 for ProPhoto RGB) if stated. Nil if there is none.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, or an image whose size is not the stated one.
  package func decodeLargestPreview() throws(DNGError) -> (
    width: Int, height: Int, pixels: [UInt8], colorSpace: Int?
  )? {
    guard let best = largestPreview else { return nil }
    let pixels = try JPEGCodec.decode(data(of: best), width: best.width, height: best.height)
    return (best.width, best.height, pixels, best.directory.integer(.previewColorSpace))
  }

  private var largestPreview: Image? {
    images
      .filter { $0.role == .preview && $0.compression == .jpeg && $0.layout.count == 1 }
      .max { $0.width * $0.height < $1.width * $1.height }
  }

  private func data(of preview: Image) -> ArraySlice<UInt8> {
    let start = preview.layout.offsets[0]
    return bytes[start..<start + preview.layout.byteCounts[0]]
  }
}
