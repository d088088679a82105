/// A TIFF directory in memory: its values, and the directories that hang on it.
package struct TIFFDirectory: Sendable {
  /// Compressed pixels, in strips or tiles, on their way into a file.
  package struct PixelData: Sendable {
    /// Whether the chunks are tiles.
    package var isTiled: Bool
    /// The strips or tiles, in the order of the picture.
    package var chunks: [[UInt8]]

    package init(isTiled: Bool, chunks: [[UInt8]]) {
      self.isTiled = isTiled
      self.chunks = chunks
    }
  }

  /// The values; offsets of pixels and directories are the writer's.
  package var entries: [TIFFTag: TIFFValue] = [:]
  /// Entries of a directory that was read whose values are none: of a type that nobody knows, or with
  /// floating-point numbers that are not finite.
  package var unreadable: Set<TIFFTag> = []
  /// The pixels; nil in a directory that was read.
  package var pixels: PixelData?
  /// Directories that an entry of this one points to: EXIF, GPS.
  package var linked: [TIFFTag: TIFFDirectory] = [:]
  /// Further pictures of the file (SubIFDs).
  package var children: [TIFFDirectory] = []

  package init() {}

  package subscript(tag: TIFFTag) -> TIFFValue? {
    get { entries[tag] }
    set { entries[tag] = newValue }
  }

  /// True for an entry that is there, even if its values are none.
  package func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil || unreadable.contains(tag) }

  /// All numbers of an entry.
  package func numbers(_ tag: TIFFTag) -> [Double]? { entries[tag].map(\.numbers) }

  /// The first number of an entry as an integer, where it is one.
  package func integer(_ tag: TIFFTag) -> Int? {
    entries[tag]?.numbers.first.flatMap { Int(exactly: $0.rounded()) }
  }
}
