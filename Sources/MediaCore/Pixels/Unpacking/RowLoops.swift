/// Loops that take a row of one packing apart. Counts are of whole groups; every pointer is
/// aligned for its type (``RowReader`` sees to it).
enum RowLoops {
  /// Words of luma in the low half and chroma in the high half (Y Cb Y Cr of 16 bits).
  static func splitLumaFirst(
    _ source: UnsafePointer<UInt32>, luma: UnsafeMutablePointer<UInt16>,
    chroma: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for index in 0..<count {
      let word = source[index]
      luma[index] = UInt16(truncatingIfNeeded: word)
      chroma[index] = UInt16(truncatingIfNeeded: word &>> 16)
    }
  }

  /// Bytes in pairs: the first of each to `first`, the second to `second`.
  static func splitBytes(
    _ source: UnsafePointer<UInt16>, first: UnsafeMutablePointer<UInt16>,
    second: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for index in 0..<count {
      let pair = source[index]
      first[index] = pair & 0xFF
      second[index] = pair &>> 8
    }
  }

  /// Bytes to words.
  static func widen(
    _ source: UnsafePointer<UInt8>, _ destination: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for index in 0..<count { destination[index] = UInt16(source[index]) }
  }

  /// v210: blocks of six pixels in four words, the words' samples from the lowest bits up being
  /// Cb Y Cr, Y Cb Y, Cr Y Cb, Y Cr Y.
  ///
  /// Chroma is stored in eights of bytes, two more than a block has: the rows need that much room.
  static func unpackV210(
    _ source: UnsafePointer<UInt64>, luma: UnsafeMutableRawPointer, cb: UnsafeMutableRawPointer,
    cr: UnsafeMutableRawPointer, blocks: Int
  ) {
    let mask: UInt64 = 0x3FF
    for block in 0..<blocks {
      let low = UInt64(littleEndian: source[2 * block])
      let high = UInt64(littleEndian: source[2 * block + 1])
      let first =
        ((low &>> 10) & mask) | ((low &>> 16) & (mask &<< 16)) | ((low &>> 20) & (mask &<< 32))
        | ((high &<< 38) & (mask &<< 48))
      let last = ((high &>> 32) & mask) | ((high &>> 36) & (mask &<< 16))
      let blue =
        (low & mask) | ((low &>> 26) & (mask &<< 16)) | ((high &<< 12) & (mask &<< 32))
      let red =
        ((low &>> 20) & mask) | ((high &<< 16) & (mask &<< 16)) | ((high &>> 10) & (mask &<< 32))
      (luma + 12 * block).storeBytes(of: first.littleEndian, as: UInt64.self)
      (luma + 12 * block + 8)
        .storeBytes(of: UInt32(truncatingIfNeeded: last).littleEndian, as: UInt32.self)
      (cb + 6 * block).storeBytes(of: blue.littleEndian, as: UInt64.self)
      (cr + 6 * block).storeBytes(of: red.littleEndian, as: UInt64.self)
    }
  }

  /// Groups of four 10-bit samples in five bytes, the first in the lowest bits.
  static func unpackTightTenBit(
    _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer, groups: Int
  ) {
    // A group is loaded as eight bytes, so the last one goes byte by byte.
    for group in 0..<groups {
      let bits: UInt64
      if group < groups - 1 {
        bits = UInt64(littleEndian: (source + 5 * group).loadUnaligned(as: UInt64.self))
      } else {
        var last: UInt64 = 0
        for byte in 0..<5 {
          last |=
            UInt64(source.load(fromByteOffset: 5 * group + byte, as: UInt8.self))
            &<< UInt64(8 * byte)
        }
        bits = last
      }
      let mask: UInt64 = 0x3FF
      let samples =
        (bits & mask) | ((bits &<< 6) & (mask &<< 16)) | ((bits &<< 12) & (mask &<< 32))
        | ((bits &<< 18) & (mask &<< 48))
      (destination + 8 * group).storeBytes(of: samples.littleEndian, as: UInt64.self)
    }
  }
}
