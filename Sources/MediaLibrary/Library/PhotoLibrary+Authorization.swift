import Dispatch
import Glibc
import MediaCore

extension PhotoLibrary {
  /// What a program may do with the shared library.
  public static func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    shared.authorizationStatus(for: level)
  }

  /// As ``requestAuthorization(for:)-swift.method``, for the shared library.
  public static func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    await shared.requestAuthorization(for: level)
  }

  /// Apple's form, with a callback.
  public static func requestAuthorization(
    for level: AccessLevel, handler: @escaping @Sendable (AuthorizationStatus) -> Void
  ) {
    shared.queue.async { handler(shared.authorizationStatus(for: level)) }
  }

  /// What a program may do with the library: what its settings allow, within the folder's
  /// permissions. Nobody is asked: on Linux the owner of the folder has decided already.
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

  /// As ``authorizationStatus(for:)-swift.method``. There is nothing to wait for.
  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    authorizationStatus(for: level)
  }

  /// A library that is not there yet can be made where the nearest folder allows it.
  private var statusOfNewLibrary: AuthorizationStatus {
    var folder = layout.root
    while access(folder, F_OK) != 0, LibraryFiles.parent(folder) != folder {
      folder = LibraryFiles.parent(folder)
    }
    return access(folder, W_OK | X_OK) == 0 ? .authorized : .denied
  }

  /// Checks that assets can be added, before work whose result is to go into the library: by its
  /// settings, and by the file system's present state. Creates the library if there is none; does not
  /// wait for other users of an existing one.
  ///
  /// - Parameter name: What a file is going to be called.
  /// - Throws: As ``open(for:)``, ``MediaLibraryError/Code/accessDenied``, and
  ///   ``MediaLibraryError/Code/invalidPath`` for a name that no file in a library has.
  public func checkAdding(fileNamed name: String? = nil) throws(MediaLibraryError) {
    if let name { try FileName(name).check() }
    // Settings are not kept from here: they are read again when the change is made.
    if !exists { _ = try opener.open(for: .changing) }
    if let name {
      try NameRules(fileSystemType: files.calls.fileSystemType(layout.root)).check(name)
    }
    try opener.readSettings().check(adds: true, layout)
    try opener.checkWriting()
  }

  /// Makes sure that the settings allow reading.
  func checkReading(_ core: LibraryCore) throws(MediaLibraryError) {
    guard core.settings.access != .addOnly else {
      throw MediaLibraryError(
        .accessDenied,
        "\(layout.root): is add-only by its settings (\(layout.settings)), so nothing is read from it"
      )
    }
  }

  /// Makes sure that the settings allow changes.
  func check(
    _ requests: [ChangeBlock.Request], _ core: LibraryCore
  ) throws(MediaLibraryError) {
    try core.settings.check(adds: requests.allSatisfy(\.isAddition), layout)
  }
}

extension LibrarySettings {
  /// Makes sure that a change is allowed.
  ///
  /// - Parameter adds: True for a change that does nothing but add assets.
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
