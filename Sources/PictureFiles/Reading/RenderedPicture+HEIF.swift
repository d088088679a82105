public import RawDevelop

extension RenderedPicture {
  /// Decodes the primary picture of a HEIF file such as HEIC to 8 bits, not turned: sRGB, or Display P3 if the
  /// file's code points say so.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile`` for a damaged file, with libheif's message;
  ///   ``PictureFileError/Code/unsupported`` for HDR pictures (PQ, HLG), and if libheif has no decoder.
  public init(heif bytes: [UInt8]) throws(PictureFileError) {
    self = try HEIFReader.picture(bytes)
  }
}
