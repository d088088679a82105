import TIFF

/// A JPEG preview for a DNG file.
public struct EncodedPreview: Sendable, Hashable {
  /// The JPEG file: baseline, YCbCr, sRGB.
  public var data: [UInt8]
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Luma samples per chroma sample, horizontally and vertically.
  public var subsampling: (horizontal: Int, vertical: Int) {
    get { (horizontalSubsampling, verticalSubsampling) }
    set { (horizontalSubsampling, verticalSubsampling) = newValue }
  }
  private var horizontalSubsampling: Int
  private var verticalSubsampling: Int

  /// A preview made of the given JPEG file.
  public init(
    data: [UInt8], width: Int, height: Int,
    subsampling: (horizontal: Int, vertical: Int) = (2, 2)
  ) {
    self.data = data
    self.width = width
    self.height = height
    self.horizontalSubsampling = subsampling.horizontal
    self.verticalSubsampling = subsampling.vertical
  }

  /// Adds the entries and pixels to a directory.
  func describe(in directory: inout TIFFDirectory) {
    directory[.newSubFileType] = .long(1)
    directory[.imageWidth] = .long(width)
    directory[.imageLength] = .long(height)
    directory[.bitsPerSample] = .shorts([8, 8, 8])
    directory[.compression] = .short(7)
    directory[.photometric] = .short(6)
    directory[.samplesPerPixel] = .short(3)
    directory[.planarConfiguration] = .short(1)
    directory[.rowsPerStrip] = .long(height)
    directory[.yCbCrSubSampling] = .shorts([
      UInt16(horizontalSubsampling), UInt16(verticalSubsampling),
    ])
    directory[.yCbCrPositioning] = .short(1)
    directory[.referenceBlackWhite] = .rationals(
      [0, 255, 128, 255, 128, 255].map { .init($0) })
    directory[.previewColorSpace] = .long(2)
    directory.pixels = .init(isTiled: false, chunks: [data])
  }
}
