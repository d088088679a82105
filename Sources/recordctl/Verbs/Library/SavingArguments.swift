import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import Takes
import VideoRecorder

/// Whether what was recorded or taken goes into a library, and into which.
struct SavingArguments: ParsableArguments {
  @Flag(help: "Move the result into the library.")
  var save = false

  @Option(
    help: "Save to this library instead of the default one.", completion: .directory,
    transform: GivenPath.argument)
  var library: String?

  /// True where it was asked for.
  var isWanted: Bool { save || library != nil }

  /// The library: the one that was named, else `folder`, else the user's default.
  func destination(else folder: String? = nil) throws -> PhotoLibrary {
    let photos = try (library ?? folder).map { PhotoLibrary(at: URL(filePath: $0)) } ?? .userDefault
    photos.tellRepairs()
    return photos
  }

  /// Where takes go, as these arguments or a preset say, with the preset's hooks; nil where they stay.
  func destination(for wanted: Preset.Library) throws -> PhotoLibrary? {
    guard isWanted || wanted.saves else { return nil }
    let photos = try destination(else: wanted.folder)
    if let hooks = wanted.hooks { photos.hookSelection = .executables(hooks) }
    return photos
  }

  /// Runs a save. The first SIGINT, SIGTERM or SIGHUP ends the hook that runs; what is saved stays so.
  ///
  /// - Parameter interruption: The one of what was saved, which may go on without its terminal; nil for one of
  ///   its own.
  static func save(
    under interruption: Interruption? = nil,
    _ work: @escaping @Sendable () async throws(MediaLibraryError) -> ChangeReport
  ) async throws(MediaLibraryError) -> ChangeReport {
    let save = { @Sendable () async -> Result<ChangeReport, MediaLibraryError> in
      do throws(MediaLibraryError) { return .success(try await work()) } catch {
        return .failure(error)
      }
    }
    let result =
      if let interruption {
        await interruption.cancelling(save)
      } else {
        await Interruption.cancelling(save)
      }
    switch result {
    case .success(let report): return try report.get()
    case .failure: throw MediaLibraryError(.interrupted, "the save was cancelled")
    }
  }

  /// Tells what became of a save, on standard error.
  static func tell(_ changes: ChangeReport, _ library: PhotoLibrary) {
    for id in changes.createdAssets {
      Console.note("saved as \(id.prefix(8).lowercased()) in \(library.url.path)")
    }
    for line in LibraryText.hooks(changes.hooks) + changes.warnings {
      Console.note(line)
    }
  }
}

/// What became of a take in the library.
struct SavedRecording: Encodable {
  /// Where a take went, and what the hooks did there.
  struct Saving: Encodable {
    /// The library's folder.
    let path: String
    /// The assets, with their files; none where it was not saved, or may not be read.
    var assets: [AssetSummary] = []
    /// The assets' identifiers.
    var createdAssets: [String] = []
    var hooks: [HookReport] = []
    var warnings: [String] = []
    /// Why the take is not in the library.
    var error: ErrorSummary?
  }

  let library: Saving
}

extension SavedRecording.Saving {
  /// A take that a library did not take.
  init(path: String, error: MediaLibraryError) {
    self.init(path: path, error: ErrorSummary(error))
  }

  /// What a library made of a take.
  init(_ changes: ChangeReport, in photos: PhotoLibrary) {
    path = photos.url.path
    createdAssets = changes.createdAssets
    hooks = changes.hooks
    warnings = changes.warnings
    do throws(MediaLibraryError) {
      assets = try photos.fetchAssets(withLocalIdentifiers: changes.createdAssets)
        .map { AssetSummary($0) }
    } catch {
      // A user may be allowed to add assets, but not to read them.
      guard error.code != .accessDenied else { return }
      warnings.append("the files of the new assets cannot be listed: \(error.message)")
    }
  }
}

extension PhotoLibrary {
  /// Tells on standard error what has to be put right before or while the library is used, and that
  /// another change is waited for.
  func tellRepairs() {
    onRepair { report in
      for line in LibraryText.repair(report) { Console.note(line) }
    }
    onWait { Console.note($0) }
  }

  /// The library of the environment or the user's configuration, else the one in the Pictures
  /// folder.
  static var userDefault: PhotoLibrary {
    get throws {
      try RecorderDefaults()[.library].map { PhotoLibrary(at: URL(filePath: $0)) } ?? .shared
    }
  }
}
