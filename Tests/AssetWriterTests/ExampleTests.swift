import Foundation
import TestSupport
import Testing

/// The documentation's program, run as a reader would.
@Suite(.tags(.judges)) struct ExampleTests {
  @Test func the_example_writes_a_valid_movie() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("samples.mov")
    // Beside the tests, where the build puts all programs.
    let program = URL(filePath: Bundle.main.bundlePath).appending(path: "append-samples")
    try #require(FileManager.default.isExecutableFile(atPath: program.path))
    let result = try Judges.run(program.path, [path])
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("50 frames"))
    #expect(try Judges.strictDecode(path) == "")
    let probe = try Judges.probe(path)
    #expect(try probe.stream("video").profile == "HQ")
    #expect(try probe.stream("video").nb_frames == "50")
    #expect(try probe.stream("audio").duration == "2.000000")
    #expect(try probe.stream("audio").channels == 2)
  }
}
