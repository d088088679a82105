import Foundation
import TestSupport
import Testing

/// How the command handles full disks and locked or protected files.
@Suite(.serialized) struct StorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let isRoot = geteuid() == 0

  private func record(_ arguments: String..., to file: String) throws -> Recordctl {
    try Recordctl(
      ["record", "--size", "640x360", "--rate", "25", "-o", file] + arguments)
  }

  /// Runs a system tool; false if it failed.
  private func tool(_ name: String, _ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitForExit()
    return process.terminationStatus == 0
  }

  /// Runs `body` with a separate file system of this size.
  private func withSmallDisk(
    _ size: String, options: String = "rw", _ body: (_ folder: String) throws -> Void
  ) throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard tool("mount", "-t", "tmpfs", "-o", "size=\(size),\(options)", "tmpfs", disk) else {
      try Test.cancel("this machine does not allow tests to mount a file system")
    }
    defer { _ = tool("umount", "-l", disk) }
    try body(disk)
  }

  @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
  func a_disk_filling_up_leaves_a_valid_movie_with_status_4() throws {
    // Room for the ten-second reserve, for the space allocated ahead, and for a second or two.
    try withSmallDisk("64m") { disk in
      let file = disk + "/a.mov"
      let run = try record(
        "--device", "pattern:noise?pace=none", "--codec", "hq", "--duration", "2000f", to: file)
      #expect(run.status == 4, "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(disk))
      #expect(try Recordctl.isValid(file))
    }
  }

  /// A partial movie would pass for a whole one when the batch runs again.
  @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
  func a_batch_leaves_no_partial_movie_on_a_full_disk() throws {
    let source = folder.path("a.mov")
    _ = try record(
      "--device", "pattern:noise?pace=none", "--codec", "hq", "--duration", "200f", to: source)
    let batch = ["encode", source, "--codec", "hq", "--skip-existing", "--json"]
    try withSmallDisk("20m") { disk in
      let arguments = batch + ["--output-folder", disk + "/out"]
      let full = try Recordctl(arguments)
      #expect(full.status == 1 && full.output.contains("No space left"), "\(full.output)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk + "/out") == [])
      guard tool("mount", "-o", "remount,size=400m", disk) else {
        try Test.cancel("this machine does not allow tests to enlarge a file system")
      }
      let again = try Recordctl(arguments)
      #expect(again.status == 0, "\(again.output)\(again.errors)")
      #expect(try Recordctl.isValid(disk + "/out/a.mov"))
    }
  }

  /// Without a reserve the disk fills to its last block.
  @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
  func a_disk_full_to_the_last_block_leaves_a_valid_movie() throws {
    try "[limits]\nmin-free-seconds = 0\n".write(
      toFile: folder.path("p.toml"), atomically: true, encoding: .utf8)
    try withSmallDisk("24m") { disk in
      let file = disk + "/a.mov"
      let run = try Recordctl([
        "record", "--preset", folder.path("p.toml"), "--device", "pattern:noise?pace=none",
        "--size", "1920x1080", "--rate", "25", "--codec", "hq", "--json", "-o", file,
      ])
      #expect(run.status == 4, "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(disk))
      let report = try #require(try run.json() as? [String: Any])
      #expect(report["end"] as? String == "diskFull" && report["isValid"] as? Bool == true)
      let verified = try Recordctl(["verify", file])
      #expect(verified.status == 0, "\(verified.output)")
      #expect(verified.output.contains("the file agrees"))
      // Everything except the space kept for the index was used, and that space was released.
      let size = Recordctl.size(file)
      #expect(size > 7_000_000)
      var facts = stat()
      #expect(stat(file, &facts) == 0)
      #expect(Int(facts.st_blocks) * 512 < size + 65_536)
      #expect(FileManager.default.contents(atPath: file + ".json") != nil)
    }
  }

  @Test(.enabled(if: isRoot, "mounting a small disk requires root"))
  func a_full_disk_is_refused_before_writing() throws {
    try withSmallDisk("20m") { disk in
      try record("--device", "pattern?pace=none", "--duration", "5f", to: disk + "/a.mov")
        .expectRefusal(naming: disk, "make room")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)
    }
  }

  @Test(
    .tags(.judges),
    .enabled(
      if: isRoot && Judges.arePresent, "mounting a small disk requires root, and the source ffmpeg")
  )
  func an_encode_on_a_full_disk_leaves_a_valid_movie_or_none() throws {
    let source = folder.path("in.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4,noise=alls=60:allf=t", "-pix_fmt",
      "yuv422p10le", "-c:v", "v210", source,
    ])
    for size in ["1m", "6m"] {
      try withSmallDisk(size) { disk in
        let file = disk + "/a.mov"
        let run = try Recordctl(["encode", source, "-o", file, "--codec", "hq"])
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        if run.status == 4 {
          #expect(try Recordctl.isValid(file))
        } else {
          #expect(run.status == 2, "\(run.errors)")
          #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)
        }
      }
    }
  }

  @Test(.enabled(if: isRoot, "mounting a read-only disk requires root"))
  func a_read_only_disk_is_refused_by_name() throws {
    try withSmallDisk("200m", options: "ro") { disk in
      try record("--device", "pattern?pace=none", "--duration", "5f", to: disk + "/a.mov")
        .expectRefusal(naming: disk + "/a.mov", "Read-only", "choose a folder")
      // A missing device, because the encoding would be measured for seconds.
      let check = try Recordctl(["check", "--device", "/dev/video987", "--output", disk])
      let line = check.output.split(separator: "\n").first { $0.hasPrefix("NO  disk") }
      #expect(check.status == 2 && line?.contains("Read-only") == true, "\(check.output)")
    }
  }

  @Test func a_folder_without_write_permission_is_refused() throws {
    let place = folder.path("closed")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    if Self.isRoot {
      // Root can write anywhere except to an immutable folder.
      guard tool("chattr", "+i", place) else {
        try Test.cancel("this file system has no immutable folders")
      }
    } else {
      chmod(place, 0o500)
    }
    defer { if Self.isRoot { _ = tool("chattr", "-i", place) } else { chmod(place, 0o700) } }
    try record("--device", "pattern?pace=none", "--duration", "5f", to: place + "/a.mov")
      .expectRefusal(naming: place + "/a.mov", "choose a folder")
  }

  @Test func a_take_in_use_by_another_recorder_is_not_touched() throws {
    let file = folder.path("a.mov")
    let first = try Recordctl.start([
      "record", "--device", "pattern", "--size", "640x360", "--rate", "25", "--codec", "proxy",
      "-o", file,
    ])
    try waitUntil("the movie grows") { Recordctl.size(file) >= 100_000 }
    try record("--device", "pattern", "--duration", "2f", "--overwrite", to: file)
      .expectRefusal(naming: "a.mov", "another process")
    try Recordctl(["recover", file]).expectRefusal(naming: "a.mov", "another process")
    first.interrupt()
    first.waitForExit()
    #expect(first.terminationStatus == 0 || first.terminationStatus == 3)
    #expect(try Recordctl.isValid(file))
  }

  /// A file with another file mounted over it cannot be replaced: `rename` fails with EBUSY.
  @Test func a_movie_that_cannot_replace_another_is_kept_beside_it() throws {
    let file = folder.path("a.mov")
    _ = try record("--device", "pattern?pace=none", "--duration", "5f", to: file)
    let old = try Data(contentsOf: URL(filePath: file))
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
      "mount --bind \"$1\" \"$1\" || exit 99; shift; exec \"$@\"", "sh", file,
      Recordctl.binary.path, "record", "--json", "--device", "pattern?pace=none", "--size",
      "640x360", "--rate", "25", "--duration", "50f", "--overwrite", "-o", file,
    ]
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitForExit()
    guard let report = try? JSONSerialization.jsonObject(with: printed) as? [String: Any] else {
      guard ![1, 99].contains(process.terminationStatus) || said.contains("recordctl:") else {
        try Test.cancel("this machine does not allow mounting in a private namespace")
      }
      Issue.record("status \(process.terminationStatus): \(said)")
      return
    }
    #expect(process.terminationStatus == 3)
    let beside = folder.path("a.new.mov")
    #expect(
      said.contains("\(file): cannot replace: Device or resource busy")
        && said.contains("the new movie remains in \(beside)"), "\(said)")
    #expect((report["movie"] as? [String: Any])?["path"] as? String == beside)
    #expect(try Data(contentsOf: URL(filePath: file)) == old)
    #expect(try Recordctl.isValid(beside))
    #expect(folder.contents == ["a.mov", "a.mov.json", "a.new.mov", "a.new.mov.json"])
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, "ffmpeg is not installed"))
  func the_source_is_never_overwritten() throws {
    let source = folder.path("in.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-pix_fmt", "yuv422p10le", "-c:v",
      "v210", source,
    ])
    let before = try Data(contentsOf: URL(filePath: source))
    let link = folder.path("link.mov")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
    for output in [source, link] {
      try Recordctl(["encode", source, "-o", output, "--overwrite"])
        .expectRefusal(naming: output, "choose another name")
      try Recordctl(["record", "--device", "file:\(source)", "-o", output, "--overwrite"])
        .expectRefusal(naming: output, "choose another name")
    }
    #expect(try Data(contentsOf: URL(filePath: source)) == before)
  }
}
