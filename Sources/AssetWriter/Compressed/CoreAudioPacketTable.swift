import QuickTime

/// The packet table of a Core Audio file, chunk `pakt`: Apple's Core Audio Format specification.
///
/// libavformat 5.1 and 7.1 count the frames of whole packets, also those that the last one does not have.
struct CoreAudioPacketTable {
  private let file: any MovieFile
  /// The place of the number of valid frames. Behind it are those at the start and at the end that do not count.
  private let place: UInt64

  /// The table of a file; nil where it has none.
  ///
  /// - Throws: Errors of the disk.
  init?(_ file: any MovieFile) throws(QuickTimeError) {
    self.file = file
    // Chunks follow the file's header of eight bytes: a type, a length of 64 bits, and what it has.
    var (chunk, end): (UInt64, UInt64) = (8, try file.size())
    while chunk + 12 <= end {
      let header = try Self.read(file, at: chunk, count: 12)
      guard header.count == 12 else { return nil }
      let length = UInt64(bitPattern: Int64(Self.number(header[4...])))
      if header[..<4].elementsEqual("pakt".utf8), length >= 24 {
        place = chunk + 12 + 8
        return
      }
      guard length < end - chunk - 12 else { return nil }
      chunk += 12 + length
    }
    return nil
  }

  /// Tells how many frames the file has; all others of its packets become remainder.
  ///
  /// - Throws: Errors of the disk.
  func setFrameCount(_ frames: Int64) throws(QuickTimeError) {
    let bytes = try Self.read(file, at: place, count: 16)
    guard bytes.count == 16 else { return }
    let (valid, priming) = (Self.number(bytes[..<8]), Self.number(bytes[8..<12]))
    let all = valid + priming + Self.number(bytes[12...])
    guard frames >= 0, priming + Int(frames) <= all else { return }
    var table: [UInt8] = []
    withUnsafeBytes(of: frames.bigEndian) { table += $0 }
    withUnsafeBytes(of: UInt32(clamping: priming).bigEndian) { table += $0 }
    withUnsafeBytes(of: UInt32(clamping: all - priming - Int(frames)).bigEndian) { table += $0 }
    var failure: QuickTimeError?
    table.withUnsafeBytes { bytes in
      do throws(QuickTimeError) { try file.write([bytes], at: place) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static func read(
    _ file: any MovieFile, at offset: UInt64, count: Int
  ) throws(QuickTimeError) -> [UInt8] {
    var failure: QuickTimeError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(QuickTimeError) {
        filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
