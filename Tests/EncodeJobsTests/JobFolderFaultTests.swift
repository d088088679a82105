import AssetReader
import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// File systems that lack what a job's folder relies on, permanently or temporarily.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct JobFolderFaultTests {
  private let folder: TemporaryFolder
  private let input: String

  /// Calls that can be made to fail.
  private struct Calls: JobFolderCalls {
    var system = SystemJobFolderCalls()
    /// Why a path cannot be looked up; nil if it can.
    var finding: @Sendable (String) -> Errno? = { _ in nil }
    /// Why a folder cannot be created; nil if it can.
    var making: @Sendable (String) -> Errno? = { _ in nil }
    /// Why a path cannot be renamed; nil if it can.
    var renaming: @Sendable (String) -> Errno? = { _ in nil }
    /// True if the rename succeeds although the call fails: the answer was lost.
    var renamesAllTheSame = false
    /// Why a folder cannot be removed; nil if it can.
    var removing: @Sendable (String) -> Errno? = { _ in nil }
    /// Called before everything is synced; why that fails, or nil if it succeeds.
    var synchronizing: @Sendable (String) -> Errno? = { _ in nil }

    func synchronize(_ folder: String) throws(Errno) {
      if let error = synchronizing(folder) { throw error }
    }

    func removeFolder(_ path: String) throws(Errno) {
      if let error = removing(path) { throw error }
      try system.removeFolder(path)
    }

    func find(_ path: String) throws(Errno) {
      if let error = finding(path) { throw error }
      try system.find(path)
    }

    func makeFolder(_ path: String) throws(Errno) {
      if let error = making(path) { throw error }
      try system.makeFolder(path)
    }

    func rename(_ path: String, _ newPath: String) throws(Errno) {
      guard let error = renaming(newPath) else { return try system.rename(path, newPath) }
      if renamesAllTheSame { try system.rename(path, newPath) }
      throw error
    }

    func unlink(_ path: String) throws(Errno) { try system.unlink(path) }
  }

  /// Permanent and temporary faults.
  private static let lasting: [Errno] = [
    .improperLink, .notPermitted, .permissionDenied, .readOnlyFileSystem, .notSupported,
    .noFunction,
  ]
  private static let passing: [Errno] = [.staleNFSFileHandle, .ioError, .noSpace, .timedOut]

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("intra.mov")
    _ = try Judges.ffmpeg([
      "-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=0.4", "-pix_fmt",
      "yuv422p10le", "-c:v", "prores_ks", "-profile:v", "1", input,
    ])
  }

  private func plan(_ name: String = "job", _ calls: Calls = Calls()) throws -> EncodeJob {
    let path = folder.path(name)
    let sources = try ExportSources(
      [input], folder: path + "/movies", name: "{name}", codec: "lt", reusesNames: false)
    var session = AssetExportSession(location: try AssetLocation(input), outputPath: "")
    session.codec = .proRes422LT
    var planner = EncodeJobPlanner(sources, as: session, folder: path)
    planner.calls = calls
    return try planner.run()
  }

  private func names(_ job: EncodeJob, _ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: job.folder + "/" + folder)
  }

  @Test func planning_refuses_a_file_system_that_cannot_rename_folders() throws {
    for (number, fault) in (Self.lasting + Self.passing).enumerated() {
      let error = #expect(throws: EncodeJobError.self) {
        try plan("job\(number)", Calls(renaming: { _ in fault }))
      }
      #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
      #expect(error?.message.contains("does not rename a folder") == true)
      let made = error?.code == .unsuitableFolder ? "ext4" : "later"
      #expect(error?.message.contains(made) == true, "\(error?.message ?? "")")
      #expect(error?.errno == fault)
      #expect(!FileManager.default.fileExists(atPath: folder.path("job\(number)/plan.json")))
    }
    #expect(try names(plan(), "parts").isEmpty)
  }

  @Test func planning_refuses_a_file_system_that_renames_onto_full_folders() throws {
    struct Replacing: JobFolderCalls {
      func find(_ path: String) throws(Errno) {}
      func makeFolder(_ path: String) throws(Errno) { try SystemJobFolderCalls().makeFolder(path) }
      func rename(_ path: String, _ newPath: String) throws(Errno) {}
      func unlink(_ path: String) throws(Errno) {}
    }
    let probe = JobFolderProbe(folder: folder.path, calls: Replacing())
    let error = #expect(throws: EncodeJobError.self) { try probe.run() }
    #expect(error?.code == .unsuitableFolder && error?.message.contains("replaces") == true)
  }

  @Test func a_plan_is_flushed_once_before_it_gets_its_name() throws {
    for number in 0..<9 {
      try FileManager.default.copyItem(atPath: input, toPath: folder.path("in\(number).mov"))
    }
    let job = folder.path("many")
    let sources = try ExportSources(
      (0..<9).map { folder.path("in\($0).mov") }, folder: job + "/movies", name: "{name}",
      codec: "lt", reusesNames: false)
    var planner = EncodeJobPlanner(
      sources, as: AssetExportSession(location: AssetLocation(path: input), outputPath: ""),
      folder: job)
    planner.calls = Calls(synchronizing: { _ in .ioError })
    let error = #expect(throws: EncodeJobError.self) { try planner.run() }
    #expect(error?.isWorthRetrying == true)
    #expect(!FileManager.default.fileExists(atPath: job + "/plan.json"))
    planner.calls = Calls(synchronizing: { folder in
      for name in ["plan.json", "once"] {
        #expect(!FileManager.default.fileExists(atPath: folder + "/" + name))
      }
      #expect(FileManager.default.createFile(atPath: folder + "/once", contents: nil))
      return nil
    })
    let made = try planner.run()
    #expect(FileManager.default.fileExists(atPath: job + "/once"))
    for source in made.plan.sources { #expect(try made.index(of: source).count > 0) }
  }

  @Test func the_first_of_two_simultaneous_plans_is_kept() throws {
    let job = folder.path("twice")
    let sources = try ExportSources(
      [input], folder: job + "/movies", name: "{name}", codec: "lt", reusesNames: false)
    let session = AssetExportSession(location: AssetLocation(path: input), outputPath: "")
    var other = session
    other.edit.start = .frame(3)
    let first = EncodeJobPlanner(sources, as: session, folder: job)
    var second = EncodeJobPlanner(sources, as: other, folder: job)
    // The first one starts and ends while the second one is running.
    second.onSource = { _ in #expect(throws: Never.self) { _ = try first.run() } }
    let error = #expect(throws: EncodeJobError.self) { try second.run() }
    #expect(error?.message.contains("another plan was created in") == true)
    let kept = try EncodeJob(folder: job)
    #expect(kept.plan.options.start == nil)
    #expect(try kept.index(of: kept.plan.sources[0]).count > 0)
  }

  @Test func a_part_that_cannot_be_renamed_is_reported_and_leaves_nothing() async throws {
    var job = try plan()
    for fault in Self.lasting + Self.passing {
      job.calls = Calls(renaming: { $0.contains("/parts/") ? fault : nil })
      let part = try PartEncoder(job, part: 0)
      let error = await #expect(throws: EncodeJobError.self) { try await part.run() }
      #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
      // A disk that became read-only does support renaming, so its remedy differs.
      let lasting = fault == .readOnlyFileSystem ? "mounted read-only" : "a job needs one that does"
      let remedy = Self.passing.contains(fault) ? "call it again" : lasting
      #expect(error?.message.contains(remedy) == true, "\(error?.message ?? "")")
      #expect(try names(job, "parts").isEmpty)
    }
    job.calls = Calls()
    guard case .made = try await PartEncoder(job, part: 0).run() else {
      Issue.record("the part already existed")
      return
    }
  }

  @Test func a_rename_that_succeeded_despite_an_error_is_recognized() async throws {
    var job = try plan()
    for fault in [Errno.staleNFSFileHandle, .noSuchFileOrDirectory, .fileExists, .notPermitted] {
      job.calls = Calls(renaming: { _ in fault }, renamesAllTheSame: true)
      guard case .found = try await PartEncoder(job, part: 0).run() else {
        Issue.record("\(fault): the part was not found")
        return
      }
      #expect(try names(job, "parts") == ["000000"])
      try FileManager.default.removeItem(atPath: job.folder + "/parts/000000")
    }
  }

  @Test func a_part_removed_before_its_rename_is_worth_retrying()
    async throws
  {
    var job = try plan()
    let parts = job.folder + "/parts"
    job.calls = Calls(renaming: { _ in
      for name in (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? [] {
        try? FileManager.default.removeItem(atPath: parts + "/" + name)
      }
      return .noSuchFileOrDirectory
    })
    let part = try PartEncoder(job, part: 0)
    let error = await #expect(throws: EncodeJobError.self) { try await part.run() }
    #expect(error?.isWorthRetrying == true && error?.message.contains("was removed") == true)
  }

  @Test func a_folder_that_cannot_be_created_is_reported_with_the_reason() async throws {
    var job = try plan()
    let remedies: [Errno: String] = [
      .staleNFSFileHandle: "mount the share again, and call it again", .timedOut: "; call it again",
      .readOnlyFileSystem: "or choose a folder that you can write to",
      .noSpace: "; make room, and call it again",
      .permissionDenied: "check the folder's permissions and file system",
    ]
    for fault in Self.lasting + Self.passing {
      job.calls = Calls(making: { _ in fault })
      let part = try PartEncoder(job, part: 0)
      let error = await #expect(throws: EncodeJobError.self) { try await part.run() }
      #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
      #expect(error?.message.contains("cannot be created") == true && error?.errno == fault)
      #expect(error?.message.hasSuffix(remedies[fault] ?? "") == true, "\(error?.message ?? "")")
    }
  }

  @Test func planning_refuses_a_job_whose_folders_cannot_be_created() throws {
    for (number, fault) in (Self.lasting + Self.passing).enumerated() {
      for name in ["", "/index", "/parts"] {
        let job = "deep/job\(number)"
        let path = folder.path(job) + name
        let error = #expect(throws: EncodeJobError.self) {
          try plan(job, Calls(making: { $0 == path ? fault : nil }))
        }
        #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
        #expect(error?.message.hasPrefix("\(path) cannot be created: ") == true)
        #expect(error?.errno == fault)
        try? FileManager.default.removeItem(atPath: folder.path("deep"))
      }
    }
    #expect(try names(plan("deep/job"), "parts").isEmpty)
  }

  @Test func a_join_without_its_folders_is_retried_only_if_that_may_help()
    async throws
  {
    var job = try plan()
    _ = try await PartEncoder(job, part: 0).run()
    for fault in Self.lasting + Self.passing {
      for name in ["/movies", "/movies/.join-"] {
        let prefix = job.folder + name
        job.calls = Calls(making: {
          $0 == prefix || name != "/movies" && $0.hasPrefix(prefix) ? fault : nil
        })
        let joiner = try MovieJoiner(job, source: 0)
        let error = await #expect(throws: EncodeJobError.self) { try await joiner.run() }
        #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
        #expect(error?.message.contains("cannot be created") == true && error?.errno == fault)
        #expect(error?.message.hasPrefix(prefix) == true)
      }
    }
    job.calls = Calls()
    #expect(try await !MovieJoiner(job, source: 0).run().wasThere)
  }

  @Test func a_temporarily_inaccessible_part_is_not_taken_for_missing() async throws {
    var job = try plan()
    _ = try await PartEncoder(job, part: 0).run()
    for fault in Self.passing {
      job.calls = Calls(finding: { _ in fault })
      let (part, joiner) = (try PartEncoder(job, part: 0), try MovieJoiner(job, source: 0))
      let errors = [
        await #expect(throws: EncodeJobError.self) { try await part.run() },
        await #expect(throws: EncodeJobError.self) { try await joiner.run() },
        #expect(throws: EncodeJobError.self) { try EncodeJobStatus(of: job) },
      ]
      for error in errors {
        #expect(error?.code == .temporary && error?.errno == fault)
        #expect(error?.message.contains("cannot be examined") == true)
      }
    }
    #expect(try names(job, "parts") == ["000000"])
  }

  @Test func a_movie_that_cannot_be_renamed_costs_no_part() async throws {
    var job = try plan()
    _ = try await PartEncoder(job, part: 0).run()
    for fault in Self.lasting + Self.passing {
      job.calls = Calls(renaming: { $0.hasSuffix(".mov") ? fault : nil })
      var joiner = try MovieJoiner(job, source: 0)
      joiner.removesParts = true
      let failing = joiner
      let error = await #expect(throws: EncodeJobError.self) { try await failing.run() }
      #expect(error?.isWorthRetrying == Self.passing.contains(fault), "\(fault)")
      #expect(error?.message.contains("join again") == true && error?.errno == fault)
      #expect(try names(job, "movies") == ["intra.mov.json"])
      #expect(try EncodeJobStatus(of: job, readsMovies: true).completeCount == 1)
    }
    job.calls = Calls()
    #expect(try await !MovieJoiner(job, source: 0).run().wasThere)
  }

  @Test func a_work_folder_that_cannot_be_removed_after_a_failure_is_reported() async throws {
    var job = try plan()
    let text = "was left behind, because it cannot be removed: \(Errno.directoryNotEmpty)"
    job.calls = Calls(
      renaming: { $0.contains("/parts/") ? .noSpace : nil }, removing: { _ in .directoryNotEmpty })
    let part = try PartEncoder(job, part: 0)
    let error = await #expect(throws: EncodeJobError.self) { try await part.run() }
    // The failure itself comes first, and decides about another try.
    #expect(error?.isWorthRetrying == true && error?.errno == .noSpace)
    #expect(error?.message.hasSuffix(text) == true, "\(error?.message ?? "")")
    #expect(try names(job, "parts").count == 1)
    job.calls = Calls()
    _ = try await PartEncoder(job, part: 0).run()
    job.calls = Calls(
      renaming: { $0.hasSuffix(".mov") ? .noSpace : nil }, removing: { _ in .directoryNotEmpty })
    let joiner = try MovieJoiner(job, source: 0)
    let failure = await #expect(throws: EncodeJobError.self) { try await joiner.run() }
    #expect(failure?.isWorthRetrying == true && failure?.errno == .noSpace)
    #expect(failure?.message.hasSuffix(text) == true, "\(failure?.message ?? "")")
  }

  @Test func a_work_folder_that_outlives_a_complete_join_is_a_notice() async throws {
    var job = try plan()
    _ = try await PartEncoder(job, part: 0).run()
    job.calls = Calls(removing: { _ in .directoryNotEmpty })
    var joiner = try MovieJoiner(job, source: 0)
    let lines = Mutex<[String]>([])
    joiner.onNotice = { line in lines.withLock { $0.append(line) } }
    let joining = joiner
    #expect(try await !joining.run().wasThere)
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first?.contains("/movies/.join-") } == true)
  }

  @Test func a_leaving_that_cannot_be_removed_is_a_notice() async throws {
    var job = try plan()
    let left = job.folder + "/parts/.work-000000-old-one"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -25 * 3600)], ofItemAtPath: left)
    job.calls = Calls(removing: { $0 == left ? .notPermitted : nil })
    var part = try PartEncoder(job, part: 0)
    let lines = Mutex<[String]>([])
    part.onNotice = { line in lines.withLock { $0.append(line) } }
    part.onLeaving = { Issue.record("\($0.message)") }
    let encoding = part
    _ = try await encoding.run()
    let text = "was left behind, because it cannot be removed: \(Errno.notPermitted)"
    #expect(lines.withLock { $0 } == ["\(left) \(text)"])
  }

  @Test func a_missing_work_folder_counts_as_removed() {
    let calls = SystemJobFolderCalls()
    #expect(calls.remains(afterRemoving: folder.path("none")) == nil)
    #expect(throws: Errno.noSuchFileOrDirectory) { try calls.removeFolder(folder.path("none")) }
  }
}
