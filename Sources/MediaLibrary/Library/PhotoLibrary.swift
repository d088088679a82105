import Dispatch
public import FoundationEssentials
import MediaCore
import Synchronization

/// A library of photos, videos and sound in a folder, as `PHPhotoLibrary`.
///
/// ```swift
/// let library = PhotoLibrary(at: folder)
/// let report = try await library.performChanges {
///   try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: movie)
/// }
/// ```
///
/// The originals lie in the folder by year and month and can be read without this library; all else
/// is in a hidden folder beside them. Several processes may use a library at the same time.
public final class PhotoLibrary: Sendable {
  /// The library's folder.
  public let url: URL
  let layout: LibraryLayout
  let files: LibraryFiles
  private let now: @Sendable () -> Double
  let user: LibraryUser
  /// A search that the index of words finds more for reads all words in order, which is quicker.
  let broadness: Int
  private let state = Mutex<LibraryCore?>(nil)
  let observers = ChangeBroadcaster()
  /// Objects that are told, for a module that has a form of its own for them.
  package let objectObservers = LibraryObservers()
  /// Files are read and written here, and not on the threads that tasks share.
  let queue = DispatchQueue(label: "photo-library", qos: .userInitiated)
  let hooks = Mutex<HookSelection>(.settings)
  let repairLog = Mutex(RepairLog())

  /// The user's library: the folder that `RECORDCTL_LIBRARY` names, or `Recordings` in the folder for
  /// pictures.
  public static let shared = PhotoLibrary(at: defaultURL)

  /// A library in a folder. Nothing is read or made before it is used.
  public convenience init(at url: URL) {
    self.init(
      at: url, calls: SystemLibraryFileCalls(), user: .current,
      now: { Date().timeIntervalSince1970 })
  }

  /// A library over system calls and a clock of the caller's, for a user.
  ///
  /// - Parameter afterMoment: Runs work after the moment in which a wait is not told; nil for a second.
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

  /// Opens the library now, and makes it where there is none. To be changed, it is brought into order
  /// first: what a killed process had begun is completed. Everything else does this by itself.
  ///
  /// To be read, its files are left as they are; a damaged catalogue or journal is made again. A library
  /// that somebody else owns or may write is only opened to be read, until it is trusted by name
  /// (``LibraryTrust``); so is one on a disk that cannot be written. The report tells.
  ///
  /// - Throws: ``MediaLibraryError``: no access, a full disk, a library of a newer version,
  ///   ``MediaLibraryError/Code/untrusted`` for one of a stranger that is to be changed.
  @discardableResult
  public func open(
    for purpose: LibraryPurpose = .changing
  ) throws(MediaLibraryError) -> RepairReport { try opened(for: purpose).report }

  /// Closes the library's files; the next use opens them again.
  public func close() { state.withLock { $0 = nil } }

  /// True where the folder holds a library.
  public var exists: Bool {
    // A journal that was lost leaves a library still.
    [layout.journal, layout.catalogue].contains { ((try? files.status($0)) ?? nil) != nil }
  }

  /// The library's settings.
  ///
  /// - Throws: As ``open(for:)``.
  public var settings: LibrarySettings {
    get throws(MediaLibraryError) { try core(for: .reading).settings }
  }

  /// Changes the library's settings.
  ///
  /// - Throws: As ``open(for:)``, and ``MediaLibraryError/Code/invalidArgument`` for numbers below 0.
  public func setSettings(_ settings: LibrarySettings) throws(MediaLibraryError) {
    let core = try core(for: .changing)
    try settings.check(path: layout.settings)
    try core.locked { () throws(MediaLibraryError) in
      try core.files.replace(layout.settings, with: settings.json)
    }
    state.withLock { $0 = nil }
  }

  /// Makes the catalogue again from the journal and the files: files without an entry get one,
  /// entries without their file go. The files are left as they are.
  ///
  /// - Parameter progress: Told how far it is with the files without an entry, which are read.
  /// - Throws: As ``open(for:)``, and ``MediaLibraryError/Code/accessDenied`` where the settings do not
  ///   allow changes.
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

  /// The library with a catalogue that was made again, in the place of a damaged one.
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

  /// The folder for pictures, as `user-dirs.dirs` of the XDG configuration says it.
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
