import RawDevelop
import TIFF

/// Reads the images of a TIFF file (revision 6.0 and later supplements): the full-size ones in its chain of
/// directories, not reduced versions.
struct TIFFImageReader {
  private static let extraSamples = TIFFTag(rawValue: 338)
  private static let colorMap = TIFFTag(rawValue: 320)

  struct Layout {
    let width: Int
    let height: Int
    let bits: Int
    /// 1 for integers, 3 for floats.
    let format: Int
    let samples: Int
    let photometric: Int
    let compression: Int
    let predictor: Int
    let isPlanar: Bool
    /// Columns and rows in a strip or tile.
    let chunk: (width: Int, height: Int)
    let offsets: [Int]
    let counts: [Int]
    let isLittleEndian: Bool
    /// 0 if there is no alpha, 1 if colors are premultiplied by it, 2 if not.
    let alpha: Int
    let palette: [UInt16]
    let tables: [UInt8]

    let isTiled: Bool
    /// True if the first pixel of a byte is in its least significant bit.
    let hasReversedBits: Bool
    /// Color samples per pixel.
    var colors: Int { photometric == 2 || photometric == 6 ? 3 : photometric == 5 ? 4 : 1 }
    /// Chunks per row of chunks.
    var across: Int { (width + chunk.width - 1) / chunk.width }
    /// Rows of chunks.
    var down: Int { (height + chunk.height - 1) / chunk.height }
  }

  let bytes: [UInt8]
  let isLittleEndian: Bool
  /// The directories of full-size images.
  let directories: [TIFFDirectory]

  /// - Throws: ``ImageFileError/Code/invalidFile``.
  init(_ bytes: [UInt8]) throws(ImageFileError) {
    do throws(TIFFError) {
      let file = try TIFFFile(bytes)
      isLittleEndian = file.isLittleEndian
      let all = try TIFFDirectory.all(in: bytes)
      // Reduced versions and masks are marked as such.
      directories = all.filter { ($0.integer(.newSubFileType) ?? 0) & 5 == 0 }
    } catch { throw .invalidFile("it is not a complete TIFF file") }
    self.bytes = bytes
    guard !directories.isEmpty else {
      throw .invalidFile("it has only reduced versions of an image")
    }
  }

  /// - Throws: ``ImageFileError/Code/invalidFile``.
  func facts(_ directory: TIFFDirectory) throws(ImageFileError) -> ImageFacts {
    let layout = try layout(directory)
    var facts = ImageFacts(width: layout.width, height: layout.height, bitDepth: layout.bits)
    facts.isFloat = layout.format == 3
    facts.isIndexed = layout.photometric == 3
    facts.hasAlpha = layout.alpha > 0
    facts.colorModel =
      layout.photometric <= 1 ? .gray : layout.photometric == 5 ? .cmyk : .rgb
    facts.directory = directory
    facts.exif = bytes
    facts.resolution = ImageFacts.resolution(of: directory)
    facts.profile = directory[.iccProfile].flatMap(Self.bytes)
    facts.xmp = directory[.xmp].flatMap(Self.bytes)
    if let turn = directory.integer(.orientation), (1...8).contains(turn) {
      facts.orientation = turn
    }
    return facts
  }

  private static func bytes(_ value: TIFFValue) -> [UInt8]? {
    switch value {
    case .bytes(let bytes), .undefined(let bytes): bytes.isEmpty ? nil : bytes
    default: nil
    }
  }

  /// - Throws: ``ImageFileError/Code/invalidFile`` for missing or inconsistent entries.
  func layout(_ directory: TIFFDirectory) throws(ImageFileError) -> Layout {
    func number(_ tag: TIFFTag, or value: Int) -> Int { directory.integer(tag) ?? value }
    func list(_ tag: TIFFTag) -> [Int] { directory[tag]?.integers ?? [] }
    let (width, height) = (number(.imageWidth, or: 0), number(.imageLength, or: 0))
    guard (1...1 << 20).contains(width), (1...1 << 20).contains(height) else {
      throw .invalidFile("its image has no size")
    }
    let isTiled = directory.has(.tileOffsets)
    let chunk =
      isTiled
      ? (number(.tileWidth, or: 0), number(.tileLength, or: 0))
      : (width, min(number(.rowsPerStrip, or: height), height))
    let bits = list(.bitsPerSample)
    let samples = number(.samplesPerPixel, or: 1)
    let photometric = number(.photometric, or: samples >= 3 ? 2 : 1)
    let extra = list(Self.extraSamples)
    guard (1...1 << 20).contains(chunk.0), (1...1 << 20).contains(chunk.1),
      (1...8).contains(samples), Set(bits).count <= 1, Set(list(.sampleFormat)).count <= 1
    else { throw .invalidFile("its samples are of different kinds, or its strips have no size") }
    let layout = Layout(
      width: width, height: height, bits: bits.first ?? 1,
      format: list(.sampleFormat).first ?? 1, samples: samples, photometric: photometric,
      compression: number(.compression, or: 1), predictor: number(.predictor, or: 1),
      isPlanar: number(.planarConfiguration, or: 1) == 2 && samples > 1, chunk: chunk,
      offsets: list(isTiled ? .tileOffsets : .stripOffsets),
      counts: list(isTiled ? .tileByteCounts : .stripByteCounts), isLittleEndian: isLittleEndian,
      alpha: extra.first.map { [1, 2].contains($0) ? $0 : 0 } ?? 0,
      palette: list(Self.colorMap).map { UInt16(clamping: $0) },
      tables: directory[TIFFTag(rawValue: 347)].flatMap(Self.bytes) ?? [], isTiled: isTiled,
      hasReversedBits: number(TIFFTag(rawValue: 266), or: 1) == 2)
    let count = layout.across * layout.down * (layout.isPlanar ? samples : 1)
    guard samples >= layout.colors, layout.offsets.count >= count,
      layout.counts.count >= count || layout.compression == 1 && layout.counts.isEmpty
    else { throw .invalidFile("strips or samples of its image are missing") }
    return layout
  }

  /// The image of a directory.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile``; ``ImageFileError/Code/unsupported`` for an unsupported
  ///   form.
  func decoded(_ directory: TIFFDirectory) throws(ImageFileError) -> DecodedImage {
    let layout = try layout(directory)
    let pixels = try TIFFPixels(layout, bytes).read()
    let facts = try facts(directory)
    let color = ImageFileColor(
      profile: layout.photometric == 5 ? nil : facts.profile, codePoints: nil)
    var decoded = color.decoded(pixels.samples)
    decoded.notes += pixels.notes
    return decoded
  }
}
