package import CaptureDevices
import FoundationEssentials
package import MediaCore
package import QuickTime

/// Locates, reads and writes sidecars.
package struct SidecarFile {
  /// The sidecar's path: the movie's with `.json` appended.
  package let path: String
  private let file: SmallFile
  /// The largest sidecar that is read, enough for a day at 60 frames per second.
  private static let sizeLimit = 512 << 20

  /// The sidecar of a movie.
  package init(ofMovie movie: String, calls: any FileCalls = SystemFileCalls()) {
    path = movie + ".json"
    file = SmallFile(path: path, calls: calls)
  }

  /// The identity of the current file; nil if there is none.
  var identity: FileIdentity? { file.identity }

  /// Writes the sidecar atomically, through a temporary file.
  ///
  /// - Parameter isExclusive: True to fail if the file exists.
  /// - Returns: The identity of the file written, even if another one has its name by now.
  @discardableResult
  package func write(
    _ sidecar: TakeSidecar, isExclusive: Bool = false
  ) throws(CaptureError) -> FileIdentity {
    let text: SidecarText
    do { text = try SidecarText(sidecar) } catch {
      throw CaptureError(.outputFailed, "\(path): \(error)")
    }
    do throws(QuickTimeError) { return try file.write(text, isExclusive: isExclusive) } catch {
      throw CaptureError(
        .outputFailed, "the movie has no sidecar: \(error.message)", from: error)
    }
  }

  /// Reads the sidecar; nil if there is none.
  ///
  /// - Throws: An error with a one-line description of the problem.
  package func read() throws(CaptureError) -> TakeSidecar? {
    let bytes: [UInt8]?
    do throws(QuickTimeError) { bytes = try file.read(limit: Self.sizeLimit) } catch {
      throw CaptureError(.invalidArgument, from: error)
    }
    guard let bytes else { return nil }
    let data = Data(bytes)
    let decoder = JSONDecoder()
    guard let mark = try? decoder.decode(Mark.self, from: data), mark.isOurs else {
      throw CaptureError(
        .invalidArgument, "\(path) is not the sidecar of a movie, or is damaged; remove it")
    }
    guard mark.version <= DocumentKind.version else {
      throw CaptureError(
        .invalidArgument,
        "\(path) has version \(mark.version), newer than \(DocumentKind.version), the latest that this "
          + "program knows; use a newer program")
    }
    do {
      if mark.schema == nil { decoder.keyDecodingStrategy = SidecarVersion1.keys }
      var sidecar = try decoder.decode(TakeSidecar.self, from: data)
      sidecar.adoptVocabulary()
      return sidecar
    } catch {
      throw CaptureError(
        .invalidArgument,
        "\(path) is a damaged sidecar: \((error as? DecodingError)?.reason ?? "it cannot be read"); remove it"
      )
    }
  }

  /// The fields shared by all versions.
  private struct Mark: Decodable {
    /// Since version 2.
    var schema: String?
    /// In version 1.
    var format: String?
    var version: Int

    var isOurs: Bool {
      schema.map { $0 == DocumentKind.sidecar.schema } ?? (format == SidecarVersion1.formatName)
    }
  }

  /// True if another file, not a sidecar, has the sidecar's name.
  var isSomebodyElses: Bool {
    do throws(CaptureError) {
      _ = try read()
      return false
    } catch {
      return true
    }
  }

  package func remove() { file.remove() }
}
