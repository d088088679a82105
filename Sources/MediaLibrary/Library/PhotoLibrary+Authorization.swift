import Dispatch
import Glibc
import MediaCore

extension PhotoLibrary {
  /// What a program may do with the shared library.
  public static func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    shared.authorizationStatus(for: level)
  }

  /// Like ``requestAuthorization(for:)-swift.method``, for the shared library.
  public static func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    await shared.requestAuthorization(for: level)
  }

  /// Apple's variant with a callback.
  public static func requestAuthorization(
    for level: AccessLevel, handler: @escaping @Sendable (AuthorizationStatus) -> Void
  ) {
    shared.queue.async { handler(shared.authorizationStatus(for: level)) }
  }

  /// What a program may do with the library: what its settings and the folder's permissions both
  /// allow. The user is not asked, because on Linux the owner of the folder has decided already.
  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    guard exists else { return statusOfNewLibrary }
    guard access(layout.hidden, W_OK | X_OK) == 0, access(layout.root, W_OK | X_OK) == 0 else {
      return .denied
    }
    guard (try? opener.restriction()) == .some(nil) else { return .denied }
    switch (try? settings.access, level) {
    case (.readWrite, _), (.addOnly, .addOnly): return .authorized
    case (.addOnly, .readWrite), (.readOnly, _): return .restricted
    case (nil, _): return .denied
    }
  }

  /// Like ``authorizationStatus(for:)-swift.method``. There is nothing to wait for.
  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    authorizationStatus(for: level)
  }

  /// A new library can be created if the nearest existing folder permits it.
  private var statusOfNewLibrary: AuthorizationStatus {
    var folder = layout.root
    while access(folder, F_OK) != 0, LibraryFiles.parent(folder) != folder {
      folder = LibraryFiles.parent(folder)
    }
    return access(folder, W_OK | X_OK) == 0 ? .authorized : .denied
  }

  /// Checks that assets can be added, before work whose result is to go into the library. Considers
  /// its settings and the current state of the file system. Creates the library if it does not
  /// exist, and does not wait for other users of an existing one.
  ///
  /// - Parameter name: The intended name of a file.
  /// - Throws: Errors of ``open(for:)``, ``MediaLibraryError/Code/accessDenied``, and
  ///   ``MediaLibraryError/Code/invalidPath`` if the library cannot have a file of that name.
  public func checkAdding(fileNamed name: String? = nil) throws(MediaLibraryError) {
    if let name { try FileName(name).check() }
    // Settings are not cached: the change reads them again.
    if !exists { _ = try opener.open(for: .changing) }
    if let name {
      try NameRules(fileSystemType: files.calls.fileSystemType(layout.root)).check(name)
    }
    try opener.readSettings().check(adds: true, layout)
    try opener.checkWriting()
  }

  /// Checks that the settings allow reading.
  func checkReading(_ core: LibraryCore) throws(MediaLibraryError) {
    guard core.settings.access != .addOnly else {
      throw MediaLibraryError(
        .accessDenied,
        "\(layout.root): is add-only by its settings (\(layout.settings)), so it cannot be read"
      )
    }
  }

  /// Checks that the settings allow these changes.
  func check(
    _ requests: [ChangeBlock.Request], _ core: LibraryCore
  ) throws(MediaLibraryError) {
    try core.settings.check(adds: requests.allSatisfy(\.isAddition), layout)
  }
}

extension LibrarySettings {
  /// Checks that a change is allowed.
  ///
  /// - Parameter adds: True if the change only adds assets.
  /// - Throws: ``MediaLibraryError/Code/accessDenied``.
  func check(adds: Bool, _ layout: LibraryLayout) throws(MediaLibraryError) {
    switch access {
    case .readWrite: return
    case .addOnly where adds: return
    case .addOnly, .readOnly:
      throw MediaLibraryError(
        .accessDenied,
        "\(layout.root): is \(access.rawValue) by its settings (\(layout.settings))")
    }
  }
}
