import AssetReader
import EncodeJobs
import Foundation
import MediaCore
import MovieExport
import MovieTools
import TestSupport
import Testing

/// Conversions in parts: the movie is the same however a source is divided.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct EncodeJobTests {
  private let folder: TemporaryFolder

  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// Sources that are hard to divide.
  private static let sources: [(name: String, options: String)] = [
    (
      "open.mp4",
      "-c:v libx264 -preset ultrafast -bf 3 -g 24 -x264-params open-gop=1:b-pyramid=normal -c:a aac"
    ),
    (
      "fields.ts",
      "-c:v mpeg2video -flags +ildct+ilme -top 1 -bf 2 -g 12 -q:v 4 -c:a mp2"
    ),
    (
      "varying.mkv",
      "-vf select=not(eq(mod(n\\,7)\\,3)) -fps_mode vfr -c:v libx264 -preset ultrafast -g 30 -c:a flac"
    ),
    ("intra.mov", "-c:v prores_ks -profile:v 1 -c:a pcm_s24le -timecode 01:00:00:00"),
    (
      "leading.mp4",
      "-c:v libx265 -preset ultrafast -x265-params "
        + "log-level=none:keyint=20:min-keyint=20:open-gop=1:bframes=3 -c:a aac"
    ),
  ]

  private func make(_ name: String, _ options: String, seconds: Int = 4) throws -> String {
    let path = folder.path(name)
    _ = try Judges.ffmpeg(
      [
        "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=\(seconds)", "-f",
        "lavfi", "-i", "sine=440:d=\(seconds)", "-pix_fmt",
        name == "intra.mov" ? "yuv422p10le" : "yuv420p",
      ] + options.split(separator: " ").map(String.init) + ["-shortest", path])
    return path
  }

  @Test(arguments: sources.indices)
  func the_number_of_parts_does_not_change_the_movie(source number: Int) async throws {
    let source = Self.sources[number]
    let input = try make(source.name, source.options)
    var movies: [Data] = []
    var sums: Set<String> = []
    for (turn, parts) in [1, 3, 8].enumerated() {
      let job = try rig.plan(input, "job\(parts)", parts: parts)
      let outcome = try await rig.complete(job, seed: UInt64(turn))
      sums.insert(outcome.xxHash64)
      movies.append(try Data(contentsOf: URL(filePath: outcome.movie)))
      #expect(outcome.frameCount == job.plan.sources[0].frameCount || source.name == "varying.mkv")
    }
    #expect(movies[0] == movies[1] && movies[1] == movies[2])
    #expect(sums.count == 1)
    let joined = folder.path("job3/movies/\((source.name as NSString).deletingPathExtension).mov")
    #expect(try MovieVerifier(path: joined).run().isValid)
    _ = try Judges.strictDecode(joined)
    // Frames, times and audio are the same as in one piece.
    _ = try await rig.encode(input)
    let whole = folder.path("whole.mov")
    let packets = try [joined, whole].map { try Judges.packets($0, stream: "v:0") }
    #expect(packets[0].map(\.pts) == packets[1].map(\.pts))
    #expect(
      try Judges.decodeAudio(joined) == Judges.decodeAudio(whole), "\(source.name)")
    #expect(try Judges.timecode(joined) == Judges.timecode(whole))
    let frames = try [joined, whole].map {
      try Judges.decode($0, pixelFormat: "yuv422p10le")
    }
    #expect(Judges.psnr(frames[0], frames[1]) > 40, "\(source.name)")
  }

  @Test func a_trimmed_and_scaled_movie_is_independent_of_the_parts() async throws {
    let input = try make(Self.sources[0].name, Self.sources[0].options)
    var movies: [Data] = []
    for parts in [1, 4] {
      let job = try rig.plan(input, "job\(parts)", parts: parts) { session in
        session.edit.start = ExportPoint("13f")
        session.edit.end = ExportPoint("2.5s")
        session.edit.processing.scaling = .init(.init(width: 160, height: 90))
      }
      #expect(job.plan.sources[0].frameCount == 50)
      movies.append(
        try Data(contentsOf: URL(filePath: try await rig.complete(job, seed: 7).movie)))
    }
    #expect(movies[0] == movies[1])
  }

  @Test(arguments: 0..<3)
  func chroma_is_interpolated_identically_in_every_part(source number: Int) async throws {
    let source = Self.sources[number]
    let input = try make(source.name, source.options, seconds: 2)
    var movies: [Data] = []
    let whole = try await rig.encode(input) { $0.codec = .proRes4444 }
    let words = "the source has 4:2:0; its chroma is interpolated to 4:4:4"
    func reported(_ notes: [ExportNote]) -> Int { notes.count { $0.message.hasPrefix(words) } }
    #expect(reported(whole.notes) == 1, "\(whole.notes)")
    var joined = ""
    for parts in [1, 4] {
      let job = try rig.plan(input, "job\(parts)", parts: parts) { $0.codec = .proRes4444 }
      let outcome = try await rig.complete(job, seed: 3)
      #expect(reported(outcome.notes) == 1, "\(outcome.notes)")
      joined = outcome.movie
      movies.append(try Data(contentsOf: URL(filePath: joined)))
    }
    #expect(movies[0] == movies[1])
    let frames = try [joined, folder.path("whole.mov")].map {
      try Judges.decode($0, pixelFormat: "yuv444p12le")
    }
    #expect(frames[0].count == frames[1].count)
    #expect(Judges.psnr(frames[0], frames[1]) > 40, "\(source.name)")
  }

  @Test func the_same_sources_and_options_give_the_same_plan() throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let plans = try ["one", "two"].map { name in
      let job = try rig.plan(input, name, parts: 2)
      return try ["plan.json", job.plan.sources[0].index].map {
        try Data(contentsOf: URL(filePath: job.folder + "/" + $0))
      }
    }
    #expect(plans[0] == plans[1])
  }

  @Test func a_movie_name_may_begin_with_a_combining_mark() async throws {
    let plain = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let input = folder.path("\u{301}a.mov")
    try FileManager.default.moveItem(atPath: plain, toPath: input)
    let job = try rig.plan(input, "job", parts: 2)
    let outcome = try await rig.complete(job)
    #expect(outcome.movie.pathName.utf8.elementsEqual("\u{301}a.mov".utf8))
    #expect(outcome.movie.parentPath == job.folder + "/movies")
    #expect(FileManager.default.fileExists(atPath: outcome.movie))
  }

  // MARK: Faults

  private func failure(
    _ body: () async throws -> Void
  ) async -> EncodeJobError? {
    do { try await body() } catch { return error as? EncodeJobError }
    return nil
  }

  @Test func missing_and_damaged_parts_are_named_and_remade() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 2)
    let job = try rig.plan(input, "job", parts: 3)
    for number in [0, 2] { _ = try await PartEncoder(job, part: number).run() }
    let missing = await failure { _ = try await MovieJoiner(job, source: 0).run() }
    #expect(missing?.code == .partMissing && missing?.message.contains("missing: 1") == true)
    #expect(missing?.isWorthRetrying == true)
    #expect(try EncodeJobStatus(of: job).missing == "1")
    _ = try await PartEncoder(job, part: 1).run()

    // Damage a frame of the last part.
    let movie = job.folder + "/parts/000002/frames.mov"
    var bytes = try Data(contentsOf: URL(filePath: movie))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: movie))
    let damaged = await failure { _ = try await MovieJoiner(job, source: 0).run() }
    #expect(damaged?.code == .partDamaged && damaged?.isWorthRetrying == false)
    #expect(damaged?.message.contains("000002") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: job.folder + "/movies").isEmpty)
    var again = try PartEncoder(job, part: 2)
    let notices = Notices()
    again.onNotice = { notices.add($0) }
    guard case .made = try await again.run() else {
      Issue.record("a damaged part was taken for intact")
      return
    }
    #expect(notices.all.count == 1 && notices.all[0].contains("damaged"))
    #expect(try EncodeJobStatus(of: job, readsMovies: true).completeCount == 3)
    let outcome = try await MovieJoiner(job, source: 0).run()
    #expect(!outcome.wasThere)
    #expect(try await MovieJoiner(job, source: 0).run().wasThere)
  }

  @Test func a_damaged_joined_movie_is_remade_and_a_foreign_one_refused() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 2)
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    let movie = try await MovieJoiner(job, source: 0).run().movie
    let whole = try Data(contentsOf: URL(filePath: movie))
    let frames = try Self.positions(movie, "v:0")
    let audio = try Self.positions(movie, "a:0")
    let places = [
      (frames[17] + 9, "frame 17"), (audio[3] + 2, "audio track"),
      (min(frames[0], audio[0]) - 1, "the file is not"),
    ]
    for (place, words) in places {
      var bytes = whole
      bytes[place] ^= 1
      try bytes.write(to: URL(filePath: movie))
      let status = try EncodeJobStatus(of: job, readsMovies: true)
      #expect(status.completeCount == 2 && status.joinedCount == 0 && !status.isComplete)
      #expect(status.movieProblems?.map(\.movie) == [movie])
      #expect(try await Self.replaced(job).contains(words), "\(words)")
      #expect(try Data(contentsOf: URL(filePath: movie)) == whole)
    }
    // A file of another size may be someone else's.
    try whole.dropLast(1).write(to: URL(filePath: movie))
    let short = await failure { _ = try await MovieJoiner(job, source: 0).run() }
    #expect(short?.code == .joinFailed && short?.isWorthRetrying == false)
    #expect(short?.message.contains("remove it") == true)
    #expect(try EncodeJobStatus(of: job).joinedCount == 0)
    // A sidecar with other frame checksums.
    try whole.write(to: URL(filePath: movie))
    let joined = try await MovieJoiner(job, source: 0).run()
    #expect(joined.wasThere)
    let sidecar = try String(contentsOfFile: movie + ".json", encoding: .utf8)
    let sum = try #require(EncodeJobTests.part(0, of: job).frames.first)
    try sidecar.replacing(sum, with: "0123456789abcdef")
      .write(toFile: movie + ".json", atomically: true, encoding: .utf8)
    #expect(try await Self.replaced(job).contains("frame 0"))
    // The sidecar of another movie.
    try sidecar.replacing(joined.xxHash64, with: "0123456789abcdef")
      .write(toFile: movie + ".json", atomically: true, encoding: .utf8)
    let other = await failure { _ = try await MovieJoiner(job, source: 0).run() }
    #expect(other?.code == .joinFailed && other?.message.contains("remove it") == true)
    #expect(try Data(contentsOf: URL(filePath: movie)) == whole)
  }

  @Test func a_foreign_file_with_the_name_of_the_movie_is_kept() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 1)
    _ = try await PartEncoder(job, part: 0).run()
    let movie = job.folder + "/movies/intra.mov"
    try FileManager.default.createDirectory(
      atPath: job.folder + "/movies", withIntermediateDirectories: true)
    for other in [Data("notes".utf8), try Data(contentsOf: URL(filePath: input))] {
      try other.write(to: URL(filePath: movie))
      let refused = await failure { _ = try await MovieJoiner(job, source: 0).run() }
      #expect(refused?.code == .joinFailed && refused?.isWorthRetrying == false)
      #expect(refused?.message.contains("move it away") == true)
      #expect(try Data(contentsOf: URL(filePath: movie)) == other)
    }
    // As if a join was killed after its movie got its name and before that was recorded.
    try FileManager.default.removeItem(atPath: movie)
    _ = try await MovieJoiner(job, source: 0).run()
    let whole = try Data(contentsOf: URL(filePath: movie))
    try FileManager.default.removeItem(atPath: job.folder + "/index/000000.joined.json")
    #expect(try EncodeJobStatus(of: job).joinedCount == 0)
    #expect(try await MovieJoiner(job, source: 0).run().wasThere == false)
    #expect(try Data(contentsOf: URL(filePath: movie)) == whole)
    // A plan for the same name is refused before anything is encoded.
    try FileManager.default.removeItem(atPath: job.folder + "/plan.json")
    let error = #expect(throws: EncodeJobError.self) { try rig.plan(input, "job", parts: 1) }
    #expect(error?.code == .invalidArgument && error?.message.contains(movie) == true)
  }

  /// Joins a job whose movie is damaged, and returns the notices.
  private static func replaced(_ job: EncodeJob) async throws -> String {
    let notices = Notices()
    var joiner = try MovieJoiner(job, source: 0)
    joiner.onNotice = { notices.add($0) }
    #expect(try await joiner.run().wasThere == false)
    #expect(try await MovieJoiner(job, source: 0).run().wasThere)
    return notices.all.joined(separator: "\n")
  }

  private static func positions(_ movie: String, _ stream: String) throws -> [Int] {
    try Judges.packets(movie, stream: stream).compactMap { $0.pos.flatMap { Int($0) } }
  }

  private static func part(_ number: Int, of job: EncodeJob) throws -> EncodePart {
    let path = job.folder + "/parts/00000\(number)/part.json"
    return try JSONDecoder().decode(
      EncodePart.self, from: Data(contentsOf: URL(filePath: path)))
  }

  @Test func a_changed_source_is_refused_and_a_missing_one_is_worth_retrying() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 2)
    let kept = try Data(contentsOf: URL(filePath: input))
    try FileManager.default.removeItem(atPath: input)
    let away = await failure { _ = try await PartEncoder(job, part: 0).run() }
    #expect(away?.code == .temporary && away?.isWorthRetrying == true)
    var other = kept
    other[other.count - 9] ^= 1
    try other.write(to: URL(filePath: input))
    let changed = await failure { _ = try await PartEncoder(job, part: 0).run() }
    #expect(changed?.code == .sourceChanged && changed?.isWorthRetrying == false)
    // A copy with another date is the same source.
    try kept.write(to: URL(filePath: input))
    _ = try await PartEncoder(job, part: 0).run()
    #expect(try EncodeJobStatus(of: job).completeCount == 1)
  }

  @Test func only_one_of_several_workers_makes_a_part() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 1)
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<3 {
        group.addTask {
          if case .made = try await PartEncoder(job, part: 0).run() { true } else { false }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(made == 1)
    let status = try EncodeJobStatus(of: job, readsMovies: true)
    #expect(status.completeCount == 1 && status.workFolderCount == 0 && status.asideCount == 0)
  }

  @Test func a_part_of_another_plan_or_version_is_moved_aside() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 1)
    let other = try rig.plan(input, "other", parts: 1, restart: 5)
    _ = try await PartEncoder(other, part: 0).run()
    try FileManager.default.copyItem(
      atPath: other.folder + "/parts/000000", toPath: job.folder + "/parts/000000")
    let refused = await failure { _ = try await MovieJoiner(job, source: 0).run() }
    #expect(refused?.code == .partDamaged && refused?.message.contains("another plan") == true)
    _ = try await PartEncoder(job, part: 0).run()
    #expect(try EncodeJobStatus(of: job).asideCount == 1)
    // A plan of another version.
    let path = job.folder + "/plan.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(PackageVersion.current, with: "0.0.1")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let old = try EncodeJob(folder: job.folder)
    let error = await failure { _ = try await PartEncoder(old, part: 0).run() }
    #expect(error?.code == .otherVersion && error?.message.contains("0.0.1") == true)
    #expect(try EncodeJobStatus(of: old).asideCount == 1, "a kept part is not moved aside")
  }

  @Test func a_damaged_part_of_a_changed_source_is_not_moved_aside() async throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let job = try rig.plan(input, "job", parts: 1)
    _ = try await PartEncoder(job, part: 0).run()
    for path in [job.folder + "/parts/000000/frames.mov", input] {
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data([0]))
      try file.close()
    }
    var encoder = try PartEncoder(job, part: 0)
    let reported = Notices()
    encoder.onNotice = { reported.add($0) }
    let error = await failure { [encoder] in _ = try await encoder.run() }
    #expect(error?.code == .sourceChanged)
    #expect(try EncodeJobStatus(of: job).asideCount == 0 && reported.all.isEmpty)
  }

  @Test func options_that_need_frames_of_several_parts_are_refused_by_name() throws {
    let input = try make("intra.mov", Self.sources[3].options, seconds: 1)
    let error = #expect(throws: EncodeJobError.self) {
      try rig.plan(input, "job", parts: 1) { session in
        session.edit.processing.deinterlacing = .frames
        session.edit.processing.frameRate = .fps30
      }
    }
    #expect(error?.code == .notDivisible)
    #expect(error?.message.hasPrefix("deinterlacing, another rate cannot be done in parts") == true)
    let short = #expect(throws: EncodeJobError.self) {
      try rig.plan(input, "short", parts: 1) { $0.maximumFrameCount = 5 }
    }
    #expect(short?.message.hasPrefix("a frame limit cannot be done in parts") == true)
    let many = #expect(throws: EncodeJobError.self) { try rig.plan(input, "many", parts: 9) }
    #expect(many?.code == .invalidArgument && many?.message.contains("25 frames") == true)
  }

  /// Collects notices from any thread.
  private final class Notices: Sendable {
    private let lines = WaitableMutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }
}
