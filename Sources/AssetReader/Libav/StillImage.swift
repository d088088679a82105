import CFFmpeg

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Detects truncated still images of the formats whose missing data libavcodec fills in without
/// setting a flag: JPEG, JPEG-LS, OpenEXR, QOI and Sun raster. It rejects truncated images of other
/// formats.
enum StillImage {
  /// True if the bytes are a truncated image. If they are no such image at all, the decoder reports
  /// that.
  static func isCut(_ bytes: UnsafeRawBufferPointer, of codec: AVCodecID) -> Bool {
    switch codec {
    case AV_CODEC_ID_MJPEG, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS: isCutJPEG(bytes)
    case AV_CODEC_ID_EXR: EXRChunks.areCut(bytes)
    case AV_CODEC_ID_QOI: isCutQOI(bytes)
    case AV_CODEC_ID_SUNRAST: isCutRaster(bytes)
    default: false
    }
  }

  /// Walks the markers (ITU-T T.81, annex B) to the end of the image, after which cameras append
  /// previews, movies and private data.
  private static func isCutJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return false }
    var place = 2
    while let marker = marker(bytes, &place) {
      switch marker {
      case 0xD9: return false
      case 0xD0...0xD8: continue
      default:
        guard bytes.count - place >= 2 else { return true }
        // Segments are skipped by their length; entropy-coded data extends to the next marker.
        place += Int(bytes[place]) << 8 | Int(bytes[place + 1])
      }
    }
    return true
  }

  /// The next marker's code; nil if there is none. After 0xFF, a byte below 0x80 is entropy-coded
  /// data, also in JPEG-LS.
  private static func marker(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt8? {
    while place < bytes.count - 1, let base = bytes.baseAddress {
      guard let found = memchr(base + place, 0xFF, bytes.count - 1 - place) else { return nil }
      place = UnsafeRawPointer(found) - base + 1
      let code = bytes[place]
      // Any number of 0xFF bytes may precede a marker's code.
      guard code != 0xFF else { continue }
      place += 1
      if code >= 0x80 { return code }
    }
    return nil
  }

  /// The end marker is seven zero bytes and a one ("The Quite OK Image Format", version 1.0).
  private static func isCutQOI(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return true }
    return bytes[last] != 1 || last < 7 || bytes[last - 7..<last].contains { $0 != 0 }
  }

  /// The 32-byte header gives the lengths of the color map and the image data; the latter is 0 in
  /// old files.
  private static func isCutRaster(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 32 else { return true }
    func number(at place: Int) -> Int {
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    return number(at: 16) + number(at: 28) > bytes.count - 32
  }
}
