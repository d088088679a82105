#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads elements of the Extensible Binary Meta Language (RFC 8794).
enum EBML {
  /// The header of an element in a file.
  struct Head {
    var id: Int
    /// The offset of its data in the file.
    var data: Int
    /// The size of its data in bytes; nil if it runs to the end of the file.
    var size: Int?
  }

  /// The element at a file offset; nil if there is none.
  static func head(in file: UnsafeMutablePointer<FILE>, at place: Int) -> Head? {
    let bytes = bytes(of: file, from: place, count: 12)
    guard let head = head(bytes[...]) else { return nil }
    return Head(id: head.id, data: place + head.length, size: head.size)
  }

  /// Consecutive elements in memory, up to the first incomplete one.
  static func children(_ bytes: ArraySlice<UInt8>) -> [(id: Int, data: ArraySlice<UInt8>)] {
    var (children, rest) = ([(id: Int, data: ArraySlice<UInt8>)](), bytes)
    while let head = head(rest), let size = head.size, size <= rest.count - head.length {
      rest = rest.dropFirst(head.length)
      children.append((head.id, rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return children
  }

  /// An unsigned integer, clamped to `Int.max`.
  static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.count <= 8 else { return .max }
    return Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  static func bytes(
    of file: UnsafeMutablePointer<FILE>, from place: Int, count: Int
  ) -> [UInt8] {
    guard place >= 0, fseeko(file, off_t(place), SEEK_SET) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, count, file)
    }
  }

  private static func head(
    _ bytes: ArraySlice<UInt8>
  ) -> (id: Int, length: Int, size: Int?)? {
    guard let first = bytes.first, first >= 0x10 else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard let second = bytes.dropFirst(idLength).first, second > 0 else { return nil }
    let sizeLength = second.leadingZeroBitCount + 1
    let length = idLength + sizeLength
    guard bytes.count >= length else { return nil }
    let digits = bytes.dropFirst(idLength).prefix(sizeLength)
    let mask = UInt64(1) << UInt64(7 * sizeLength) - 1
    let size = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
    // All ones mean an unknown size: the data runs to the end of the file. An impossibly large size
    // is no element.
    guard size == mask || size < 1 << 56 else { return nil }
    return (number(bytes.prefix(idLength)), length, size == mask ? nil : Int(size))
  }
}
