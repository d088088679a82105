import AssetWriter
import QuickTime
import Takes
import VideoRecorder

/// Where movies are written as well, as a part of a document.
struct SecondPlace: Encodable {
  /// nil where they have one place.
  let secondFolder: SecondFolder?
}

extension SecondPlace {
  /// Where the movies of a take were written as well. Of a take that lost a place nothing is asked: its
  /// disk may hang.
  init(of report: RecordingReport) {
    let copies = report.segments.flatMap { $0.copies ?? [] }
    guard let copy = copies.first, copies.allSatisfy(\.isWhole) else {
      secondFolder = nil
      return
    }
    secondFolder = SecondFolder(
      Self.folder(of: copy.path), beside: Self.folder(of: report.movie.path))
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
