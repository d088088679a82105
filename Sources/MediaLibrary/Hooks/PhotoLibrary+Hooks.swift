import FoundationEssentials
import Glibc
import MediaCore
import Synchronization

extension PhotoLibrary {
  /// The hooks that run after each save through this object; replaces the settings' choice.
  public var hookSelection: HookSelection {
    get { hooks.withLock { $0 } }
    set { hooks.withLock { $0 = newValue } }
  }

  /// The executables that run after each save, in order.
  ///
  /// - Throws: Errors of ``open(for:)``; ``MediaLibraryError/Code/fileNotFound`` if a listed hook
  ///   or a named folder of hooks does not exist; ``MediaLibraryError/Code/untrusted`` if the
  ///   library's settings name a folder, but the library is not trusted by name (``LibraryTrust``).
  public func hookPaths() throws(MediaLibraryError) -> [String] {
    switch hookSelection {
    case .none: return []
    case .settings:
      guard let folder = try settings.hooksFolder else {
        return try Self.executables(in: user.configuration + "/hooks")
      }
      try checkTrust(inHooksOf: folder)
      return try Self.executables(inNamed: Self.absolute(folder, from: layout.root))
    case .folder(let folder): return try Self.executables(inNamed: Self.absolute(folder))
    case .executables(let paths):
      // Hooks start in the library's folder, so their paths must not be relative.
      let paths = paths.map { Self.absolute($0) }
      for path in paths where access(path, X_OK) != 0 {
        throw MediaLibraryError(
          .fileNotFound, "\(path): the hook is missing or not executable", errno: errno)
      }
      return paths
    }
  }

  /// Runs the hooks for saved assets. A failing hook is reported and has no effect on the assets.
  func runHooks(
    for identifiers: [String], _ warnings: inout [String]
  ) async -> [HookReport] {
    do throws(MediaLibraryError) {
      let paths = try hookPaths()
      guard !paths.isEmpty else { return [] }
      let assets = try withCore(for: .reading) { core throws(MediaLibraryError) in
        try core.catalogue.read { try Catalogue.records(identifiers: identifiers, $0) }
      }
      let limit = Duration.seconds(min(max(try settings.hookTimeLimit, 0.1), 86_400))
      let runner = HookRunner(hooks: paths, timeLimit: limit)
      var reports: [HookReport] = []
      for record in assets {
        reports += await runner.run(for: AssetSummary(Asset(record, in: self)))
      }
      return reports
    } catch {
      warnings.append("hooks did not run: \(error.message)")
      return []
    }
  }

  /// Like ``executables(in:)``, for a folder named explicitly: if its name is wrong, no hook would
  /// run.
  private static func executables(
    inNamed folder: String
  ) throws(MediaLibraryError) -> [String] {
    guard access(folder, F_OK) == 0 else {
      throw MediaLibraryError(
        .fileNotFound, "\(folder): no such folder of hooks; create it, or name another one",
        errno: errno)
    }
    return try executables(in: folder)
  }

  /// The executables in a folder, sorted by name; none if it is missing. Hidden files and editors'
  /// backups are excluded.
  private static func executables(in folder: String) throws(MediaLibraryError) -> [String] {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    return try files.names(in: folder).filter { name in
      let path = folder + "/" + name
      var status = stat()
      return !name.hasPrefix(".") && !name.hasSuffix("~") && stat(path, &status) == 0
        && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }.map { folder + "/" + $0 }
  }

  private static func absolute(
    _ path: String, from folder: String = FileManager.default.currentDirectoryPath
  ) -> String {
    path.isAbsolutePath ? path : folder + "/" + path
  }

  /// Checks that the user trusts the library by name. Its settings may come from a stranger,
  /// whoever owns the file: a disk without owners assigns all files to the user who plugs it in.
  private func checkTrust(inHooksOf folder: String) throws(MediaLibraryError) {
    guard try LibraryTrust(user: user).contains(files.resolved(layout.root)) else {
      throw MediaLibraryError(
        .untrusted,
        "\(layout.settings): names hooks that belong to the library (\(folder)), which run with your "
          + "permissions once the library is trusted by name")
    }
  }
}
