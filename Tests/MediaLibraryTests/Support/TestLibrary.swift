import Foundation
import Glibc
import MediaLibrary
import Synchronization
import TestSupport
import Testing

extension TemporaryFolder {
  /// A user whose configuration and state are beside the folder.
  var user: LibraryUser {
    let home = beside("home")
    return LibraryUser(configuration: home + "/config", state: home + "/state")
  }
}

/// Records whether a file's lock was held at each check.
final class LockWitness: Sendable {
  private let seen = Mutex<[Bool]>([])
  var looks: [Bool] { seen.withLock { $0 } }

  /// Checks with a separate descriptor, like another process.
  func look(at path: String) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    let isHeld = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0
    if descriptor >= 0 { Glibc.close(descriptor) }
    seen.withLock { $0.append(isHeld) }
  }
}

/// A library in its own folder, with a clock that tests set.
final class TestLibrary: Sendable {
  let folder: TemporaryFolder
  let library: PhotoLibrary
  let time: Clock

  final class Clock: Sendable {
    private let value = Mutex(1_700_000_000.0)
    var now: Double { value.withLock { $0 } }
    func advance(days: Double) { value.withLock { $0 += days * 86_400 } }
  }

  init(
    calls: any LibraryFileCalls = SystemLibraryFileCalls(), in folder: TemporaryFolder? = nil,
    broadness: Int = 30_000,
    afterMoment: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    let time = Clock()
    self.folder = folder
    self.time = time
    library = PhotoLibrary(
      at: folder.url.appending(path: "Library"), calls: calls, user: folder.user,
      now: { time.now }, broadness: broadness, afterMoment: afterMoment)
    library.hookSelection = .none
  }

  var root: String { library.url.path }

  /// The same library, opened by another object.
  func another(calls: any LibraryFileCalls = SystemLibraryFileCalls()) throws -> TestLibrary {
    try TestLibrary(calls: calls, in: folder)
  }

  /// Imports a file.
  @discardableResult
  func add(
    _ file: URL, as type: AssetResourceType = .photo, moves: Bool = false,
    duplicates: AssetCreationRequest.DuplicatePolicy = .keep
  ) async throws -> ChangeReport {
    try await library.performChanges {
      let request = try AssetCreationRequest.forAsset()
      request.duplicates = duplicates
      request.addResource(
        with: type, fileURL: file, options: AssetResourceCreationOptions(shouldMoveFile: moves))
    }
  }

  /// The paths of all originals, relative to the library's folder.
  var originals: [String] {
    let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return all.filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: root + "/" + path, isDirectory: &isFolder)
      return isThere && !path.hasPrefix(".") && !isFolder.boolValue
    }.sorted()
  }

  /// Checks the library's promises: every entry has its file and every file its entry; all content matches its
  /// hash; the staging folder is empty.
  func expectSound(_ location: SourceLocation = #_sourceLocation) throws {
    let library = PhotoLibrary(
      at: library.url, calls: SystemLibraryFileCalls(), user: folder.user,
      now: { Date().timeIntervalSince1970 })
    library.hookSelection = .none
    // Reading alone does not clean up after a killed process.
    try library.open()
    var options = FetchOptions()
    options.includesRecentlyDeleted = true
    let assets = try library.fetchAssets(with: options).allObjects()
    let paths = assets.flatMap(\.resources).map(\.relativePath)
    #expect(paths.sorted() == originals, sourceLocation: location)
    for resource in assets.flatMap(\.resources) {
      let bytes = try [UInt8](Data(contentsOf: resource.fileURL))
      #expect(
        ContentHash(of: bytes) == resource.contentHash, "\(resource.relativePath)",
        sourceLocation: location)
    }
    #expect(try leftInStaging() == [], sourceLocation: location)
  }

  /// Opens the library after a killed process, until nothing of that process is left: a program started by another
  /// test inherits this process's locks until its exec.
  func openAfterCrash() throws {
    for _ in 0..<1000 {
      try another().library.open()
      if try leftInStaging().isEmpty { return }
      usleep(10_000)
    }
  }

  /// The content of the staging folder, except for the empty folders that are kept.
  func leftInStaging() throws -> [String] {
    let staging = root + "/.medialibrary/staging"
    return try FileManager.default.subpathsOfDirectory(atPath: staging).filter { name in
      var status = stat()
      let isFolder = lstat(staging + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return !isFolder || (name != "kept" && !name.hasPrefix("kept/f"))
    }
  }
}

extension TestLibrary {
  /// A library of `count` photos, one of them RAW.
  static func filled(
    _ count: Int = 3
  ) async throws -> (test: TestLibrary, assets: [Asset]) {
    let test = try TestLibrary()
    let dng = try test.folder.write(TestMedia.dng(), "IMG & <1>.dng")
    try await test.add(dng)
    for seed in 1..<count {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    return (test, try test.library.fetchAssets().allObjects())
  }

  /// Flips one bit of a file.
  static func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x40
    try bytes.write(to: URL(filePath: path))
  }
}
