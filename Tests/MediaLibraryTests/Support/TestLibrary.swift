import Foundation
import Glibc
import MediaLibrary
import Synchronization
import TestSupport
import Testing

extension TemporaryFolder {
  /// A user whose configuration and notes are beside the folder.
  var user: LibraryUser {
    let home = beside("home")
    return LibraryUser(configuration: home + "/config", state: home + "/state")
  }
}

/// Whether a file's lock was held, each time that somebody looked.
final class LockWitness: Sendable {
  private let seen = Mutex<[Bool]>([])
  var looks: [Bool] { seen.withLock { $0 } }

  /// Looks, with a descriptor of its own as another process has.
  func look(at path: String) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    let isHeld = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0
    if descriptor >= 0 { Glibc.close(descriptor) }
    seen.withLock { $0.append(isHeld) }
  }
}

/// A library in a folder of its own, with a clock that tests set.
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

  /// The same library, opened by somebody else.
  func another(calls: any LibraryFileCalls = SystemLibraryFileCalls()) throws -> TestLibrary {
    try TestLibrary(calls: calls, in: folder)
  }

  /// Takes a file in.
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

  /// All originals in the folder, by their paths from it on.
  var originals: [String] {
    let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return all.filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: root + "/" + path, isDirectory: &isFolder)
      return isThere && !path.hasPrefix(".") && !isFolder.boolValue
    }.sorted()
  }

  /// Checks the promise: no entry without its file, and no file without its entry; every content as
  /// it was hashed; nothing left in the staging folder.
  func expectSound(_ location: SourceLocation = #_sourceLocation) throws {
    let library = PhotoLibrary(
      at: library.url, calls: SystemLibraryFileCalls(), user: folder.user,
      now: { Date().timeIntervalSince1970 })
    library.hookSelection = .none
    // A library that is only read stays as a killed process left it.
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

  /// Opens the library as who comes after a process that is gone, until nothing of that one is left behind: a
  /// program that another test starts has this process's locks, too, until it has begun.
  func openAfterCrash() throws {
    for _ in 0..<1000 {
      try another().library.open()
      if try leftInStaging().isEmpty { return }
      usleep(10_000)
    }
  }

  /// What lies in the staging folder, but for the empty folders that stay.
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
  /// A library with a RAW photo and pictures, so many in all.
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

  /// Turns a bit of a file.
  static func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x40
    try bytes.write(to: URL(filePath: path))
  }
}
