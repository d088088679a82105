import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Takes whose folder others rename or delete around a segment change.
@Suite struct SegmentFolderTests {
  private static let names = ["take.mov"] + (2...5).map { "take-00\($0).mov" }

  /// A take of fifty frames, split every twelve, in the folder `a`.
  private func rig() throws -> SegmentRig {
    var rig = try SegmentRig()
    _ = try rig.folder.makeFolder("a")
    rig.policy.maximumFrameCount = 12
    return rig
  }

  /// Creates files, and calls `meanwhile` just before the second file of the take is created.
  private func files(
    _ rig: SegmentRig, beforeSecond meanwhile: @escaping @Sendable () throws -> Void
  ) -> SegmentFiles.MakeFile {
    let isDue = Mutex(true)
    let second = rig.folder.path("a/take-002.mov")
    return { url throws(QuickTimeError) in
      let isNow = isDue.withLock { isDue in
        defer { if url.path == second { isDue = false } }
        return isDue && url.path == second
      }
      if isNow {
        do { try meanwhile() } catch { throw QuickTimeError(.ioFailed, "\(error)") }
      }
      return try SegmentRig.makeFile(url)
    }
  }

  private func names(_ rig: SegmentRig, _ place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: rig.folder.path(place)).sorted()
  }

  @Test func a_take_continues_in_a_folder_renamed_at_a_split() async throws {
    let rig = try rig()
    let (old, new) = (rig.folder.url("a"), rig.folder.url("ax"))
    let (report, error) = try await rig.record(
      "a/take.mov",
      makeFile: files(rig) { try FileManager.default.moveItem(at: old, to: new) })
    #expect(error == nil)
    #expect(report.segments.map(\.frameCount) == [12, 12, 12, 12, 2])
    #expect(
      report.segments.dropFirst().map(\.path) == Self.names.dropFirst().map { "\(new.path)/\($0)" })
    #expect(try names(rig, "ax") == Self.names.sorted())
    #expect(!FileManager.default.fileExists(atPath: old.path))
  }

  @Test func a_folder_deleted_at_a_split_is_created_again() async throws {
    let rig = try rig()
    let folder = rig.folder.url("a")
    let (report, error) = try await rig.record(
      "a/take.mov",
      makeFile: files(rig) { try FileManager.default.removeItem(at: folder) })
    #expect(error == nil)
    #expect(report.segments.map(\.frameCount) == [12, 12, 12, 12, 2])
    #expect(
      report.segments.dropFirst().map(\.path)
        == Self.names.dropFirst().map { rig.folder.path("a/\($0)") })
    #expect(try Set(names(rig, "a")).isSuperset(of: Self.names.dropFirst()))
  }

  @Test func renaming_the_first_folder_loses_neither_copy() async throws {
    var rig = try rig()
    let second = try rig.folder.makeFolder("b").path
    rig.configure = { $0.secondFolder = second }
    let (old, new) = (rig.folder.url("a"), rig.folder.url("ax"))
    let (report, error) = try await rig.record(
      "a/take.mov",
      makeFile: files(rig) { try FileManager.default.moveItem(at: old, to: new) })
    #expect(error == nil)
    #expect(report.segments.allSatisfy { $0.copies?.map(\.isWhole) == [true] })
    #expect(try names(rig, "ax") == Self.names.sorted())
    #expect(try names(rig, "b") == Self.names.sorted())
  }

  @Test func a_renamed_or_deleted_folder_is_followed_between_movies() throws {
    let folder = try TemporaryFolder()
    let old = try folder.makeFolder("a")
    var files = SegmentFiles(
      take: folder.url("a/take.mov"), policy: SegmentPolicy(), makeFile: SegmentRig.makeFile)
    try files.first().close()
    try FileManager.default.moveItem(at: old, to: folder.url("ax"))
    // It makes no difference that another folder now has the name.
    _ = try folder.makeFolder("a")
    #expect(try files.next().name == folder.path("ax/take-002.mov"))
    try FileManager.default.removeItem(at: folder.url("ax"))
    #expect(try files.next().name == folder.path("ax/take-003.mov"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: old.path) == [])
  }

  @Test func a_folder_that_cannot_be_recreated_is_an_error() throws {
    let folder = try TemporaryFolder()
    let old = try folder.makeFolder("a")
    var files = SegmentFiles(
      take: folder.url("a/take.mov"), policy: SegmentPolicy(), makeFile: SegmentRig.makeFile)
    try files.first().close()
    try FileManager.default.removeItem(at: old)
    // A file in the folder's place: there is nothing to follow and nothing to create.
    try Data("mine".utf8).write(to: old)
    let error = #expect(throws: QuickTimeError.self) { try files.next() }
    #expect(error?.message.contains("take-002.mov") == true)
    #expect(try Data(contentsOf: old).count == 4)
  }
}
