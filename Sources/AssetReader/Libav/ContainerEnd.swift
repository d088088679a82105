#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Detects truncated files of the containers whose truncation libavformat does not report: MXF, Ogg
/// and MPEG transport streams. For other containers, libavformat reports it or a decoder notices
/// missing data.
enum ContainerEnd {
  /// The longest run-in in bytes before an MXF file's header partition (SMPTE ST 377-1).
  private static let longestRunIn = 65_536
  /// The longest page: a header of 27 bytes, 255 lengths, and 255 segments of 255 bytes (RFC 3533).
  private static let longestPage = 27 + 255 + 255 * 255

  /// Describes what the file lacks; nil if nothing is known to be missing.
  ///
  /// - Parameter formats: libavformat's names of the container.
  static func lack(in path: String, of formats: [Substring]) -> String? {
    let judge: (UnsafeMutablePointer<FILE>, Int) -> String?
    switch formats.first {
    case "mxf": judge = lackOfMXF
    case "ogg": judge = lackOfOgg
    case "mpegts": judge = lackOfTransportStream
    default: return nil
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      let file = fopen(path, "re")
    else { return nil }
    defer { fclose(file) }
    return judge(file, Int(facts.st_size))
  }

  /// The header gives the footer's position once the file is complete.
  private static func lackOfMXF(_ file: UnsafeMutablePointer<FILE>, _ size: Int) -> String? {
    let head = bytes(of: file, from: 0, count: min(size, longestRunIn + 128))
    let key: [UInt8] = [
      0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02,
    ]
    guard let start = head.indices.first(where: { head[$0...].starts(with: key) }),
      start + 17 < head.count
    else { return nil }
    // A BER length: one byte, or the number of length bytes that follow.
    let length = head[start + 16]
    let pack = start + 17 + (length < 0x80 ? 0 : Int(length & 0x7F))
    // The footer's position follows the version, the grid size, and this and the previous
    // partition's positions.
    guard pack + 32 <= head.count else { return nil }
    let footer = head[pack + 24..<pack + 32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard footer > 0, footer >= UInt64(size - start) else { return nil }
    return "the footer is missing"
  }

  /// Each page header gives the page's length.
  private static func lackOfOgg(_ file: UnsafeMutablePointer<FILE>, _ size: Int) -> String? {
    let count = min(size, 2 * longestPage)
    let tail = bytes(of: file, from: size - count, count: count)
    let places = tail.indices.filter { tail[$0...].starts(with: Array("OggS".utf8)) }
    guard let last = places.last, !places.contains(where: { pageEnd($0, in: tail) == tail.count })
    else { return nil }
    return pageEnd(last, in: tail).map { $0 > tail.count } ?? true
      ? "its last page is incomplete" : nil
  }

  /// Where a page ends; nil if its header is incomplete.
  private static func pageEnd(_ start: Int, in bytes: [UInt8]) -> Int? {
    guard start + 27 <= bytes.count else { return nil }
    let lengths = start + 27
    let data = lengths + Int(bytes[start + 26])
    guard data <= bytes.count else { return nil }
    return bytes[lengths..<data].reduce(data) { $0 + Int($1) }
  }

  /// All packets have the same length, with a time stamp before them (Blu-ray) or a checksum after
  /// them.
  private static func lackOfTransportStream(
    _ file: UnsafeMutablePointer<FILE>, _ size: Int
  ) -> String? {
    let head = bytes(of: file, from: 0, count: min(size, 5 * 204))
    let forms = [(188, 0), (192, 4), (204, 0)].filter { length, sync in
      (0..<5).allSatisfy { head.count > $0 * length + sync && head[$0 * length + sync] == 0x47 }
    }
    guard forms.count == 1 else { return nil }
    let (length, sync) = forms[0]
    // The last whole packet, and what follows it: unless that begins like a packet, it is padding,
    // or the packets are out of step.
    let last = size / length * length - length + sync
    guard size > last + length,
      [last, last + length].allSatisfy({ bytes(of: file, from: $0, count: 1) == [0x47] })
    else { return nil }
    return "its last packet is incomplete"
  }

  private static func bytes(
    of file: UnsafeMutablePointer<FILE>, from place: Int, count: Int
  ) -> [UInt8] {
    guard fseek(file, place, SEEK_SET) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, count, file)
    }
  }
}
