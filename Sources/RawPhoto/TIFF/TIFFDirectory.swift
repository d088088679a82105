/// A TIFF directory on its way into a file: its entries, the pixels it describes, and the
/// directories that hang on it.
struct TIFFDirectory: Sendable {
  /// Compressed pixels, in strips or tiles.
  struct PixelData: Sendable {
    /// Whether the chunks are tiles.
    var isTiled: Bool
    /// The strips or tiles, in the order of the picture.
    var chunks: [[UInt8]]
  }

  /// The entries, apart from offsets, which the writer knows.
  var entries: [TIFFTag: TIFFValue] = [:]
  /// The pixels.
  var pixels: PixelData?
  /// Directories that an entry of this one points to: EXIF, GPS.
  var linked: [TIFFTag: TIFFDirectory] = [:]
  /// Further pictures of the file (SubIFDs).
  var children: [TIFFDirectory] = []

  subscript(tag: TIFFTag) -> TIFFValue? {
    get { entries[tag] }
    set { entries[tag] = newValue }
  }
}
