public import MediaCore
import TIFF

/// A DNG file, with its images and their metadata.
///
/// The file may be untrusted: damage causes an error, never a crash, and memory is allocated only for what the file
/// really contains.
public struct DNGFile: Sendable {
  /// The purpose of an image in the file.
  public enum Role: String, Sendable, Hashable, Codable {
    /// The sensor's samples.
    case raw
    /// A rendered image for viewers.
    case preview
    /// The pixels that show something, such as people, skin or sky.
    case semanticMask
    /// The sensor's image improved by a program, in linear colors (DNG 1.5).
    case enhanced
    /// Something else.
    case other
  }

  /// The compression of an image's pixels.
  public enum Compression: Int, Sendable, Hashable, Codable {
    /// No compression.
    case none = 1
    /// JPEG: lossless for raw pixels, baseline for previews; some cameras' raw pixels are lossy nevertheless.
    case jpeg = 7
    /// Deflate in zlib's form.
    case deflate = 8
    /// Deflate under its older number.
    case adobeDeflate = 32_946
    /// Lossy JPEG for raw pixels, 8 or 12 bits.
    case lossyJPEG = 34_892
    /// JPEG XL.
    case jpegXL = 52_546
  }

  /// An image in the file.
  public struct Image: Sendable {
    /// The image's purpose.
    public let role: Role
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Samples per pixel.
    public let components: Int
    /// Bits per sample.
    public let bitDepth: Int
    /// TIFF's PhotometricInterpretation: 32803 for a mosaic, 34892 for linear color.
    public let photometric: Int
    /// True for floating-point samples.
    public let isFloat: Bool
    /// TIFF's number of the compression.
    public let compressionCode: Int
    /// The compression; nil if it is unknown.
    public var compression: Compression? { Compression(rawValue: compressionCode) }
    /// The number of tiles or strips.
    public var chunkCount: Int { layout.count }
    /// The size of all tiles or strips in bytes.
    public var byteCount: Int { layout.byteCounts.reduce(0, +) }
    /// The size of a tile; nil for strips.
    public var tileSize: VideoDimensions? {
      layout.isTiled ? VideoDimensions(width: layout.width, height: layout.height) : nil
    }
    /// What a mask shows.
    public var semanticName: String? { directory[.semanticName]?.string }
    /// The improvement applied to an enhanced image, as its program describes it.
    public var enhancement: String? { directory[.enhanceParams]?.string }
    /// An identifier that distinguishes masks of the same name.
    public var semanticInstanceID: String? { directory[.semanticInstanceID]?.string }
    /// TIFF's Predictor, including the kinds defined by DNG; 1 for none.
    let predictor: Int
    /// True if each component has its own planes.
    let isPlanar: Bool
    /// The number of column fields and row fields that are stored separately.
    let columnInterleave: Int
    let rowInterleave: Int
    /// For integers of 9 to 15 bits in JPEG XL, the bits stated by the first tile or strip; nil for others.
    let codedBitDepth: Int?
    let directory: TIFFDirectory
    let layout: DNGChunkLayout
  }

  /// All usable images, in file order.
  public let images: [Image]
  /// Unusable images other than the sensor's, such as a truncated preview, with the reason: one phrase for all of
  /// a kind.
  public let omittedImages: [String]
  /// The file's size in bytes.
  public var byteCount: Int { bytes.count }
  let root: TIFFDirectory
  let bytes: [UInt8]
  /// The byte order of numbers in the file.
  package var isLittleEndian: Bool { bytes.first == 0x49 }

  /// Reads the directories of a file; pixels are decoded only on request.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for a damaged file, or one that is not a DNG file.
  public init(_ bytes: [UInt8]) throws(DNGError) {
    let directories: [TIFFDirectory]
    do { directories = try TIFFDirectory.all(in: bytes) } catch { throw DNGError(error) }
    guard let root = directories.first, let version = root.numbers(.dngVersion), version.count == 4
    else {
      throw DNGError.damaged("it has no DNG version")
    }
    self.bytes = bytes
    self.root = root
    var images: [Image] = []
    var omitted: [String] = []
    for directory in directories.flatMap({ [$0] + $0.children }) {
      let role = Self.role(of: directory)
      do throws(DNGError) {
        if let image = try Self.image(directory, role, in: bytes) { images.append(image) }
      } catch {
        // A bad image other than the sensor's is left out, because the sensor's does not depend on it.
        guard role != .raw else { throw error }
        let phrase = "\(role.words) (\(error.reason))"
        if !omitted.contains(phrase) { omitted.append(phrase) }
      }
    }
    self.images = images
    omittedImages = omitted
  }

  /// The sensor's image.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` if the file has none.
  public func rawImage() throws(DNGError) -> Image {
    guard let raw = images.first(where: { $0.role == .raw }) else {
      throw DNGError.damaged("it has no raw image")
    }
    return raw
  }

  /// The image to develop: the enhanced one if it is linear, of three colors or gray as the sensor's is, and in a
  /// supported form; otherwise the sensor's.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` if the file has no raw image.
  public func developedImage() throws(DNGError) -> Image {
    let raw = try rawImage()
    guard let enhanced = images.first(where: { $0.role == .enhanced }),
      enhanced.photometric == 34_892, enhanced.compression != nil,
      enhanced.components == (raw.photometric == 34_892 ? raw.components : 3),
      (try? enhanced.checkForm()) != nil
    else { return raw }
    return enhanced
  }

  private static func role(of directory: TIFFDirectory) -> Role {
    switch (directory.integer(.newSubFileType) ?? 0, directory.integer(.photometric) ?? 0) {
    case (0, 32_803), (0, 34_892): .raw
    case (1, _), (0x10001, _): .preview
    case (0x10004, _): .semanticMask
    case (16, _): .enhanced
    default: .other
    }
  }

  private static func image(
    _ directory: TIFFDirectory, _ role: Role, in bytes: [UInt8]
  ) throws(DNGError) -> Image? {
    guard let width = directory.integer(.imageWidth), let height = directory.integer(.imageLength)
    else { return nil }
    let components = directory.integer(.samplesPerPixel) ?? 1
    let depths = directory.numbers(.bitsPerSample) ?? [1]
    guard (1...65_535).contains(width), (1...65_535).contains(height),
      (1...8).contains(components), let depth = depths.first, (1...32).contains(depth),
      depths.allSatisfy({ $0 == depth })
    else { throw DNGError.damaged("an image has an impossible size or depth") }
    let format = directory.integer(.sampleFormat) ?? 1
    guard (1...4).contains(format) else { throw DNGError.damaged("samples of an unknown format") }
    let isPlanar = directory.integer(.planarConfiguration) == 2
    let compressionCode = directory.integer(.compression) ?? 1
    let layout = try DNGChunkLayout(
      directory, width: width, height: height, planes: isPlanar ? components : 1,
      fileSize: bytes.count)
    var codedBitDepth: Int?
    if compressionCode == Compression.jpegXL.rawValue, format != 3, (9..<16).contains(Int(depth)) {
      let start = layout.offsets[0]
      codedBitDepth = JPEGXLCodec.bitDepth(of: bytes[start..<start + layout.byteCounts[0]])
    }
    return Image(
      role: role, width: width, height: height, components: components, bitDepth: Int(depth),
      photometric: directory.integer(.photometric) ?? 0, isFloat: format == 3,
      compressionCode: compressionCode,
      predictor: directory.integer(.predictor) ?? 1, isPlanar: isPlanar,
      columnInterleave: directory.integer(.columnInterleaveFactor) ?? 1,
      rowInterleave: directory.integer(.rowInterleaveFactor) ?? 1, codedBitDepth: codedBitDepth,
      directory: directory, layout: layout)
  }
}

extension DNGFile.Role {
  fileprivate var words: String {
    switch self {
    case .raw: "raw image"
    case .preview: "preview"
    case .semanticMask: "mask"
    case .enhanced: "enhanced image"
    case .other: "other image"
    }
  }
}
