import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import SystemPackage

/// A file that a report of copies is written into.
struct CopyReportFile: Sendable {
  let path: String

  /// - Throws: `ValidationError` for a name that is neither HTML nor PDF.
  static func argument(_ text: String) throws -> CopyReportFile {
    let file = CopyReportFile(path: try GivenPath.argument(text))
    guard file.isHTML || file.isPDF else {
      throw ValidationError(
        "'\(text)': a report is HTML or PDF; use a name ending in .html or .pdf")
    }
    return file
  }

  private var isHTML: Bool {
    [".html", ".htm", ".xhtml"].contains { path.lowercased().hasSuffix($0) }
  }

  private var isPDF: Bool { path.lowercased().hasSuffix(".pdf") }

  /// Makes sure that the report can be written, before hours of copying.
  func checkFolder() throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue,
      FileManager.default.isWritableFile(atPath: folder)
    else {
      throw ValidationError("\(path): its folder is missing or not writable; name another file")
    }
  }

  /// The system's reason, which Foundation wraps.
  static func reason(_ error: any Error) -> String {
    let cause = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError
    return cause.map { "\(Errno(rawValue: $0.code.rawValue))" } ?? error.localizedDescription
  }

  /// Writes the report, over an older one.
  func write(_ report: CopyReport) throws {
    let data = isPDF ? Data(try report.pdf()) : Data(report.html.utf8)
    do { try data.write(to: URL(filePath: path), options: .atomic) } catch {
      throw MediaLibraryError(
        .ioFailed, "\(path): the report cannot be written: \(Self.reason(error))")
    }
  }
}
