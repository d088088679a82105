import Foundation
import ProRes
import TestSupport
import Testing

/// `encode plan`, `part`, `join` and `status`, called as engines call them.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct EncodePartsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, seconds: Int) throws {
    _ = try Judges.ffmpeg(
      [
        "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds)", "-f",
        "lavfi", "-i", "sine=440:d=\(seconds)", "-c:v", "libx264", "-preset", "ultrafast", "-bf",
        "2", "-g", "24", "-x264-params", "open-gop=1", "-c:a", "aac", folder.path(name),
      ])
  }

  @discardableResult
  private func run(
    _ arguments: String..., environment: [String: String] = [:], status: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) throws -> Recordctl {
    let run = try Recordctl(["encode"] + arguments, environment: environment, in: folder.url)
    #expect(
      run.status == status, "\(arguments): \(run.output)\(run.errors)", sourceLocation: location)
    return run
  }

  @Test func a_movie_depends_on_neither_kernels_nor_threads_nor_engines() throws {
    try make("a.mp4", seconds: 4)
    try run("plan", "a.mp4", "-o", "one", "--parts", "1", "--restart", "10", "--codec", "lt")
    try run("part", "one", "0")
    try run("join", "one")
    try run("plan", "a.mp4", "-o", "many", "--parts", "4", "--restart", "10", "--codec", "lt")
    #expect(try run("join", "many", status: 75).errors.contains("missing: 0-3"))
    let engines = [
      ["SLURM_ARRAY_TASK_ID": "0", "SLURM_CPUS_PER_TASK": "1"], ["JOB_COMPLETION_INDEX": "1"],
      ["AWS_BATCH_JOB_ARRAY_INDEX": "2"], ["PARALLEL_SEQ": "4"],
    ]
    let kernels = KernelChoice.available.filter { $0 != .reference }
    for (number, engine) in engines.enumerated() {
      let choice = kernels[number % kernels.count].rawValue
      try run("part", "many", environment: engine.merging(["PRORES_KERNELS": choice]) { $1 })
    }
    #expect(try run("part", "many", "0-3").output.contains("part 3: already complete"))
    #expect(try run("status", "many").output.contains("4 of 4"))
    try run("join", "many")
    let movies = try ["one", "many"].map {
      try Data(contentsOf: URL(filePath: folder.path("\($0)/movies/a.mov")))
    }
    #expect(movies[0] == movies[1])
    #expect(try Recordctl.isValid(folder.path("many/movies/a.mov")))
  }

  @Test func an_interrupted_worker_leaves_no_partial_part() throws {
    try make("long.mp4", seconds: 60)
    try run("plan", "long.mp4", "-o", "job", "--parts", "1", "--codec", "hq")
    let (parts, messages) = (folder.path("job/parts"), folder.path("messages"))
    for signal in [SIGTERM, SIGABRT, SIGKILL] {
      // The files of the previous worker would be mistaken for those of this one.
      for name in (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? [] {
        try FileManager.default.removeItem(atPath: parts + "/" + name)
      }
      let child = try Child(
        ["encode", "part", folder.path("job"), "0", "--threads", "1"], errors: .file(messages))
      try waitUntil("a worker is running") {
        try FileManager.default.contentsOfDirectory(atPath: parts)
          .contains { $0.hasPrefix(".work-") }
      }
      child.send(signal)
      #expect(child.wait() == (signal == SIGTERM ? .exited(75) : .signalled(signal)))
      let names = try FileManager.default.contentsOfDirectory(atPath: parts)
      #expect(names.count == (signal == SIGTERM ? 0 : 1), "\(names)")
      guard signal == SIGABRT else { continue }
      let said = try String(contentsOfFile: messages, encoding: .utf8)
      #expect(said.contains("; part 0 of \(folder.path("job")) is not complete; the same command"))
      #expect(!said.contains("recover"), "\(said)")
    }
    let status = try run("status", "job").output
    #expect(status.contains("0 of 1") && status.contains("at work  1 folder of workers"))
    #expect(status.contains("1 of workers on this machine that no longer run"), "\(status)")
  }

  @Test func part_numbers_out_of_range_are_refused_before_encoding() throws {
    try make("a.mp4", seconds: 4)
    try run("plan", "a.mp4", "-o", "job", "--parts", "9", "--restart", "10", "--codec", "lt")
    #expect(
      try run("part", "job", "7-20", status: 2).errors.contains("9-20; its parts are 0 to 8"))
    #expect(try run("part", "job", "0,9", status: 2).errors.contains("no part 9;"))
    let batch = try run("part", "job", "1-2", "--batch", "5", status: 2).errors
    #expect(batch.contains("no batch 2 of 5 parts") && batch.contains("its batches 0 to 1"))
    #expect(try run("status", "job").output.contains("0 of 9"))
    // The last batch has the remaining parts.
    #expect(try run("part", "job", "1", "--batch", "5").output.contains("part 8:"))
    #expect(try run("status", "job").output.contains("4 of 9"))
  }

  @Test func parts_in_a_damaged_movie_are_made_again() throws {
    try make("a.mp4", seconds: 2)
    try run("plan", "a.mp4", "-o", "job", "--parts", "2", "--restart", "10", "--codec", "lt")
    try run("part", "job", "0-1")
    try run("join", "job", "--remove-parts")
    #expect(try run("part", "job", "0-1").output.contains("part 1: already complete"))
    let movie = URL(filePath: folder.path("job/movies/a.mov"))
    let whole = try Data(contentsOf: movie)
    var bytes = whole
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: movie)
    let status = try run("status", "job", "--read").output
    #expect(status.contains("0 of 2") && status.contains("0 of 1"), "\(status)")
    #expect(status.contains("which is damaged") && status.contains("a.mov: it is damaged"))
    #expect(try run("join", "job", status: 1).errors.contains("make these parts again"))
    #expect(try run("part", "job", "0-1").errors.contains("which is damaged"))
    try run("join", "job", "--remove-parts")
    #expect(try Data(contentsOf: movie) == whole)
    #expect(try run("status", "job", "--read").output.contains("2 of 2"))
  }

  @Test func errors_name_the_remedy_and_have_their_status() throws {
    try make("a.mp4", seconds: 1)
    #expect(
      try run("plan", "a.mp4", "-o", "job", "--deinterlace", "frames", status: 2).errors
        .contains("recordctl encode"))
    let none = try run("status", "none", status: 2).errors
    #expect(none.contains("no folder none") && none.contains("`recordctl encode plan`"))
    try folder.makeFolder("empty")
    #expect(try run("status", "empty", status: 2).errors.contains("empty holds no plan.json"))
    try run("plan", "a.mp4", "-o", "job2")
    #expect(try run("part", "job2", "7", status: 2).errors.contains("0 to 0"))
    #expect(try run("part", "job2", status: 2).errors.contains("SLURM_ARRAY_TASK_ID"))
    #expect(try run("part", "job2", "x", status: 2).errors.contains("0-3,7"))
    try FileManager.default.removeItem(atPath: folder.path("a.mp4"))
    try run("part", "job2", "0", status: 75)
  }
}
