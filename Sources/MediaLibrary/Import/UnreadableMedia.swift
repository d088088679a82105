import MediaCore

/// An unreadable file that is a photo, a movie or audio according to its name or its first bytes.
/// It must be reported to whoever is about to erase the card.
struct UnreadableMedia: Sendable {
  private let what: String
  private let isEmpty: Bool

  private static let photos: Set<String> = [
    "jpg", "jpeg", "jpe", "png", "tif", "tiff", "heic", "heif", "hif", "avif", "jxl", "webp",
    "exr", "bmp", "gif", "jp2", "tga", "psd", "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw",
    "srf", "sr2", "raf", "orf", "rw2", "pef", "srw", "rwl", "iiq", "3fr", "fff", "erf", "mef",
    "mos", "kdc", "dcr", "mrw", "x3f", "gpr",
  ]
  private static let movies: Set<String> = [
    "mov", "qt", "mp4", "m4v", "mxf", "mkv", "webm", "avi", "mts", "m2ts", "mpg", "mpeg", "3gp",
    "y4m", "insv", "braw", "r3d", "crm", "ari", "arx",
  ]
  private static let audioFiles: Set<String> = [
    "wav", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "caf", "m4a", "flac", "mp3", "aac", "ogg",
    "opus",
  ]

  /// Classifies an unreadable file; nil if it does not look like media.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - size: Its size in bytes.
  ///   - head: Its first 16 bytes, or fewer if it is shorter.
  init?(name: String, size: Int64, head: [UInt8]) {
    isEmpty = size == 0
    let suffix = FileName(name).pathExtension.lowercased()
    if ContentKind(head) == .tiff || Self.photos.contains(suffix) {
      what = "photo"
    } else if Self.beginsAsMovie(head) || Self.movies.contains(suffix) {
      what = "movie"
    } else if Self.audioFiles.contains(suffix) {
      what = "audio file"
    } else {
      return nil
    }
  }

  /// The failure of an import.
  func error(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .invalidResource,
      isEmpty
        ? "\(path): is empty, but named like a \(what); copy it again, or leave it out"
        : "\(path): not a readable \(what): damaged, cut short or of an unknown kind; copy it again, "
          + "or keep it elsewhere")
  }

  /// True for the start of QuickTime and MP4, Matroska, MXF and AVI files.
  private static func beginsAsMovie(_ head: [UInt8]) -> Bool {
    guard head.count >= 8 else { return false }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    return ["ftyp", "moov", "mdat", "wide"].contains(kind)
      || head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || head.starts(with: [0x06, 0x0E, 0x2B, 0x34])
      || (head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "AVI ".utf8))
  }
}
