public import RawDevelop

extension RenderedImage {
  /// Decodes the primary image of a HEIF file such as HEIC to 8 bits, not turned: sRGB, or Display P3 if the
  /// file's code points say so.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` for a damaged file, with libheif's message;
  ///   ``ImageFileError/Code/unsupported`` for HDR images (PQ, HLG), and if libheif has no decoder.
  public init(heif bytes: [UInt8]) throws(ImageFileError) {
    self = try HEIFReader.image(bytes)
  }
}
