import Foundation
import TestSupport
import Testing

/// A take on two disks, one of which disappears for good during the recording.
@Suite(.timeLimit(.minutes(5))) struct SecondFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func the_report_and_both_sidecars_describe_two_copies() throws {
    _ = try folder.makeFolder("b")
    let run = try Recordctl(
      [
        "record", "--device", "pattern?pace=none", "--size", "640x360", "--rate", "25",
        "--duration",
        "10f", "--second-folder", "b", "-o", "take.mov",
      ], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("complete in \(folder.path("b"))"), "\(run.output)")
    // Both folders are on the test's disk.
    #expect(
      run.errors.contains("recordctl: ONE DISK: b and . are on the same disk"), "\(run.errors)")
    for name in ["take.mov", "take.mov.json"] {
      #expect(try folder.bytes(name) == folder.bytes("b/\(name)"))
    }
    let again = try Recordctl(
      [
        "record", "--device", "pattern?pace=none", "--duration", "10f", "--second-folder", ".",
        "-o",
        "other.mov",
      ], in: folder.url)
    #expect(again.status != 0 && again.errors.contains("name another folder"), "\(again.errors)")
  }

  @Test func folders_on_the_same_disk_are_reported_before_recording() throws {
    _ = try folder.makeFolder("a")
    let second = try folder.makeFolder("b").path
    let preset = try folder.write("[file]\nsecond-folder = \"\(second)\"\n", "two.toml").path
    let small = [
      "--preset", preset, "--device", "pattern?pace=none", "--size", "640x360", "--rate", "25",
    ]
    func expectOneDisk(
      _ run: Recordctl, _ second: String, at location: SourceLocation = #_sourceLocation
    ) throws {
      #expect(run.errors.contains("ONE DISK: \(second)"), "\(run.errors)", sourceLocation: location)
      let reported = (try run.json() as? [String: Any])?["secondFolder"] as? [String: Any]
      #expect(reported?["path"] as? String == second, "\(run.output)", sourceLocation: location)
      #expect(reported?["sharesDisk"] as? Bool == true, sourceLocation: location)
    }
    let output = ["-o", folder.path("a/take.mov"), "--json"]
    let check = try SharedCheck.get()
    try expectOneDisk(check.run, check.secondFolder)
    #expect(check.run.output.contains("\"second disk\""), "\(check.run.output)")
    try expectOneDisk(Recordctl(["record", "--duration", "5f"] + small + output), second)
    let alone = try Recordctl(
      ["record", "--device", "pattern?pace=none", "--duration", "5f", "--json", "-o", "one.mov"],
      in: folder.url)
    #expect(alone.status == 0 && !alone.errors.contains("ONE DISK"), "\(alone.errors)")
    #expect((try alone.json() as? [String: Any])?["secondFolder"] == nil)
  }

  @Test func a_gateway_reports_channels_with_both_folders_on_one_disk() throws {
    let program = Recordctl.binary.deletingLastPathComponent().appending(path: "recordctl-serve")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      try Test.cancel("recordctl-serve is not built; swift build --product recordctl-serve")
    }
    let (first, second) = (try folder.makeFolder("a").path, try folder.makeFolder("b").path)
    func check(_ second: String) throws -> Recordctl {
      let lines = [
        "[[channel]]", "name = 'main'", "folder = '\(first)'", "second-folder = '\(second)'",
      ]
      let file = try folder.write(lines.joined(separator: "\n"), "serve.toml")
      return try Recordctl(
        ["serve", "--config", file.path, "--check-config"],
        environment: ["XDG_RUNTIME_DIR": folder.path])
    }
    let shared = try check(second)
    #expect(shared.status == 0 && shared.output.contains("can be used"), "\(shared.errors)")
    #expect(
      shared.errors.hasPrefix("recordctl: channel main: ONE DISK: \(second) and \(first) are on"),
      "\(shared.errors)")
    #expect(try check("/proc").errors.isEmpty)
  }

  /// Shuts down a file system: all further writes to it fail (EXT4_IOC_SHUTDOWN).
  private static let shutDown = """
    import fcntl, os, struct, sys
    fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))
    """

  @Test(.tags(.slow), arguments: [1, 2])
  func the_take_is_complete_on_the_remaining_disk(_ lost: Int) throws {
    guard TestRun.isThorough else {
      try Test.cancel("it records for seconds; make test-all runs it")
    }
    guard getuid() == 0 else { try Test.cancel("it mounts a disk, which requires root") }
    let image = try folder.write([], "disk.img").path
    let disk = try folder.makeFolder("disk").path
    _ = try folder.makeFolder("other")
    try #require(truncate(image, 200 << 20) == 0)
    let made = try Command.run("mkfs.ext4", ["-q", "-F", image])
    let mounted = try Command.run("mount", ["-o", "loop", image, disk])
    guard made.status == 0, mounted.status == 0 else {
      try Test.cancel("no loop device: \(made.errors)\(mounted.errors)")
    }
    defer { _ = try? Command.run("umount", ["-l", disk]) }
    let places = lost == 1 ? [disk, folder.path("other")] : [folder.path("other"), disk]
    let recording = try Child(
      [
        "record", "--device", "pattern", "--size", "640x360", "--rate", "25", "--duration", "5s",
        "--second-folder", places[1], "-o", places[0] + "/take.mov", "--json",
      ], output: .file(folder.path("report.json")), errors: .file(folder.path("errors")))
    sleep(3)
    #expect(try Command.run("python3", ["-c", Self.shutDown, disk]).status == 0)
    #expect(recording.wait() == .exited(3))
    let errors = String(decoding: try folder.bytes("errors"), as: UTF8.self)
    #expect(errors.contains("continues in one place"), "\(errors)")
    let left = folder.path("other/take.mov")
    #expect(try Recordctl.isValid(left))
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(folder.bytes("report.json"))) as? [String: Any])
    let segment = try #require((report["segments"] as? [[String: Any]])?.first)
    #expect(segment["path"] as? String == left && segment["frameCount"] as? Int == 125)
    let copies = segment["copies"] as? [[String: Any]]
    #expect(copies?.map { $0["isWhole"] as? Bool } == [false])
  }
}
