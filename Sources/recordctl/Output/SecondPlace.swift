import AssetWriter
import MediaCore
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
    secondFolder = SecondFolder(copy.path.parentPath, beside: report.movie.path.parentPath)
  }
}
