public import Foundation
import ImageFiles
import RawDevelop

/// An option for writing an image file.
public struct CIImageRepresentationOption: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The quality of a lossy file, 0 to 1.
public let kCGImageDestinationLossyCompressionQuality: CFString =
  "kCGImageDestinationLossyCompressionQuality"

extension CIContext {
  /// Writes an 8-bit HEIC file.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - url: The file.
  ///   - colorSpace: The file's color space.
  ///   - format: ``CIFormat/RGBA8``, or another format, whose samples are rounded to 8 bits.
  ///   - options: ``kCGImageDestinationLossyCompressionQuality``.
  /// - Throws: An error of developing or writing; no file is left behind.
  public func writeHEIFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, to: url, .heic, bitDepth: 8, .uint8, colorSpace, options)
  }

  /// Writes a 10-bit HEIC file.
  ///
  /// - Throws: As ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func writeHEIF10Representation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, to: url, .heic, bitDepth: 10, .uint16, colorSpace, options)
  }

  /// Writes a 10-bit HEIC file, with the signature used in WWDC session 10160; the format has no effect.
  ///
  /// - Throws: As ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func writeHEIF10Representation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try writeHEIF10Representation(of: image, to: url, colorSpace: colorSpace, options: options)
  }

  /// Writes a JPEG file.
  ///
  /// - Throws: As ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, to: url, .jpeg, bitDepth: nil, .uint8, colorSpace, options)
  }

  /// Writes a PNG file, with 16 bits for ``CIFormat/RGBA16`` and 8 otherwise.
  ///
  /// - Throws: As ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    let isDeep = format == .RGBA16
    try write(
      image, to: url, .png, bitDepth: isDeep ? 16 : 8, isDeep ? .uint16 : .uint8, colorSpace,
      options)
  }

  /// Writes a TIFF file, with 16 bits for ``CIFormat/RGBA16`` and 8 otherwise.
  ///
  /// - Throws: As ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func writeTIFFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    let isDeep = format == .RGBA16
    try write(
      image, to: url, .tiff, bitDepth: isDeep ? 16 : 8, isDeep ? .uint16 : .uint8, colorSpace,
      options)
  }

  private func write(
    _ image: CIImage, to url: URL, _ kind: ImageFileFormat, bitDepth: Int?,
    _ samples: RenderedImage.SampleFormat, _ colorSpace: CGColorSpace,
    _ options: [CIImageRepresentationOption: Any]
  ) throws {
    let bitmap = try image.rendered(colorSpace.space, samples)
    _ = try ImageFileWriter(Self.settings(kind, bitDepth, options)).write(
      ImageContent(bitmap), to: url.path, replacing: true)
  }

  private static func settings(
    _ kind: ImageFileFormat, _ bitDepth: Int?, _ options: [CIImageRepresentationOption: Any]
  ) -> ImageFileSettings {
    var settings = ImageFileSettings(format: kind)
    settings.bitDepth = bitDepth
    let key = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality)
    if let quality = RAWFilter.number(options[key]) { settings.quality = Double(quality) }
    return settings
  }
}

extension CIContext {
  /// An 8-bit HEIC file in memory; nil if it cannot be created.
  ///
  /// The parameters are those of ``writeHEIFRepresentation(of:to:format:colorSpace:options:)``.
  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    try? file(image, .heic, bitDepth: 8, .uint8, colorSpace, options)
  }

  /// A 10-bit HEIC file in memory.
  ///
  /// - Throws: An error of developing or encoding.
  public func heif10Representation(
    of image: CIImage, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws -> Data {
    try file(image, .heic, bitDepth: 10, .uint16, colorSpace, options)
  }

  /// A JPEG file in memory; nil if it cannot be created.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    try? file(image, .jpeg, bitDepth: nil, .uint8, colorSpace, options)
  }

  /// A PNG file in memory, with 16 bits for ``CIFormat/RGBA16`` and 8 otherwise; nil if it cannot be created.
  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    let isDeep = format == .RGBA16
    return try? file(
      image, .png, bitDepth: isDeep ? 16 : 8, isDeep ? .uint16 : .uint8, colorSpace, options)
  }

  /// A TIFF file in memory, with 16 bits for ``CIFormat/RGBA16`` and 8 otherwise; nil if it cannot be created.
  public func tiffRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    let isDeep = format == .RGBA16
    return try? file(
      image, .tiff, bitDepth: isDeep ? 16 : 8, isDeep ? .uint16 : .uint8, colorSpace, options)
  }

  private func file(
    _ image: CIImage, _ kind: ImageFileFormat, bitDepth: Int?,
    _ samples: RenderedImage.SampleFormat, _ colorSpace: CGColorSpace,
    _ options: [CIImageRepresentationOption: Any]
  ) throws -> Data {
    let bitmap = try image.rendered(colorSpace.space, samples)
    let made = try ImageFileWriter(Self.settings(kind, bitDepth, options)).encode(
      ImageContent(bitmap))
    return Data(made.bytes)
  }
}
