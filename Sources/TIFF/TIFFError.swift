/// An error in a TIFF file.
package enum TIFFError: Error, Hashable, Sendable {
  /// The file does not begin with a TIFF header.
  case notTIFF
  /// A directory, or a header, lies beyond the end of the file.
  case directoryBeyondEnd
  /// The value of a tag lies beyond the end of the file.
  case valueBeyondEnd(TIFFTag)
  /// The value of a tag is larger than the reader allows.
  case valueTooLarge(TIFFTag)
  /// The offset of a directory is not a whole number.
  case invalidOffset
  /// Directories form a loop, or there are too many.
  case endlessDirectories
  /// So many values share bytes that they exceed the reader's budget.
  case overlappingValues
  /// A file to be written would exceed TIFF's 4 GiB.
  case fileTooLarge

  /// The error, worded to follow a colon.
  package var message: String {
    switch self {
    case .notTIFF: "it has no TIFF header"
    case .directoryBeyondEnd: "a directory is beyond its end"
    case .valueBeyondEnd(let tag): "the value of tag \(tag.rawValue) is beyond its end"
    case .valueTooLarge(let tag): "the value of tag \(tag.rawValue) is too large"
    case .invalidOffset: "the offset of a directory is not an integer"
    case .endlessDirectories: "its directories form a loop, or are too many"
    case .overlappingValues: "its values overlap"
    case .fileTooLarge: "it would exceed the 4 GiB that a TIFF file can have"
    }
  }
}
