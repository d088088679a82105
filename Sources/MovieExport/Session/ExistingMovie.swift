import AssetReader
import CaptureDevices
import Foundation
import MediaCore
import QuickTime
import TakeReports

/// What exists at an export's output path, and how it was made.
struct ExistingMovie {
  /// The state of the existing file.
  enum State { case none, complete, incomplete }

  let state: State
  private let path: String
  private var codec: VideoCodecType?
  private var sidecar: TakeSidecar?

  /// Examines the file at a movie's path.
  ///
  /// - Parameter mayStay: True if a complete movie may be kept.
  /// - Throws: `CaptureError` if the file is not a movie and `mayStay` is true.
  init(path: String, mayStay: Bool) throws(CaptureError) {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else {
      state = .none
      return
    }
    do throws(QuickTimeError) {
      let index = try MovieIndex(path: path)
      codec = index.videoTrack.flatMap { track in
        VideoCodecType.allProRes.first { $0.rawValue == "\(track.codec)" }
      }
      sidecar = try? SidecarFile(ofMovie: path).read()
      // If the source was incomplete then, it may be complete now.
      let endsEarly = sidecar?.encoding?.prematureEnd != nil
      state = index.completion == .finished && !endsEarly ? .complete : .incomplete
    } catch {
      // An export killed before its first write leaves an empty file.
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      guard mayStay, facts?[.size] as? Int != 0 else {
        state = .incomplete
        return
      }
      throw CaptureError(
        .outputFailed, "\(path) exists and is not a movie; choose another folder or name")
    }
  }

  /// Notes on what is unknown about a complete movie, and on how it was made differently.
  func notes(wanted session: AssetExportSession) -> [ExportNote] {
    var differences = codecDifference(session).map { [$0] } ?? []
    var notes: [ExportNote] = []
    if let request = sidecar?.request {
      differences += inputDifference(request.input, session.location).map { [$0] } ?? []
      if let options = request.options {
        differences += ExportOptions(options).differences(from: ExportOptions(session))
      } else {
        notes.append(
          ExportNote(
            .assumed, "options",
            "its sidecar does not say how video and audio were processed; assumed as requested now"
          ))
      }
    } else {
      let words =
        FileManager.default.fileExists(atPath: SidecarFile(ofMovie: path).path)
        ? "its sidecar cannot be read to tell" : "it has no sidecar to tell"
      notes.append(
        ExportNote(
          .assumed, "sidecar",
          "\(words) whether its source was complete and how it was processed; assumed complete"))
    }
    guard !differences.isEmpty else { return notes }
    let made = ExportNote(
      .changed, "options",
      "it was made with other settings: \(differences.joined(separator: ", ")); left unchanged; remove it to encode it again"
    )
    return [made] + notes
  }

  private func codecDifference(_ session: AssetExportSession) -> String? {
    guard let codec else { return nil }
    var wanted = session.codec
    if wanted == nil {
      // Then, too, the source determined the codec.
      if let options = sidecar?.request.options, options["codec"] == nil { return nil }
      wanted = (try? AssetReader(session.location))?.videoTrack.map { session.codec(for: $0) }
    }
    guard let wanted, wanted != codec else { return nil }
    return ExportOptions.difference("codec", codec.shortName, wanted.shortName)
  }

  /// Detects another source of the same name, such as from another card. A relative path may have
  /// been relative to another folder.
  private func inputDifference(_ input: String?, _ location: AssetLocation) -> String? {
    guard let input else { return nil }
    // The sidecar of joined parts names raw video with its settings as well.
    let made = (try? AssetLocation(input)) ?? AssetLocation(path: input)
    let (was, now) = (made.displayName, location.displayName)
    guard was != now else { return nil }
    let areComparable = was.isAbsolutePath && now.isAbsolutePath
    guard was.pathName != now.pathName || areComparable else { return nil }
    let plain = [was, now].map { ($0 as NSString).standardizingPath }
    guard plain[0] != plain[1], !areComparable || !location.isSameFile(asPath: was) else {
      return nil
    }
    return ExportOptions.difference("source", was, now)
  }
}
