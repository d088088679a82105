import Foundation
import TestSupport
import Testing

/// Jobs on a disk that lacks common features, mounted by `Lab/poor-disk`: what `encode` reports, with which
/// status, and that nothing is lost.
@Suite(
  .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence),
  .enabled(if: PoorDisk.obstacle == nil, Comment(rawValue: PoorDisk.obstacle ?? "")), .serialized)
struct EncodeDiskTests {
  private let folder: TemporaryFolder
  private let disk: PoorDisk

  init() throws {
    folder = try TemporaryFolder()
    disk = try PoorDisk(in: folder)
    _ = try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=1.2 -f lavfi -i sine=440:d=1.2 -pix_fmt yuv422p10le "
        + "-c:v prores_ks -profile:v 1 -c:a pcm_s16le \(folder.path("a.mov"))")
  }

  @discardableResult
  private func run(
    _ arguments: String..., status: Int32 = 0, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try Recordctl(["encode"] + arguments, in: folder.url)
    let text = run.output + run.errors
    #expect(run.status == status, "\(arguments): \(text)", sourceLocation: location)
    return text
  }

  private func plan(_ job: String) throws {
    try run("plan", "a.mov", "-o", job, "--parts", "3", "--restart", "10", "--codec", "lt")
  }

  /// The movie that the same job makes on a normal disk.
  private func expectedMovie() throws -> [UInt8] {
    try plan("whole")
    try run("part", "whole", "0-2")
    try run("join", "whole")
    return try folder.bytes("whole/movies/a.mov")
  }

  private func parts(_ job: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("\(job)/parts")).sorted()
  }

  @Test func a_disk_without_folder_renaming_is_refused_before_encoding() throws {
    try disk.lack("folder-rename")
    let text = try run("plan", "a.mov", "-o", "mnt/job", "--codec", "lt", status: 2)
    #expect(text.contains("does not rename a folder") && text.contains("ext4, XFS or NFS"))
    #expect(!folder.contents.contains("mnt/job/plan.json"))
    #expect(try parts("mnt/job").isEmpty)
  }

  @Test func two_workers_need_neither_file_locks_nor_direct_io() throws {
    try disk.lack("locks", "direct")
    try plan("mnt/job")
    let workers = try (0..<2).map { _ in
      try Recordctl.start(["encode", "part", folder.path("mnt/job"), "0-2"])
    }
    for worker in workers {
      worker.waitForExit()
      #expect(worker.terminationStatus == 0)
    }
    #expect(try parts("mnt/job") == ["000000", "000001", "000002"])
    try run("join", "mnt/job")
    #expect(try folder.bytes("mnt/job/movies/a.mov") == expectedMovie())
  }

  @Test func finished_parts_survive_a_disk_that_stops_renaming() throws {
    try plan("mnt/job")
    try run("part", "mnt/job", "0")
    try disk.lack("folder-rename")
    let refusal = try run("part", "mnt/job", "1", status: 2)
    #expect(refusal.contains("does not rename a folder"))
    #expect(try parts("mnt/job") == ["000000"])
    try disk.lack()
    #expect(try run("part", "mnt/job", "0-2").contains("part 0: is there"))
    try disk.lack("rename")
    #expect(try run("join", "mnt/job", status: 2).contains("Operation not permitted"))
    #expect(try parts("mnt/job").count == 3)
    try disk.lack()
    try run("join", "mnt/job")
    #expect(try folder.bytes("mnt/job/movies/a.mov") == expectedMovie())
  }

  @Test func a_plan_that_failed_on_a_full_disk_can_be_repeated() throws {
    try disk.lack("room")
    let text = try run("plan", "a.mov", "-o", "mnt/job", "--codec", "lt", status: 75)
    #expect(text.contains("No space left"))
    #expect(!folder.contents.contains("mnt/job/plan.json"))
    try disk.lack()
    try plan("mnt/job")
    try run("part", "mnt/job", "0-2")
    try run("join", "mnt/job")
    #expect(try folder.bytes("mnt/job/movies/a.mov") == expectedMovie())
  }

  @Test(arguments: ["room", "server"])
  func temporary_disk_failures_are_retried_without_loss(what: String) throws {
    try plan("mnt/job")
    try run("part", "mnt/job", "0")
    try disk.lack(what)
    let text = try run("part", "mnt/job", "1", status: 75)
    #expect(text.contains(what == "room" ? "No space left" : "tale"), "\(text)")
    try disk.lack()
    try run("part", "mnt/job", "1-2")
    try disk.lack(what)
    try run("join", "mnt/job", status: 75)
    try disk.lack()
    #expect(try parts("mnt/job") == ["000000", "000001", "000002"])
    try run("join", "mnt/job")
    #expect(try folder.bytes("mnt/job/movies/a.mov") == expectedMovie())
  }
}

/// A disk that lacks some features, mounted for the lifetime of this object.
private final class PoorDisk {
  private static let program = Lab.folder + "/poor-disk"
  private static let python = "/usr/bin/python3"

  /// Why such a disk is unavailable here; nil if it is available.
  static let obstacle: String? = {
    guard Judges.find("fusermount3") != nil,
      FileManager.default.isReadableFile(atPath: "/dev/fuse")
    else { return "FUSE is missing: Debian's fuse3, and /dev/fuse" }
    let answer = try? Command.run(python, [program, "--help"])
    return answer?.status == 0 ? nil : "fusepy is missing: Debian's python3-fusepy"
  }()

  private let process = Process()
  private let folder: TemporaryFolder

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    try folder.makeFolder("disk")
    try folder.makeFolder("mnt")
    process.executableURL = URL(filePath: Self.python)
    process.arguments = [Self.program, folder.path("disk"), folder.path("mnt")]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let process = process
    try Command.withSignalsUnblocked { try process.run() }
    let outside = try FileManager.default.attributesOfItem(atPath: folder.path)[.systemNumber]
    try waitUntil("the disk is mounted") {
      let inside = try? FileManager.default.attributesOfItem(
        atPath: folder.path("mnt"))[.systemNumber]
      guard process.isRunning else { throw Unusable(description: "no disk can be mounted here") }
      return inside as? Int != outside as? Int
    }
  }

  deinit {
    _ = try? Command.run("fusermount3", ["-u", "-z", folder.path("mnt")])
    process.waitForExit()
  }

  /// Sets the features that are lacking from now on.
  func lack(_ words: String...) throws {
    try folder.write(words.joined(separator: "\n"), "disk/.lacks")
  }
}
