import FoundationEssentials
import Glibc
import MediaCore
import VideoRecorder

/// What the files of photos are called: a RAW photo and its processed companion share a name.
package struct PhotoNames {
  /// The name without an ending; nil until the first photo tells when it was taken.
  private var stem: String?
  private let endings: [String]
  private let exposureCount: Int
  private let replaces: Bool

  /// Names for what is about to be taken.
  ///
  /// - Parameters:
  ///   - output: The name that was asked for: of the RAW photo, of its companion, or of neither. nil
  ///     for one by the time of the photo.
  ///   - endings: Those of an exposure's files, with their points.
  ///   - exposureCount: How many share none: they are numbered where there are several.
  ///   - replaces: True where files of these names are to go.
  /// - Throws: `CaptureError.Code.fileAlreadyExists` for a file that would have to go, before a photo
  ///   is taken.
  init(
    output: String?, endings: [String], exposureCount: Int, replaces: Bool
  ) throws(CaptureError) {
    self.endings = endings
    self.exposureCount = exposureCount
    self.replaces = replaces
    stem = output.map { Self.stem(of: $0) }
    guard !replaces, let stem, let taken = Self.taken(paths(stem)) else { return }
    throw CaptureError(
      .fileAlreadyExists, "\(taken) exists; choose another name or allow overwriting", errno: EEXIST
    )
  }

  /// Where a file of an exposure goes.
  ///
  /// - Parameters:
  ///   - ending: With its point.
  ///   - exposure: Counted from 1.
  ///   - date: When the photo was taken.
  mutating func path(_ ending: String, exposure: Int, date: Date) -> String {
    let stem = stem ?? free("photo-" + Self.stamp(date))
    self.stem = stem
    return path(stem, ending, exposure)
  }

  private func path(_ stem: String, _ ending: String, _ exposure: Int) -> String {
    Self.path(stem, ending, exposure, of: exposureCount)
  }

  /// The paths of exposures' files of one kind, of a name that was asked for.
  ///
  /// - Parameters:
  ///   - output: As of ``init(output:endings:exposureCount:replaces:)``.
  ///   - ending: With its point.
  package static func paths(output: String, ending: String, exposureCount: Int) -> [String] {
    let stem = stem(of: output)
    return (1...max(exposureCount, 1)).map { path(stem, ending, $0, of: exposureCount) }
  }

  /// A name without the ending of a photo's file.
  private static func stem(of output: String) -> String {
    let ending = [".dng", ".jpg", ".heic"].first { output.lowercased().hasSuffix($0) }
    return String(output.dropLast(ending?.count ?? 0))
  }

  private static func path(
    _ stem: String, _ ending: String, _ exposure: Int, of exposureCount: Int
  ) -> String {
    exposureCount == 1 ? stem + ending : "\(stem)-\(exposure)\(ending)"
  }

  private func paths(_ stem: String) -> [String] {
    (1...exposureCount).flatMap { exposure in endings.map { path(stem, $0, exposure) } }
  }

  /// A stem that no file has: photos of one second are told apart by a letter.
  private func free(_ stem: String) -> String {
    guard !replaces else { return stem }
    let others = (UInt8(ascii: "b")...UInt8(ascii: "z")).map { stem + String(UnicodeScalar($0)) }
    return ([stem] + others).first { Self.taken(paths($0)) == nil } ?? stem + UUID().uuidString
  }

  private static func taken(_ paths: [String]) -> String? {
    paths.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The local time: `20261122-170248`.
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
