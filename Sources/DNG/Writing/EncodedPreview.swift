import TIFF

/// A JPEG that goes into a DNG file for viewers.
public struct EncodedPreview: Sendable, Hashable {
  /// The JPEG file: baseline, Y Cb Cr, sRGB.
  public var data: [UInt8]
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Luma samples for each chroma sample, across and down.
  public var subsampling: (horizontal: Int, vertical: Int) {
    get { (horizontalSubsampling, verticalSubsampling) }
    set { (horizontalSubsampling, verticalSubsampling) = newValue }
  }
  private var horizontalSubsampling: Int
  private var verticalSubsampling: Int

  /// A preview over its JPEG file.
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

  /// The directory's entries and pixels.
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
