import MediaCore

/// The crash-safe layout of a movie that is being recorded.
///
/// `ftyp`, a `free` atom of 16 bytes, another one of 60, a `moov` that says that fragments follow,
/// then fragments: `moof` and `mdat`. To finish, a full `moov` is appended and synced; then one write
/// over the `free` atoms makes an `mdat` of everything from there to the full `moov`. All of it lies
/// in the first sector, so the switch is there or it is not.
enum FileLayout {
  /// Where the `free` atom lies that the finish turns into `mdat`.
  static let switchOffset: UInt64 = 20
  /// Bytes of the `free` atom: as many as the header of an atom with a 64-bit size.
  static let switchSize: UInt64 = 16
  /// The unit of direct output: large frames begin at multiples of it. Disks have blocks of 512 or
  /// 4096 bytes.
  static let blockSize: UInt64 = 4096
  /// What fills a large frame's last block. Not zero, which is what a disk leaves of a block that it
  /// was not given before a power cut.
  static let padding: UInt8 = 0xFF
  /// Where the atoms begin that the finished movie keeps within its `mdat`.
  static let movieOffset: UInt64 = switchOffset + switchSize
  /// Where the second `free` atom ends, in a stripe for the file's checksum: a multiple of 32.
  static let spliceEnd = 96
  /// The content of the `free` atom, which marks a take of this recorder.
  static let mark: FourCharCode = "take"
  /// The version of this layout, after the mark.
  static let version: UInt32 = 1

  /// The first multiple of ``blockSize`` that is not less.
  static func roundedToBlock(_ offset: UInt64) -> UInt64 {
    (offset + blockSize - 1) & ~(blockSize - 1)
  }

  /// What a recording begins with.
  static func beginning(of movie: MovieRecord) -> [UInt8] {
    var writer = AtomWriter()
    writer.atom("ftyp") { atom in
      atom.code("qt  ")
      atom.uint32(0)  // version
      atom.code("qt  ")
    }
    writer.atom("free") { atom in
      atom.code(mark)
      atom.uint32(version)
    }
    writer.raw(spliceAtom(stripe: []))
    writer.movie(movie, isFragmented: true)
    return writer.bytes
  }

  /// The header that turns everything from ``switchOffset`` up to `end` into one `mdat`.
  static func finishedHeader(end: UInt64) -> [UInt8] {
    var writer = AtomWriter()
    writer.uint32(1)  // a 64-bit size follows the type
    writer.code("mdat")
    writer.uint64(end - switchOffset)
    return writer.bytes
  }

  /// The same with the stripe that makes the file's checksum what it was assumed to be; see
  /// ``FileChecksum``.
  static func finishedHeader(end: UInt64, stripe: [UInt8]) -> [UInt8] {
    finishedHeader(end: end) + spliceAtom(stripe: stripe)
  }

  /// The second `free` atom, which ends in the stripe; in padding for none.
  private static func spliceAtom(stripe: [UInt8]) -> [UInt8] {
    var writer = AtomWriter()
    writer.atom("free") { atom in
      let room = spliceEnd - Int(movieOffset) - 8
      atom.raw(repeatElement(padding, count: room - stripe.count))
      atom.raw(stripe)
    }
    return writer.bytes
  }
}
