/// A TIFF directory in memory: its values and its linked directories.
package struct TIFFDirectory: Sendable {
  /// Compressed pixels in strips or tiles, to be written to a file.
  package struct PixelData: Sendable {
    package var isTiled: Bool
    /// The strips or tiles, in image order.
    package var chunks: [[UInt8]]

    package init(isTiled: Bool, chunks: [[UInt8]]) {
      self.isTiled = isTiled
      self.chunks = chunks
    }
  }

  /// The values; the writer adds the offsets of pixels and directories.
  package var entries: [TIFFTag: TIFFValue] = [:]
  /// Entries of a directory read from a file whose values are unusable: of an unknown type, or with
  /// floating-point numbers that are not finite.
  package var unreadable: Set<TIFFTag> = []
  /// The pixels; nil in a directory read from a file.
  package var pixels: PixelData?
  /// Directories to which an entry of this one points: EXIF, GPS.
  package var linked: [TIFFTag: TIFFDirectory] = [:]
  /// Further images of the file (SubIFDs).
  package var children: [TIFFDirectory] = []

  package init() {}

  package subscript(tag: TIFFTag) -> TIFFValue? {
    get { entries[tag] }
    set { entries[tag] = newValue }
  }

  /// True if the entry exists, even if its values are unusable.
  package func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil || unreadable.contains(tag) }

  package func numbers(_ tag: TIFFTag) -> [Double]? { entries[tag].map(\.numbers) }

  /// The first number of an entry, rounded to an integer.
  package func integer(_ tag: TIFFTag) -> Int? {
    entries[tag]?.numbers.first.flatMap { Int(exactly: $0.rounded()) }
  }
}
