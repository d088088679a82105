import CFFmpeg

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Images in files of their own that end before their time, where libavcodec fills in what is missing and
/// sets no flag: JPEG, JPEG-LS, OpenEXR, QOI and Sun raster. Of others it refuses a part.
enum StillImage {
  /// True where the bytes are an image of a codec without its end. What they are not at all, the decoder says.
  static func isCut(_ bytes: UnsafeRawBufferPointer, of codec: AVCodecID) -> Bool {
    switch codec {
    case AV_CODEC_ID_MJPEG, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS: isCutJPEG(bytes)
    case AV_CODEC_ID_EXR: EXRChunks.areCut(bytes)
    case AV_CODEC_ID_QOI: isCutQOI(bytes)
    case AV_CODEC_ID_SUNRAST: isCutRaster(bytes)
    default: false
    }
  }

  /// Goes from marker to marker (ITU-T T.81, annex B) to the end of the image, behind which cameras put
  /// previews, movies and notes of their own.
  private static func isCutJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return false }
    var place = 2
    while let marker = marker(bytes, &place) {
      switch marker {
      case 0xD9: return false
      case 0xD0...0xD8: continue
      default:
        guard bytes.count - place >= 2 else { return true }
        // Segments are skipped by their length; entropy-coded data goes on to the next marker.
        place += Int(bytes[place]) << 8 | Int(bytes[place + 1])
      }
    }
    return true
  }

  /// The next marker's code; nil for none. Below 0x80 it is a byte of entropy-coded data, of JPEG-LS too.
  private static func marker(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt8? {
    while place < bytes.count - 1, let base = bytes.baseAddress {
      guard let found = memchr(base + place, 0xFF, bytes.count - 1 - place) else { return nil }
      place = UnsafeRawPointer(found) - base + 1
      let code = bytes[place]
      // A marker may have any number of them before its code.
      guard code != 0xFF else { continue }
      place += 1
      if code >= 0x80 { return code }
    }
    return nil
  }

  /// The end is seven zeros and a one ("The Quite OK Image Format", version 1.0).
  private static func isCutQOI(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return true }
    return bytes[last] != 1 || last < 7 || bytes[last - 7..<last].contains { $0 != 0 }
  }

  /// A header of 32 bytes has the lengths of the colors and of the codes; old files have 0 for these.
  private static func isCutRaster(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 32 else { return true }
    func number(at place: Int) -> Int {
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    return number(at: 16) + number(at: 28) > bytes.count - 32
  }
}
