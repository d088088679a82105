import FoundationEssentials
import Logging
import MediaCore
import RecorderControl
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Work on takes that can wait: verification, and proxies for browsers. Jobs run one after the other, only while no
/// channel records, and at low priority.
final class TakeJobs: Sendable {
  /// A kind of work.
  enum Kind: String, Sendable, CaseIterable {
    case verification = "verify"
    case proxy
  }

  private struct Job: Sendable {
    var kind: Kind
    var channel: RecorderChannel
    var take: String
  }

  private let folder: RuntimeFolder
  private let programs: Gateway.Programs
  private let proxies: ProxyFolder
  private let logger: Logger
  private let jobs: AsyncStream<Job>
  private let queue: AsyncStream<Job>.Continuation

  /// Jobs that wait at most.
  private static let limit = 500

  init(
    folder: RuntimeFolder, proxies: ProxyFolder, programs: Gateway.Programs, logger: Logger
  ) {
    self.folder = folder
    self.proxies = proxies
    self.programs = programs
    self.logger = logger
    (jobs, queue) = AsyncStream<Job>.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
  }

  /// Adds a job, unless the same one already waits or runs.
  ///
  /// - Throws: ``ServiceError/Code/notAvailable`` if a program for it is missing, ``ServiceError/Code/tooMany``.
  func submit(
    _ kind: Kind, _ take: String, of channel: RecorderChannel
  ) throws(ServiceError) {
    try check(kind)
    var isNew = false
    channel.shelf.change(take) { record in
      switch kind {
      case .verification:
        isNew = !(record.verification?.state.isUnderWay ?? false)
        if isNew { record.verification = .init(state: .waiting) }
      case .proxy:
        isNew = !(record.proxy?.state.isUnderWay ?? false)
        if isNew { record.proxy = .init(state: .waiting) }
      }
    }
    guard isNew else { return }
    guard case .enqueued = queue.yield(Job(kind: kind, channel: channel, take: take)) else {
      forget(kind, take, of: channel)
      throw ServiceError(.tooMany, "\(Self.limit) jobs are already waiting")
    }
  }

  /// Checks that a kind of job is possible here.
  func check(_ kind: Kind) throws(ServiceError) {
    switch kind {
    case .verification where programs.verifier.isEmpty:
      throw ServiceError(
        .notAvailable, "recordctl, which verifies, is neither beside recordctl-serve nor in PATH")
    case .proxy where programs.ffmpeg == nil:
      throw ServiceError(
        .notAvailable, "proxies are created by the command ffmpeg, which is not installed")
    case .verification, .proxy: break
    }
  }

  /// Works until the task is cancelled.
  ///
  /// - Parameter isRecording: True while some channel records.
  func run(whileNot isRecording: @escaping @Sendable () -> Bool) async {
    for await job in jobs {
      while isRecording(), !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
      await work(on: job, isRecording)
    }
  }

  private func work(on job: Job, _ isRecording: @escaping @Sendable () -> Bool) async {
    guard !Task.isCancelled, let record = job.channel.shelf[job.take] else { return }
    set(job.kind, job.take, of: job.channel, .running)
    let hold = BackgroundProcess.Hold(isWanted: isRecording) { [self] isHeld in
      set(job.kind, job.take, of: job.channel, isHeld ? .waiting : .running)
    }
    do throws(ServiceError) {
      switch job.kind {
      case .verification: try await verify(record, of: job.channel, hold)
      case .proxy: try await makeProxies(record, of: job.channel, hold)
      }
    } catch {
      // A job that was cancelled with the gateway has not failed. The next gateway starts it again.
      guard !Task.isCancelled else { return forget(job.kind, job.take, of: job.channel) }
      // Its movies may have been moved into a library meanwhile.
      if let present = job.channel.shelf[job.take], present.take.movies != record.take.movies {
        return await work(on: job, isRecording)
      }
      finish(job.kind, job.take, of: job.channel, .failed, error.message)
    }
  }

  /// Removes the proxies of takes that are no longer listed.
  func forget(_ records: [TakeRecord]) {
    for record in records {
      for movie in record.take.movies.indices { unlink(proxies.path(of: record.id, movie: movie)) }
    }
  }

  // MARK: Work

  private func verify(
    _ record: TakeRecord, of channel: RecorderChannel, _ hold: BackgroundProcess.Hold
  ) async throws(ServiceError) {
    struct Verdict: Decodable {
      struct Finding: Decodable {
        var severity: String
        var message: String
      }
      var findings: [Finding]
    }
    var faults: [String] = []
    for (index, path) in record.take.movies.enumerated() {
      let result = try await BackgroundProcess.run(
        programs.verifier + [path], logPath: "\(folder.path)/verify-\(record.id)-\(index).log",
        hold: hold)
      switch (result.status, JSONText.value(Verdict.self, result.output)) {
      case (0, _): break
      case (1, let verdict?):
        let first = verdict.findings.first { $0.severity == "error" }?.message ?? "it is not valid"
        faults.append("\(path.lastPathPart): \(first)")
      default:
        throw ServiceError(
          .launchFailed, withoutFolder(result.lastLine ?? "the verification was ended", path))
      }
    }
    if let omitted = record.take.omitted {
      faults.append("\(omitted) movies and markers are not in the list and were not checked")
    }
    let message = faults.first.map { faults.count > 1 ? "\($0), and others" : $0 }
    channel.shelf.change(record.id) {
      $0.verification = .init(state: .done, isValid: faults.isEmpty, message: message)
    }
    logger.notice("verified \(record.take.path): \(message ?? "valid")")
  }

  private func makeProxies(
    _ record: TakeRecord, of channel: RecorderChannel, _ hold: BackgroundProcess.Hold
  ) async throws(ServiceError) {
    guard let ffmpeg = programs.ffmpeg else { return }
    try proxies.make()
    for (index, path) in record.take.movies.enumerated() {
      let target = proxies.path(of: record.id, movie: index)
      let words = [
        ffmpeg, "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-i", "file:" + path,
        "-map", "0:v:0", "-map", "0:a:0?", "-vf",
        "yadif=deint=interlaced,scale=-2:trunc(min(540\\,ih)/2)*2", "-c:v", "libx264", "-preset",
        "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", "-ac", "2",
        "-movflags", "+faststart", "-f", "mp4", "file:" + target + ".part",
      ]
      let result = try await BackgroundProcess.run(
        words, logPath: "\(folder.path)/proxy-\(record.id)-\(index).log", hold: hold)
      guard result.status == 0, rename(target + ".part", target) == 0 else {
        unlink(target + ".part")
        throw ServiceError(
          .launchFailed, withoutFolder(result.lastLine ?? "ffmpeg was ended", path))
      }
    }
    // Newer takes may have displaced it from the list meanwhile.
    guard channel.shelf[record.id] != nil else { return forget([record]) }
    finish(.proxy, record.id, of: channel, .done, nil)
    logger.info("a proxy of \(record.take.path) already exists")
  }

  /// A program's output for the network, where movies have names only.
  private func withoutFolder(_ text: String, _ path: String) -> String {
    text.replacing(path, with: path.lastPathPart)
  }

  /// Resets a job to the state before it was submitted.
  private func forget(_ kind: Kind, _ take: String, of channel: RecorderChannel) {
    channel.shelf.change(take) { record in
      switch kind {
      case .verification: record.verification = nil
      case .proxy: record.proxy = nil
      }
    }
  }

  private func set(
    _ kind: Kind, _ take: String, of channel: RecorderChannel, _ state: TakeRecord.JobState
  ) {
    finish(kind, take, of: channel, state, nil)
  }

  private func finish(
    _ kind: Kind, _ take: String, of channel: RecorderChannel, _ state: TakeRecord.JobState,
    _ message: String?
  ) {
    channel.shelf.change(take) { record in
      switch kind {
      case .verification: record.verification = .init(state: state, message: message)
      case .proxy: record.proxy = .init(state: state, message: message)
      }
    }
  }
}

extension TakeRecord.JobState {
  var isUnderWay: Bool { self == .waiting || self == .running }
}
