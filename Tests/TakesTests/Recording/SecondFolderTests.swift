import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Takes

/// Whether a take's second folder is on another disk.
@Suite struct SecondFolderTests {
  /// A device number as in stat(2).
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }

  /// The kernel's files about partitions, from the numbers of the partitions and of their disks.
  private static func partitions(_ disks: [String: String]) -> [String: String] {
    disks.reduce(into: [:]) { files, entry in
      files["/sys/dev/block/\(entry.key)/partition"] = "1\n"
      files["/sys/dev/block/\(entry.key)/../dev"] = entry.value + "\n"
    }
  }

  private func sharesDisk(
    _ first: UInt64?, _ second: UInt64?, _ files: [String: String] = [:]
  ) -> Bool {
    let calls = DiskCalls(
      device: { ["/a": first, "/b": second][$0] ?? nil }, text: { files[$0] })
    return SecondFolder("/b", beside: "/a", calls: calls).sharesDisk
  }

  @Test func folders_on_one_file_system_share_a_disk() {
    #expect(sharesDisk(Self.device(8, 1), Self.device(8, 1)))
    // Not on a disk at all, like file systems in memory.
    #expect(sharesDisk(Self.device(0, 45), Self.device(0, 45)))
    #expect(!sharesDisk(Self.device(0, 45), Self.device(0, 46)))
  }

  @Test func partitions_of_one_disk_share_it() {
    let files = Self.partitions(["8:1": "8:0", "8:2": "8:0", "8:17": "8:16"])
    #expect(sharesDisk(Self.device(8, 1), Self.device(8, 2), files))
    #expect(sharesDisk(Self.device(8, 0), Self.device(8, 2), files))
    #expect(!sharesDisk(Self.device(8, 1), Self.device(8, 17), files))
    let many = Self.partitions(["259:300": "259:256", "4100:70000": "259:256"])
    #expect(sharesDisk(Self.device(259, 300), Self.device(4100, 70_000), many))
  }

  @Test func unknown_devices_are_not_said_to_share_a_disk() {
    #expect(!sharesDisk(nil, nil))
    #expect(!sharesDisk(Self.device(8, 1), nil))
    #expect(!sharesDisk(Self.device(8, 1), Self.device(8, 2)))
    let calls = DiskCalls(device: { _ in nil }, text: { _ in nil })
    #expect(SecondFolder("/b", beside: "/a", calls: calls).warning == nil)
  }

  @Test func the_movie_folder_is_refused_as_the_second_folder() throws {
    let folder = try TemporaryFolder()
    let first = try folder.makeFolder("a").path
    _ = try folder.makeFolder("b")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: first)
    for path in [first, first + "/", folder.path("b/../a"), folder.path("link")] {
      let place = SecondFolder(path, beside: first)
      #expect(place.isFirst, "\(path)")
      #expect(place.warning?.contains("no take can start") == true)
    }
    #expect(!SecondFolder(folder.path("b"), beside: first).isFirst)
    // Neither folder exists yet.
    #expect(SecondFolder("/nowhere/a/../b", beside: "/nowhere/b/").isFirst)
    #expect(!SecondFolder("/nowhere/a", beside: "/nowhere/b").isFirst)
  }

  @Test func folders_on_one_disk_get_a_warning_with_the_remedy() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try folder.makeFolder("a").path, try folder.makeFolder("b").path)
    var request = RecordingRequest(preset: Preset(name: "test"))
    #expect(try request.secondFolder(beside: first) == nil)
    request.preset.secondFolder = second
    let place = try #require(try request.secondFolder(beside: first + "/take.mov"))
    #expect(place.path == second && place.sharesDisk)
    let warning = try #require(place.warning)
    #expect(warning.hasPrefix("\(second) and \(first) are on the same disk"), "\(warning)")
    #expect(warning.contains("name a second folder on another disk"))
    // The request takes precedence over the preset; its output folder is used if no movie is named.
    request.secondFolder = "/proc"
    request.outputFolder = first
    let other = try #require(try request.secondFolder(beside: nil))
    #expect(other.path == "/proc" && !other.sharesDisk && other.warning == nil)
  }
}
