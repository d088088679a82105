import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// What workers leave behind, and what is no longer needed once a movie is joined.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct JobLeavingTests {
  private let folder: TemporaryFolder
  private let job: EncodeJob

  init() throws {
    folder = try TemporaryFolder()
    let input = folder.path("intra.mov")
    _ = try Judges.ffmpeg([
      "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=1", "-pix_fmt",
      "yuv422p10le", "-c:v", "prores_ks", "-profile:v", "1", input,
    ])
    let path = folder.path("job")
    let sources = try ExportSources(
      [input], folder: path + "/movies", name: "{name}", codec: "lt", reusesNames: false)
    var session = AssetExportSession(location: try AssetLocation(input), outputPath: "")
    session.codec = .proRes422LT
    var planner = EncodeJobPlanner(sources, as: session, folder: path)
    planner.division = .parts(2)
    planner.restartInterval = 10
    job = try planner.run()
  }

  /// Makes a folder as left by a killed worker.
  @discardableResult
  private func leave(_ name: String, hours: Double = 0, fileHours: Double? = nil) throws -> String {
    let path = job.folder + "/parts/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(repeating: 1, count: 9000).write(to: URL(filePath: path + "/frames.mov"))
    for (item, hours) in [(path + "/frames.mov", fileHours ?? hours), (path, hours)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)], ofItemAtPath: item)
    }
    return path
  }

  private var names: Set<String> {
    get throws {
      Set(try FileManager.default.contentsOfDirectory(atPath: job.folder + "/parts"))
    }
  }

  @Test func only_folders_of_workers_that_are_not_running_are_removed() throws {
    let stay = [
      try leave(".work-000000-a-7-here-70-x", hours: 100), try leave(".work-000000-b-1-there-5-x"),
      try leave(".work-000000-b-2-there-5-x", hours: 23),
      try leave(".work-000000-b-3-there-5-x", hours: 100, fileHours: 1),
      try leave(".work-000000-without-a-mark"),
      try leave(".aside-000000-b-4-there-5-x", hours: 100),
      try leave("000001", hours: 100),
    ]
    let gone = [
      try leave(".work-000000-a-7-here-69-x"): JobLeaving.Reason.workerGone,
      try leave(".work-000001-a-8-here-70-x"): .workerGone,
      try leave(".work-000001-b-5-there-5-x", hours: 25): .old,
      try leave(".work-000001-old-one", hours: 25): .old,
    ]
    let own = try leave(".work-000000-c-9-there-1-x")
    var leavings = JobLeavings(job: job)
    leavings.machine = WorkerMark.System(name: "here") { $0 == 7 ? 70 : nil }
    let removed = leavings.remove(except: own)
    #expect(Dictionary(uniqueKeysWithValues: removed.map { ($0.path, $0.reason) }) == gone)
    #expect(removed.allSatisfy { $0.bytes >= 9000 })
    #expect(try names == Set((stay + [own]).map { ($0 as NSString).lastPathComponent }))
  }

  @Test func a_worker_removes_and_reports_leavings_of_a_killed_one() async throws {
    let left = try leave(".work-000001-b-5-there-5-x", hours: 25)
    var part = try PartEncoder(job, part: 0)
    let reported = WaitableMutex<[JobLeaving]>([])
    part.onLeaving = { leaving in reported.withLock { $0.append(leaving) } }
    _ = try await part.run()
    #expect(reported.withLock { $0.map(\.path) } == [left])
    #expect(try names == ["000000"])
  }

  @Test func a_worker_whose_folder_is_removed_loses_nothing() async throws {
    var part = try PartEncoder(job, part: 0)
    let parts = job.folder + "/parts"
    part.onProgress = { frames, _ in
      guard frames == 5 else { return }
      for name in (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? [] {
        try? FileManager.default.removeItem(atPath: parts + "/" + name)
      }
    }
    guard case .made = try await part.run() else {
      Issue.record("part 0 already existed")
      return
    }
    #expect(try names == ["000000"])
    let status = try EncodeJobStatus(of: job, readsMovies: true)
    #expect(status.completeCount == 1 && status.problems.isEmpty)
  }

  @Test func a_join_removes_leavings_and_on_request_the_parts() async throws {
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    let other = try leave(".work-000001-b-5-there-5-x")
    try leave(".aside-000000-b-5-there-5-x")
    let first = try await MovieJoiner(job, source: 0).run()
    #expect(first.removed?.leavings.map(\.path) == [other])
    #expect(first.removed?.partCount == 0)
    #expect(try EncodeJobStatus(of: job).removedCount == 0)
    let kept = try Data(contentsOf: URL(filePath: first.movie))

    var joiner = try MovieJoiner(job, source: 0)
    joiner.removesParts = true
    let second = try await joiner.run()
    #expect(second.wasThere && second.removed?.partCount == 2)
    #expect(second.removed?.leavings.map(\.reason) == [.setAside])
    var status = try EncodeJobStatus(of: job)
    #expect(status.isComplete && status.missing == nil && status.removedCount == 2)
    #expect(status.asideCount == 0 && status.asideBytes == 0)
    guard case .found = try await PartEncoder(job, part: 1).run() else {
      Issue.record("a joined part was remade")
      return
    }
    #expect(try await MovieJoiner(job, source: 0).run().wasThere)

    // A lost movie is made again from parts that are made again.
    try FileManager.default.removeItem(atPath: first.movie)
    status = try EncodeJobStatus(of: job)
    #expect(status.missing == "0-1" && status.problems.count == 2)
    let error = await #expect(throws: EncodeJobError.self) { try await joiner.run() }
    #expect(error?.code == .partDamaged && error?.message.contains("make the part again") == true)
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    #expect(try await joiner.run().removed?.partCount == 2)
    #expect(try Data(contentsOf: URL(filePath: first.movie)) == kept)
  }

  @Test func removed_parts_of_a_damaged_movie_are_missing() async throws {
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    var joiner = try MovieJoiner(job, source: 0)
    joiner.removesParts = true
    let removing = joiner
    let movie = try await removing.run().movie
    let whole = try Data(contentsOf: URL(filePath: movie))
    #expect(try EncodeJobStatus(of: job, readsMovies: true).isComplete)
    var bytes = whole
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: movie))

    // The sizes do not reveal the damage.
    #expect(try EncodeJobStatus(of: job).isComplete)
    let status = try EncodeJobStatus(of: job, readsMovies: true)
    #expect(status.missing == "0-1" && status.completeCount == 0 && status.removedCount == 0)
    #expect(status.joinedCount == 0 && status.movieProblems?.map(\.movie) == [movie])
    for problem in status.problems {
      #expect(problem.message.contains("its frames are in \(movie), which is damaged: "))
    }
    let error = await #expect(throws: EncodeJobError.self) { try await removing.run() }
    #expect(error?.code == .partDamaged && error?.message.contains("parts 0-1") == true)
    #expect(try Data(contentsOf: URL(filePath: movie)) == bytes)

    let faults = JoinedMovieFaults()
    for number in [0, 1] {
      var part = try PartEncoder(job, part: number)
      part.movieFaults = faults
      guard case .made = try await part.run() else {
        Issue.record("part \(number) was taken for intact")
        return
      }
    }
    let again = try await removing.run()
    #expect(!again.wasThere && again.removed?.partCount == 2)
    #expect(try Data(contentsOf: URL(filePath: movie)) == whole)
    #expect(try EncodeJobStatus(of: job, readsMovies: true).isComplete)
  }

  @Test func a_movie_is_checked_once_for_all_its_parts() async throws {
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    var joiner = try MovieJoiner(job, source: 0)
    joiner.removesParts = true
    let movie = try await joiner.run().movie
    let faults = JoinedMovieFaults()
    #expect(try faults.fault(of: 0, job) == nil)
    var bytes = try Data(contentsOf: URL(filePath: movie))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: movie))
    #expect(try faults.fault(of: 0, job) == nil)
    #expect(try JoinedMovieFaults().fault(of: 0, job) != nil)
  }

  @Test func parts_are_kept_if_the_movie_is_not_that_of_the_job() async throws {
    for number in [0, 1] { _ = try await PartEncoder(job, part: number).run() }
    let movie = try await MovieJoiner(job, source: 0).run().movie
    try Data(contentsOf: URL(filePath: movie)).dropLast(1).write(to: URL(filePath: movie))
    var joiner = try MovieJoiner(job, source: 0)
    joiner.removesParts = true
    let failing = joiner
    let error = await #expect(throws: EncodeJobError.self) { try await failing.run() }
    #expect(error?.code == .joinFailed)
    #expect(try EncodeJobStatus(of: job, readsMovies: true).completeCount == 2)
  }

  @Test func the_status_reports_the_size_of_parts_and_leavings() async throws {
    _ = try await PartEncoder(job, part: 0).run()
    try leave(".work-000001-b-5-there-5-x")
    try leave(".aside-000001-b-5-there-5-x")
    let status = try EncodeJobStatus(of: job)
    let part = try FileManager.default.attributesOfItem(
      atPath: job.folder + "/parts/000000/frames.mov")[.size]
    #expect(status.partBytes >= (part as? NSNumber)?.int64Value ?? .max)
    #expect((9000...60_000).contains(status.workFolderBytes))
    #expect((9000...60_000).contains(status.asideBytes))
    #expect(status.workFolderCount == 1 && status.leftFolderCount == 0 && status.asideCount == 1)
  }
}
