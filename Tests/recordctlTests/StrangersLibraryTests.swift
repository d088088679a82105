import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

/// `recordctl library` on a stranger's library, as an unprivileged user even if root runs the tests. The files
/// that the library attacks are decoys in the test's own folder.
@Suite struct StrangersLibraryTests {
  private static let nobody: UInt32 = 65_534

  /// Runs a command with its own home in the folder, and as an unprivileged user if the tests run as root; returns
  /// all of its output.
  private func run(
    _ folder: TemporaryFolder, _ arguments: String...
  ) throws -> (status: Int32, output: String) {
    let result = try runApart(folder, arguments)
    return (result.status, result.output + result.errors)
  }

  private func runApart(
    _ folder: TemporaryFolder, _ arguments: [String]
  ) throws -> Command.Result {
    let home = folder.path("home")
    let command =
      ["HOME=\(home)", "XDG_CONFIG_HOME=\(home)/.config", "XDG_STATE_HOME=\(home)/.state"]
      + [Recordctl.binary.path] + arguments
    guard geteuid() == 0 else { return try Command.run("/usr/bin/env", command) }
    let user = "\(Self.nobody)"
    let drop = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/env"]
    return try Command.run("/usr/bin/setpriv", drop + command)
  }

  /// A folder with a home that contains a key, a card with a photo, and a library.
  private func prepared() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["home", "card"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try Data("secret".utf8).write(to: URL(filePath: folder.path("home/key")))
    try Data(EmptyPNG.bytes()).write(to: URL(filePath: folder.path("card/a.png")))
    if geteuid() == 0 {
      let give = try Command.run(
        "/bin/chown", ["-R", "\(Self.nobody):\(Self.nobody)", folder.url.path])
      try #require(give.status == 0, "\(give.output)")
      guard try run(folder, "--version").status == 0 else {
        try Test.cancel("the command cannot be run as an unprivileged user")
      }
    }
    let made = try run(
      folder, "library", "import", "-L", folder.path("Library"), folder.path("card/a.png"))
    try #require(made.status == 0, "\(made.output)")
    return folder
  }

  @Test func listing_a_foreign_library_never_moves_user_files() throws {
    let folder = try prepared()
    let (library, key) = (folder.path("Library"), folder.path("home/key"))
    var facts = stat()
    try #require(lstat(key, &facts) == 0)
    let time = Int(facts.st_mtim.tv_sec) * 1_000_000_000 + Int(facts.st_mtim.tv_nsec)
    let json = """
      {"version":1,"sequence":2,"date":1,"moves":[{"from":"\(key)","to":"2026/11/stolen.txt",\
      "status":{"device":\(facts.st_dev),"inode":\(facts.st_ino),"size":\(facts.st_size),\
      "modified":\(time),"changed":\(time),"mode":\(facts.st_mode),"linkCount":1}}],\
      "created":[],"updates":[],"removed":[],"unlinks":[]}
      """
    let journal = try FileHandle(forWritingTo: URL(filePath: library + "/.medialibrary/journal"))
    try journal.seekToEnd()
    try journal.write(
      contentsOf: Data("\(ContentHash(of: [UInt8](json.utf8))) \(json)\n".utf8))
    try journal.close()
    for verb in ["list", "albums", "verify"] {
      let done = try run(folder, "library", verb, "-L", library)
      #expect(done.status == 0, "\(done.output)")
      #expect(access(key, F_OK) == 0)
    }
    // A command that changes the library reports that it left this journal line alone.
    let done = try run(
      folder, "library", "import", "-L", library, "--keep-duplicates", folder.path("card/a.png"))
    #expect(done.status == 0, "\(done.output)")
    #expect(done.output.contains("could not be completed"), "\(done.output)")
    #expect(access(key, F_OK) == 0)
    #expect(access(library + "/2026/11/stolen.txt", F_OK) != 0)
  }

  @Test func a_library_writable_by_others_is_changed_only_if_trusted() throws {
    let folder = try prepared()
    let library = folder.path("Library")
    try #require(chmod(library + "/.medialibrary", 0o777) == 0)
    let list = try run(folder, "library", "list", "-L", library)
    #expect(list.status == 0)
    #expect(list.output.contains("a.png"), "\(list.output)")
    #expect(list.output.contains("library trust"), "the remedy is named: \(list.output)")
    let frame = folder.path("card/a.png")
    let refused = try run(folder, "library", "import", "-L", library, frame)
    #expect(refused.status == 2)
    #expect(refused.output.contains("library trust"), "\(refused.output)")
    #expect(try run(folder, "library", "trust", library).status == 0)
    #expect(try run(folder, "library", "trust", "--list").output.contains("/Library"))
    #expect(try run(folder, "library", "import", "-L", library, frame).status == 0)
    #expect(try run(folder, "library", "trust", "--remove", library).status == 0)
    #expect(try run(folder, "library", "import", "-L", library, frame).status == 2)
    #expect(try run(folder, "library", "trust", "--remove", library).status == 2)
  }

  @Test func a_library_on_a_read_only_disk_is_listed() throws {
    let folder = try prepared()
    let library = folder.path("Library")
    let script = """
      exec 2>&1
      mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 77
      "$2" library list -L "$1"; echo status $?; "$2" library import -L "$1" "$3"; echo status $?
      """
    let done = try Command.run(
      "/usr/bin/unshare",
      ["-Urm", "sh", "-c", script, "sh", library, Recordctl.binary.path, folder.path("card/a.png")])
    guard done.output.contains("status") else {
      try Test.cancel("no disk can be made read-only here: \(done.output + done.errors)")
    }
    #expect(done.output.contains("a.png"), "\(done.output)")
    #expect(
      done.output.contains("status 0\n") && done.output.contains("status 2\n"), "\(done.output)")
  }
}
