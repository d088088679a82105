public import RawDevelop

extension RenderedPicture {
  /// The primary picture of a HEIF file such as HEIC, in 8 bits and not turned: sRGB, or Display P3 where the file's
  /// code points say so.
  ///
  /// - Throws: ``PictureFileError/Code/invalidFile`` for what is damaged, with libheif's own words;
  ///   ``PictureFileError/Code/unsupported`` for pictures of high dynamic range (PQ, HLG), and where libheif has no
  ///   decoder.
  public init(heif bytes: [UInt8]) throws(PictureFileError) {
    self = try HEIFReader.picture(bytes)
  }
}
