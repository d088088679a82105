import Foundation
import Glibc
import MediaLibrary
import Synchronization
import TestSupport
import Testing

/// A change that has to wait for another process says so; others say nothing.
@Suite struct LockWaitTests {
  /// Takes a library's lock like another process.
  private func hold(_ test: TestLibrary) throws -> Int32 {
    let other = open(test.root + "/.medialibrary/lock", O_RDWR | O_CLOEXEC)
    try #require(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
    return other
  }

  @Test func a_long_lock_wait_is_reported_once() async throws {
    let folder = try TemporaryFolder()
    let held = Mutex<Int32>(-1)
    let reported = Mutex<[String]>([])
    let test = try TestLibrary(in: folder) { endOfMoment in
      endOfMoment()
      // The other process releases the lock.
      held.withLock { _ = close($0) }
    }
    test.library.onWait { line in reported.withLock { $0.append(line) } }
    let file = try folder.write(TestMedia.png(), "a.png")
    try await test.add(file)
    #expect(reported.withLock { $0 } == [], "the lock was free")
    for _ in 0..<2 {
      let descriptor = try hold(test)
      held.withLock { $0 = descriptor }
      try test.library.setSettings(try test.library.settings)
      #expect(
        reported.withLock { $0 } == [
          "\(test.root): another change of this library is in progress; waiting until it is complete"
        ])
    }
    try test.expectSound()
  }

  @Test func waiting_for_a_locked_trust_list_is_reported() throws {
    let test = try TestLibrary()
    try test.library.open()
    let configuration = test.folder.user.configuration
    try FileManager.default.createDirectory(
      atPath: configuration, withIntermediateDirectories: true)
    let list = configuration + "/trusted-libraries"
    let other = open(list + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
    let trust = LibraryTrust(user: test.folder.user) { endOfMoment in
      endOfMoment()
      // The other process releases the lock.
      close(other)
    }
    let reported = Mutex<[String]>([])
    trust.onWait { line in reported.withLock { $0.append(line) } }
    try trust.add(test.library.url)
    #expect(
      reported.withLock { $0 } == [
        "\(list): another change of this list is in progress; waiting until it is complete"
      ])
    #expect(try trust.remove(test.library.url), "the lock was free")
    #expect(reported.withLock(\.count) == 1)
  }

  @Test func a_short_lock_wait_is_not_reported() throws {
    let held = Mutex<Int32>(-1)
    let late = Mutex<[@Sendable () -> Void]>([])
    let reported = Mutex(0)
    let test = try TestLibrary { endOfMoment in
      late.withLock { $0.append(endOfMoment) }
      held.withLock { _ = close($0) }
    }
    test.library.onWait { _ in reported.withLock { $0 += 1 } }
    try test.library.open()
    let descriptor = try hold(test)
    held.withLock { $0 = descriptor }
    try test.library.setSettings(try test.library.settings)
    let moments = late.withLock { $0 }
    #expect(moments.count == 1)
    for endOfMoment in moments { endOfMoment() }
    #expect(reported.withLock { $0 } == 0)
  }
}
