import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// `recordctl library import`
struct LibraryImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Imports photos, videos and audio into the library.",
    discussion: """
      Folders are searched. Each file is imported together with the files of the same name beside \
      it: its report, checksums and edits (XMP). A RAW file and a processed one of the same name \
      become one photo. Files that the library already has are skipped.
      """)

  @OptionGroup var place: LibraryArguments

  @Argument(help: "Files and folders.", completion: .file(), transform: GivenPath.argument)
  var files: [String]

  @Flag(help: "Move the files into the library instead of copying them.")
  var move = false

  @Flag(help: "Also import files that the library already has.")
  var keepDuplicates = false

  @Flag(
    name: [.customLong("favorite"), .customLong("favourite")],
    help: "Mark the new assets as favorites.")
  var favorite = false

  @Flag(help: "Do not run hooks.")
  var noHooks = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .changing, makes: true)
    if noHooks { library.hookSelection = .none }
    var options = ImportOptions()
    options.moves = move
    options.duplicates = keepDuplicates ? .keep : .skip
    options.isFavorite = favorite
    let line = LibraryProgressLine()
    let result = await Interruption.cancelling { [options, files] in
      try await library.importFiles(files.map { URL(filePath: $0) }, options: options) {
        line.show($0)
      }
    }
    line.clear()
    let report = try result.get()
    if json { try Console.print(.libraryImport, report) } else { try print(report, library) }
    // What keeps all files out is told once.
    var reported: Set<String> = []
    let (cut, failures) = (
      report.failures.filter { $0.code == MediaLibraryError.Code.interrupted.name },
      report.failures.filter { $0.code != MediaLibraryError.Code.interrupted.name }
    )
    if !cut.isEmpty {
      Console.note(
        "interrupted; \(Quantity.count(cut.count, "file")) not imported; run it again to continue")
    }
    for failure in failures where reported.insert(failure.message).inserted {
      Console.note(failure.message)
    }
    for warning in report.warnings { Console.note(warning) }
    if report.wasInterrupted { throw ExitStatus.endedEarly.exit }
    guard !report.failures.isEmpty else { return }
    // Nothing but bad files: bad input. Some of each: it failed in part.
    throw (report.imported.isEmpty ? ExitStatus.badInput : .failure).exit
  }

  private func print(_ report: ImportReport, _ library: PhotoLibrary) throws {
    var lines: [String] = []
    if !report.imported.isEmpty {
      // Nothing is read from a library that one may only add to.
      if try library.settings.access == .addOnly {
        lines += report.imported.map { "\($0.asset.prefix(8).lowercased())  \($0.path)" }
      } else {
        let assets = try library.fetchAssets(withLocalIdentifiers: report.imported.map(\.asset))
        lines += LibraryText.table(assets)
      }
    }
    for duplicate in report.duplicates {
      let id = duplicate.existingAsset.prefix(8).lowercased()
      lines.append(
        "\(duplicate.source): already in the library as \(id)"
          + (duplicate.wasSkipped ? "; left out" : "")
          + (LibraryText.omittedCompanions(with: duplicate).map { ", and with it \($0)" } ?? ""))
    }
    lines += LibraryText.ignored(report)
    lines += LibraryText.hooks(report.hooks)
    // As where a card is not mounted, and its folder is empty.
    if lines.isEmpty, report.failures.isEmpty {
      lines = [
        "nothing to import: no photo, movie or audio file in \(files.joined(separator: ", "))"
      ]
    }
    if !lines.isEmpty { Console.print(lines) }
  }
}

extension Result where Failure == any Error {
  /// The result of work that waits.
  static func awaiting(_ work: () async throws -> Success) async -> Self {
    do { return .success(try await work()) } catch { return .failure(error) }
  }
}
