import FoundationEssentials
import Glibc
import MediaCore
import VideoRecorder

/// Names the files of photos: a RAW photo and its processed companion share a name.
package struct PhotoNames {
  /// The name without extension; nil until the first photo's time is known.
  private var stem: String?
  /// The folder of photos named by time, with a trailing slash; empty for the working directory.
  private let folder: String
  private let endings: [String]
  /// The extension as requested, by the usual one: `.JPEG` for `.jpg`.
  private let spelled: [String: String]
  private let exposureCount: Int
  private let replaces: Bool

  /// Names for photos about to be taken.
  ///
  /// - Parameters:
  ///   - output: The requested name, with the extension of the RAW photo, of its companion, or of neither; or a
  ///     folder that exists or ends with a slash. With nil or a folder, photos are named by time.
  ///   - endings: The extensions of an exposure's files, with their dots.
  ///   - exposureCount: The number of exposures with separate files, which are numbered if there are several.
  ///   - replaces: True to replace existing files.
  /// - Throws: Before a photo is taken: `CaptureError.Code.fileAlreadyExists` for an existing file that may not be
  ///   replaced, and `invalidArgument` for a name with another image format's extension.
  init(
    output: String?, endings: [String], exposureCount: Int, replaces: Bool
  ) throws(CaptureError) {
    self.endings = endings
    self.exposureCount = exposureCount
    self.replaces = replaces
    let asked = Asked(output ?? "")
    (stem, folder, spelled) = (asked.stem, asked.folder, asked.spelled)
    if let usual = asked.spelled.keys.first, !endings.contains(usual) {
      throw CaptureError(
        .invalidArgument,
        "\(output ?? "") ends in \(asked.spelled[usual] ?? usual), and the photo's file in "
          + endings.joined(separator: ", its companion's in ")
          + "; choose another ending, or none")
    }
    guard !replaces, let stem, let taken = Self.taken(paths(stem)) else { return }
    throw CaptureError(
      .fileAlreadyExists, "\(taken) exists; choose another name or allow overwriting", errno: EEXIST
    )
  }

  /// A parsed name.
  private struct Asked {
    /// The name without an image file's extension; nil for a folder.
    var stem: String?
    var folder = ""
    var spelled: [String: String] = [:]

    /// The usual extension for each known one.
    private static let usual: [String: String] = [
      "dng": "dng", "jpg": "jpg", "jpeg": "jpg", "heic": "heic", "heif": "heic", "hif": "heic",
      "avif": "avif", "jxl": "jxl", "tif": "tif", "tiff": "tif", "png": "png", "exr": "exr",
      "webp": "webp", "gif": "gif", "bmp": "bmp", "jp2": "jp2", "psd": "psd", "pdf": "pdf",
    ]

    /// - Parameter output: The requested name; empty if there is none.
    init(_ output: String) {
      guard !output.isEmpty, !output.hasSuffix("/"), !Self.isFolder(output) else {
        folder = output.isEmpty || output.hasSuffix("/") ? output : output + "/"
        return
      }
      stem = output
      guard let point = output.lastIndex(of: "."), point > output.startIndex,
        output[output.index(before: point)] != "/",
        let usual = Self.usual[output[output.index(after: point)...].lowercased()]
      else { return }
      stem = String(output[..<point])
      spelled["." + usual] = String(output[point...])
    }

    private static func isFolder(_ path: String) -> Bool {
      var facts = stat()
      return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
  }

  /// The path for a file of an exposure.
  ///
  /// - Parameters:
  ///   - ending: The extension, with its dot.
  ///   - exposure: The number of the exposure, from 1.
  ///   - date: The time of the photo.
  mutating func path(_ ending: String, exposure: Int, date: Date) -> String {
    let stem = stem ?? free(folder + "photo-" + Self.stamp(date))
    self.stem = stem
    return path(stem, ending, exposure)
  }

  /// The paths of all exposures' files of one kind, for a requested name; empty for names by time.
  ///
  /// - Parameters:
  ///   - output: As in ``init(output:endings:exposureCount:replaces:)``.
  ///   - ending: The extension, with its dot.
  package static func paths(output: String, ending: String, exposureCount: Int) -> [String] {
    let asked = Asked(output)
    guard let stem = asked.stem else { return [] }
    let used = asked.spelled[ending] ?? ending
    return (1...max(exposureCount, 1)).map { path(stem, used, $0, of: exposureCount) }
  }

  private func path(_ stem: String, _ ending: String, _ exposure: Int) -> String {
    Self.path(stem, spelled[ending] ?? ending, exposure, of: exposureCount)
  }

  private static func path(
    _ stem: String, _ ending: String, _ exposure: Int, of exposureCount: Int
  ) -> String {
    exposureCount == 1 ? stem + ending : "\(stem)-\(exposure)\(ending)"
  }

  private func paths(_ stem: String) -> [String] {
    (1...exposureCount).flatMap { exposure in endings.map { path(stem, $0, exposure) } }
  }

  /// An unused name: photos taken in the same second are distinguished by a letter.
  private func free(_ stem: String) -> String {
    guard !replaces else { return stem }
    let others = (UInt8(ascii: "b")...UInt8(ascii: "z")).map { stem + String(UnicodeScalar($0)) }
    return ([stem] + others).first { Self.taken(paths($0)) == nil } ?? stem + UUID().uuidString
  }

  private static func taken(_ paths: [String]) -> String? {
    paths.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The local time, such as `20261122-170248`.
  private static func stamp(_ date: Date) -> String {
    var time = time_t(saturating: date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&time, &parts)
    let fields = [
      Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday), Int(parts.tm_hour),
      Int(parts.tm_min), Int(parts.tm_sec),
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return fields.prefix(3).joined() + "-" + fields.suffix(3).joined()
  }
}
