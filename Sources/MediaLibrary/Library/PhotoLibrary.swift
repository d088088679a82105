import Dispatch
public import FoundationEssentials
import MediaCore
import Synchronization

/// A library of photos, videos and audio in a folder, like `PHPhotoLibrary`.
///
/// ```swift
/// let library = PhotoLibrary(at: folder)
/// let report = try await library.performChanges {
///   try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: movie)
/// }
/// ```
///
/// Originals are in folders by year and month, and readable without this library; everything else
/// is in a hidden folder beside them. Several processes may use a library at the same time.
public final class PhotoLibrary: Sendable {
  /// The library's folder.
  public let url: URL
  let layout: LibraryLayout
  let files: LibraryFiles
  private let now: @Sendable () -> Double
  let user: LibraryUser
  /// A search with more hits in the word index than this scans all texts in order instead, which is
  /// faster.
  let broadness: Int
  private let state = Mutex<LibraryCore?>(nil)
  let observers = ChangeBroadcaster()
  /// Registered observer objects, for a module with its own observer protocols.
  package let objectObservers = LibraryObservers()
  /// Files are read and written on this queue instead of the shared threads of tasks.
  let queue = DispatchQueue(label: "photo-library", qos: .userInitiated)
  let hooks = Mutex<HookSelection>(.settings)
  let repairLog = Mutex(RepairLog())

  /// The user's library: the folder in `RECORDCTL_LIBRARY`, or `Recordings` in the pictures folder.
  public static let shared = PhotoLibrary(at: defaultURL)

  /// A library in a folder. Nothing is read or created until it is used.
  public convenience init(at url: URL) {
    self.init(
      at: url, calls: SystemLibraryFileCalls(), user: .current,
      now: { Date().timeIntervalSince1970 })
  }

  /// A library with the given system calls, clock and user.
  ///
  /// - Parameter afterMoment: Delays work until a wait for the lock should be reported; nil for a
  ///   second.
  package init(
    at url: URL, calls: any LibraryFileCalls, user: LibraryUser,
    now: @escaping @Sendable () -> Double, broadness: Int = 2_000,
    afterMoment: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.user = user
    self.broadness = broadness
    self.url = url
    layout = LibraryLayout(url)
    files = LibraryFiles(
      calls: calls, lockWait: afterMoment.map { LockWait(afterMoment: $0) } ?? LockWait())
    self.now = now
  }

  /// Opens the library now, creating it if necessary. All other operations open it when needed.
  ///
  /// Opening for changes first completes what a killed process left incomplete. Opening for reading
  /// leaves the files as they are; a damaged catalogue or journal is rebuilt. A library that others
  /// own or may write to is only opened for reading until it is trusted by name (``LibraryTrust``),
  /// and so is one on a disk that cannot be written; the report says so.
  ///
  /// - Throws: ``MediaLibraryError`` if access is denied, the disk is full, or the library was made
  ///   by a newer version; ``MediaLibraryError/Code/untrusted`` when opening a stranger's library
  ///   for changes.
  @discardableResult
  public func open(
    for purpose: LibraryPurpose = .changing
  ) throws(MediaLibraryError) -> RepairReport { try opened(for: purpose).report }

  /// Closes the library's files; the next use opens them again.
  public func close() { state.withLock { $0 = nil } }

  /// True if the folder contains a library; also false if the folder cannot be read, which
  /// ``holdsLibrary()`` reports as an error.
  public var exists: Bool { (try? holdsLibrary()) ?? false }

  /// True if the folder contains a library.
  ///
  /// - Throws: ``MediaLibraryError`` if the folder cannot be read.
  public func holdsLibrary() throws(MediaLibraryError) -> Bool {
    // The journal or the catalogue alone suffices.
    for path in [layout.journal, layout.catalogue] where try files.status(path) != nil {
      return true
    }
    return false
  }

  /// The library's settings.
  ///
  /// - Throws: Errors of ``open(for:)``.
  public var settings: LibrarySettings {
    get throws(MediaLibraryError) { try core(for: .reading).settings }
  }

  /// Changes the library's settings.
  ///
  /// - Throws: Errors of ``open(for:)``, and ``MediaLibraryError/Code/invalidArgument`` for numbers
  ///   below 0.
  public func setSettings(_ settings: LibrarySettings) throws(MediaLibraryError) {
    let core = try core(for: .changing)
    try settings.check(path: layout.settings)
    try core.locked { () throws(MediaLibraryError) in
      try core.files.replace(layout.settings, with: settings.json)
    }
    state.withLock { $0 = nil }
  }

  /// Rebuilds the catalogue from the journal and the files. Files without an entry are added,
  /// entries without their file removed. The files are not changed.
  ///
  /// - Parameter progress: Called with the progress of reading files without an entry.
  /// - Throws: Errors of ``open(for:)``, and ``MediaLibraryError/Code/accessDenied`` if the
  ///   settings do not allow changes.
  public func rebuild(
    progress: LibraryProgress.Handler? = nil
  ) throws(MediaLibraryError) -> RepairReport {
    state.withLock { $0 = nil }
    let report = try opener.rebuild(progress)
    observers.poke()
    return report
  }

  // MARK: Inside

  var opener: LibraryOpener { LibraryOpener(layout: layout, files: files, now: now, user: user) }

  func core(for purpose: LibraryPurpose) throws(MediaLibraryError) -> LibraryCore {
    try opened(for: purpose).core
  }

  private func opened(
    for purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    var failure: MediaLibraryError?
    let result = state.withLock { state -> (core: LibraryCore, report: RepairReport)? in
      if let state, state.isPresent, purpose == .reading || state.purpose == .changing {
        return (state, RepairReport())
      }
      do throws(MediaLibraryError) {
        let opened = try opener.open(for: purpose)
        state = opened.core
        return opened
      } catch {
        failure = error
        return nil
      }
    }
    if let result {
      tell(result.report)
      return result
    }
    throw failure ?? MediaLibraryError(.ioFailed, "\(layout.root): cannot be opened")
  }

  /// Replaces a damaged catalogue by a rebuilt one.
  func mended(_ damaged: LibraryCore) throws(MediaLibraryError) -> LibraryCore {
    let opened = try opener.open(for: damaged.purpose, without: damaged.generation)
    state.withLock { $0 = opened.core }
    tell(opened.report)
    return opened.core
  }

  private static var defaultURL: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["RECORDCTL_LIBRARY"], !path.isEmpty { return URL(filePath: path) }
    return picturesFolder(environment).appending(path: "Recordings")
  }

  /// The pictures folder according to XDG's `user-dirs.dirs`.
  private static func picturesFolder(_ environment: [String: String]) -> URL {
    let home = environment["HOME"] ?? "/"
    let configuration = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    let text = try? String(
      contentsOf: URL(filePath: configuration + "/user-dirs.dirs"), encoding: .utf8)
    for line in text?.split(separator: "\n") ?? [] where line.hasPrefix("XDG_PICTURES_DIR=") {
      let value = String(line.dropFirst("XDG_PICTURES_DIR=".count)).replacing("\"", with: "")
        .replacing("$HOME", with: home)
      if value.hasPrefix("/"), value != home + "/", value != home { return URL(filePath: value) }
    }
    return URL(filePath: home + "/Pictures")
  }
}
