/// The number that a C library gave for a failure.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The library's name, as its project spells it: `libavcodec`.
  public let library: String
  /// The number as the library defines it.
  public let number: Int

  /// An error of a library, by its number.
  package init(_ library: String, _ number: some BinaryInteger) {
    self.library = library
    self.number = Int(clamping: number)
  }

  /// As in `libheif error 4`.
  public var description: String { "\(library) error \(number)" }
}
