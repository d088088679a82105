import CRawKernels
import MediaCore
import Synchronization
import TIFF

extension DNGFile {
  /// The most samples of a picture that is decoded.
  static let sampleLimit = 1 << 29

  /// The samples of a picture as they are stored, before its linearization table.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damage, ``DNGError/Code/unsupported`` for a form
  ///   that is not read.
  public func decodeSamples(of picture: Picture) throws(DNGError) -> DNGSamples {
    try picture.checkForm()
    guard codedSampleCount(of: picture) <= greatestSampleCount(of: picture) else {
      throw .damaged("a picture claims more pixels than its data can hold")
    }
    let decoder = ChunkDecoder(picture: picture, bytes: bytes, isLittleEndian: isLittleEndian)
    if picture.isFloat {
      let samples = try decode(picture) { index, _ throws(DNGError) -> [Float]? in
        guard case .floats(let chunk) = try decoder.decode(index) else { throw Self.otherSamples }
        return chunk
      }
      return .floats(
        FloatImage(
          width: picture.width, height: picture.height, components: picture.components,
          samples: picture.deinterleaved(samples)))
    }
    let samples = try decode(picture) { index, target throws(DNGError) -> [UInt16]? in
      switch try decoder.decode(index, into: target) {
      case .integers(let chunk): return chunk
      case .placed: return nil
      case .floats: throw Self.otherSamples
      }
    }
    return .integers(
      try RawImage(
        width: picture.width, height: picture.height, components: picture.components,
        bitDepth: picture.storedBitDepth, samples: picture.deinterleaved(samples)))
  }

  /// Samples of a picture from those of its tiles or strips. Each one goes to its place on the thread that decoded it,
  /// so that no more of them are in memory than there are threads.
  ///
  /// - Parameter chunk: Makes the samples of a tile or strip, or puts them into the picture's itself and gives none.
  private func decode<Sample: BitwiseCopyable & Sendable>(
    _ picture: Picture,
    _ chunk: @Sendable (Int, UnsafeMutableBufferPointer<Sample>) throws(DNGError) -> [Sample]?
  ) throws(DNGError) -> [Sample] {
    let total = picture.width * picture.height * picture.components
    var failure: DNGError?
    let samples = [Sample](unsafeUninitializedCapacity: total) { target, count in
      // Chunks do not overlap: each thread writes its own samples.
      nonisolated(unsafe) let target = target
      PictureMemory.preferLargePages(UnsafeMutableRawBufferPointer(target))
      // Nothing behind a damaged chunk is decoded; all before it are, so that the error is always the same.
      let damaged = Atomic(Int.max)
      let errors = ConcurrentMap.map(picture.layout.count) { index -> DNGError? in
        guard index < damaged.load(ordering: .relaxed) else { return nil }
        do throws(DNGError) {
          if let samples = try chunk(index, target) {
            picture.place(samples, index, into: target)
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

  /// The integer samples of a picture as they are stored, before its linearization table.
  ///
  /// - Throws: What ``decodeSamples(of:)`` throws, and ``DNGError/Code/unsupported`` for
  ///   floating-point samples.
  public func decodePixels(of picture: Picture) throws(DNGError) -> RawImage {
    guard !picture.isFloat, case .integers(let image) = try decodeSamples(of: picture) else {
      throw DNGError(.unsupported, "samples are floating-point; decode them as samples")
    }
    return image
  }

  /// True where the first tile or strip is a JPEG, and no lossless one.
  func holdsOtherJPEG(_ picture: Picture) -> Bool {
    guard let offset = picture.layout.offsets.first, let count = picture.layout.byteCounts.first,
      offset >= 0, count >= 0, offset <= bytes.count - count
    else { return false }
    return LosslessJPEGDecoder.isOtherProcess(bytes[offset..<offset + count])
  }

  /// The samples of all tiles or strips, with what reaches over the picture's edge.
  private func codedSampleCount(of picture: Picture) -> Int {
    let layout = picture.layout
    let rows =
      layout.isTiled ? layout.countPerPlane / layout.columns * layout.height : picture.height
    return layout.columns * layout.width * rows * picture.components
  }

  /// The most samples that the bytes of a picture can stand for: what claims more is damaged, and
  /// no memory is taken for it.
  private func greatestSampleCount(of picture: Picture) -> Int {
    // Many tiles may be said to lie in the same place.
    let count = min(picture.byteCount, bytes.count)
    let greatest =
      switch picture.compression {
      case .some(.none): count * 8 / picture.bitDepth
      // Deflate makes at most 1032 bytes of one.
      case .deflate, .adobeDeflate: count * 1032 * 8 / picture.bitDepth
      case .lossyJPEG: count * JPEGCodec.samplesPerByte
      case .jpeg where holdsOtherJPEG(picture): count * DCTJPEGDecoder.samplesPerByte
      // A plain picture of JPEG XL has hardly any bytes: its size is bounded all the same.
      case .jpegXL: count * 4096 + 1 << 22
      // A code word has a bit at least.
      default: count * 8
      }
    return min(greatest, Self.sampleLimit)
  }

  /// True where the pixels agree with the digest that the file carries, or their compressed data do
  /// where the codec loses something; nil where it has none, of floats, or of lossy JPEG under the number of the
  /// lossless one, of which DNG does not say what its digest is of. The older RawImageDigest counts where there
  /// is no NewRawImageDigest, and not where the codec loses something.
  ///
  /// - Throws: What decoding throws.
  public func verifyDigest() throws(DNGError) -> Bool? { try verifyDigest(of: nil) }

  /// The same with samples of the raw picture that were decoded for something else; nil has them decoded
  /// where they are needed.
  ///
  /// - Throws: What decoding throws.
  package func verifyDigest(of samples: DNGSamples?) throws(DNGError) -> Bool? {
    let newer = digest(.newRawImageDigest)
    guard let expected = newer ?? digest(.rawImageDigest) else { return nil }
    let raw = try rawPicture()
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
      // A program of 2008 wrote the first four bytes wrong, which Adobe's SDK does not look at either.
      return RawTiles.digest(inRows: pixels).suffix(12) == expected.suffix(12)
    }
    let tableCount = raw.directory[.linearizationTable]?.count
    let asBytes = raw.bitDepth == 8 || (tableCount.map { $0 <= 256 } ?? false)
    return RawTiles.digest(pixels, asBytes: asBytes) == expected
  }

  /// A digest of the file; nil for zeros, which stand for none.
  private func digest(_ tag: TIFFTag) -> [UInt8]? {
    guard case .bytes(let digest) = root[tag], digest.contains(where: { $0 != 0 }) else {
      return nil
    }
    return digest
  }
}

extension DNGFile.Picture {
  /// Bits of a decoded sample.
  var storedBitDepth: Int { compression == .jpegXL && bitDepth > 8 ? 16 : bitDepth }

  /// Refuses what no compression here has.
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

  /// Puts the samples of a chunk where they belong.
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

  /// The samples in the order of the picture, where fields of rows or columns are stored apart.
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
  /// The largest preview that is a JPEG file, as it is stored; nil where there is none.
  public var largestJPEGPreview: [UInt8]? {
    largestPreview.map { Array(data(of: $0)) }
  }

  /// The largest of the previews in a single JPEG, in bytes of red, green and blue, with DNG's number of its colors
  /// (PreviewColorSpace: 2 for sRGB, 3 for Adobe RGB, 4 for ProPhoto RGB), where it is stated; nil for none.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damage, or a picture of another size than stated.
  package func decodeLargestPreview() throws(DNGError) -> (
    width: Int, height: Int, pixels: [UInt8], colorSpace: Int?
  )? {
    guard let best = largestPreview else { return nil }
    let pixels = try JPEGCodec.decode(data(of: best), width: best.width, height: best.height)
    return (best.width, best.height, pixels, best.directory.integer(.previewColorSpace))
  }

  private var largestPreview: Picture? {
    pictures
      .filter { $0.role == .preview && $0.compression == .jpeg && $0.layout.count == 1 }
      .max { $0.width * $0.height < $1.width * $1.height }
  }

  private func data(of preview: Picture) -> ArraySlice<UInt8> {
    let start = preview.layout.offsets[0]
    return bytes[start..<start + preview.layout.byteCounts[0]]
  }
}
