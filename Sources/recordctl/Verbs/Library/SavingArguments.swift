import ArgumentParser
import Foundation
import MediaLibrary

/// Whether what was recorded or taken goes into a library, and into which.
struct SavingArguments: ParsableArguments {
  @Flag(help: "Move what was made into the library when it is finished.")
  var save = false

  @Option(help: "The library to save to, rather than the user's.", completion: .directory)
  var library: String?

  /// True where it was asked for.
  var isWanted: Bool { save || library != nil }

  /// The library: the one that was named, else `folder`, else the user's.
  func destination(else folder: String? = nil) -> PhotoLibrary {
    (library ?? folder).map { PhotoLibrary(at: URL(filePath: $0)) } ?? .shared
  }

  /// Tells what became of a save, on standard error.
  static func tell(_ changes: ChangeReport, _ library: PhotoLibrary) {
    for id in changes.createdAssets {
      Console.note("recordctl: saved as \(id.prefix(8).lowercased()) in \(library.url.path)")
    }
    for line in LibraryText.hooks(changes.hooks) + changes.warnings {
      Console.note("recordctl: \(line)")
    }
  }
}
