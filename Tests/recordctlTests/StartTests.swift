import Foundation
import TestSupport
import Testing

/// The dynamic linker's work when the command starts and later.
@Suite struct StartTests {
  @Test func the_command_starts_without_rarely_used_libraries() throws {
    // With this variable the linker lists what it would load and runs nothing.
    let loaded = try Recordctl(["--version"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
    #expect(loaded.contains("libavutil.so"), "\(loaded)")
    for name in ["libavformat", "libavcodec", "libheif", "libavif", "libjxl"] {
      #expect(!loaded.contains(name + ".so"), "\(name)")
    }
  }

  @Test func an_unloadable_library_is_named_on_first_use() throws {
    let folder = try TemporaryFolder()
    // These files are found before the real library, whichever version the command was built for.
    for version in 57...75 { try folder.write([], "libavformat.so.\(version)") }
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let source = try folder.write(bytes, "x.mp4")
    let run = try Recordctl(
      ["encode", source.path, "-o", folder.path("x.mov")],
      environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(run.status == 127)
    let line = "recordctl: error while loading shared libraries: \(folder.path("libavformat.so."))"
    #expect(run.errors.hasPrefix(line), "\(run.errors)")
    #expect(!folder.contents.contains("x.mov"))
  }
}
