import AssetWriter
public import CaptureDevices
public import FoundationEssentials
import MediaCore
import Synchronization
public import TakeReports
public import VideoRecorder

/// A recording that goes on in a new movie where its source went away and came back.
///
/// The device is found again by its identity, its format chosen anew by the same request. Timecode
/// runs on meanwhile, so that the movies lie where they belong on a timeline.
public final class RecordingSeries: Sendable {
  /// What happens between two movies of a series.
  public enum Event: Sendable {
    /// The source went away; the movie so far is complete, and the source is awaited.
    case interrupted(RecordingReport)
    /// The source is back, and is recorded into the movie of this path.
    case resumed(path: String)
    /// One line of what others did to a file that is recorded.
    case noticed(String)
  }

  /// What was asked for.
  public let request: RecordingRequest
  private let present: Mutex<RecordingSetup>

  /// The set-up that records at present, or did last.
  public var setup: RecordingSetup { present.withLock { $0 } }

  /// Seconds between two looks for a source that went away.
  static let patience = 0.5

  /// Sets the first recording up.
  ///
  /// - Throws: As ``RecordingSetup/init(_:)``.
  public init(_ request: RecordingRequest) throws(CaptureError) {
    var request = request
    request.takeIdentifier = request.takeIdentifier ?? UUID().uuidString
    self.request = request
    present = Mutex(try RecordingSetup(request))
  }

  /// A series whose first recording is one of a session that runs.
  init(of setup: RecordingSetup, identifier: String) {
    var request = setup.request
    request.takeIdentifier = identifier
    self.request = request
    present = Mutex(setup)
  }

  /// Records until the duration is reached, the task is cancelled, or a failure ends it.
  ///
  /// If the source goes away, its return is awaited for the time that the preset gives, but not after the task is
  /// cancelled and, if a duration was requested, not longer than what is left of it. The duration counts recorded time
  /// only.
  ///
  /// - Parameters:
  ///   - start: As of ``RecordingSetup/record(after:in:to:)``.
  ///   - folder: As of ``RecordingSetup/record(after:in:to:)``.
  ///   - tell: Called with what happens between two movies.
  ///   - path: As of ``RecordingSetup/record(after:in:to:)``.
  /// - Returns: The first movie's report, with those of the others as its continuations.
  /// - Throws: As ``RecordingSetup/record(after:in:to:)`` for the first movie.
  public func record(
    after start: (@Sendable () async -> StartMark?)? = nil, in folder: URL? = nil,
    telling tell: @escaping @Sendable (Event) -> Void = { _ in },
    to path: @Sendable () throws(CaptureError) -> MovieName.Resolution
  ) async throws(CaptureError) -> RecordingReport {
    let prepared = MonotonicClock.now
    setup.output.noticeHandler = { tell(.noticed($0)) }
    let first = try await setup.record(after: start, in: folder, to: path)
    return await goOn(after: first, since: prepared, telling: tell)
  }

  /// Records into further movies for as long as the source goes away and comes back.
  ///
  /// - Parameter prepared: When the first recording began, where its report does not tell.
  /// - Returns: The first movie's report, with those of the others as its continuations.
  func goOn(
    after first: RecordingReport, since prepared: Int64,
    telling tell: @escaping @Sendable (Event) -> Void
  ) async -> RecordingReport {
    let rate = rate(of: first)
    let began = first.startOfTake(at: rate).map { Int64(saturating: $0 * 1e9) } ?? prepared
    var report = first
    var last = first
    /// Nanoseconds for which the source was away.
    var away: Int64 = 0
    while continues(after: last), !Task.isCancelled {
      let reports = [first] + report.continuations
      // What was left out is still to come.
      let paused = Double(reports.reduce(0) { $0 + $1.frames.skippedInPause }) / rate
      let began = began.addingSaturating(Int64(saturating: paused * 1e9)).addingSaturating(away)
      guard
        let next = TakeRemainder(
          of: request, after: reports, since: began, rate: rate,
          byteRate: setup.targetBytesPerSecond)
      else { break }
      tell(.interrupted(last))
      let number = report.continuations.count + 2
      let left = MonotonicClock.now
      guard
        let following = await awaitSource(
          next, first: first, number: number, isPaused: last.wasPaused == true, telling: tell)
      else { break }
      if let back = following.movie.startTime {
        away = away.addingSaturating(max(Int64(saturating: back * 1e9) - left, 0))
      }
      report.continuations.append(following)
      last = following
    }
    return report
  }

  /// True where a report ended in a way that the take goes on after.
  func continues(after report: RecordingReport) -> Bool {
    guard report.isValid, report.end.isInterruption else { return false }
    if report.end == .deviceFailed, !setup.selection.device.canComeBack { return false }
    switch request.preset.faults.interruption {
    case .stop: return false
    case .newSegment: return true
    case .hold, .slate:
      // A device that was awaited in the movie already, for as long as it may be, is given up.
      return report.end == .formatChanged || request.preset.faults.sourceWaitLimit == nil
    }
  }

  /// Frames a second of the take.
  private func rate(of first: RecordingReport) -> Double {
    (FrameRate(first.movie.frameRate) ?? setup.selection.frameRate ?? .fps25).framesPerSecond
  }

  /// Tries until there is a recording; nil where the source did not come back.
  private func awaitSource(
    _ remainder: TakeRemainder, first: RecordingReport, number: Int, isPaused: Bool,
    telling tell: @escaping @Sendable (Event) -> Void
  ) async -> RecordingReport? {
    let request = remainder.request
    let limit = request.preset.faults.sourceWaitLimit.map {
      MonotonicClock.now.addingSaturating(Int64(saturating: $0 * 1e9))
    }
    // A pause may last.
    let deadline = [isPaused ? nil : remainder.deadline, limit].compactMap { $0 }.min()
    // In the folder that is left, by the name that the take began with.
    let path = URL(filePath: remainder.neighbor).deletingLastPathComponent()
      .appending(component: URL(filePath: first.movie.path).lastPathComponent).path
    var source = ReturningSource(of: setup, request)
    while !Task.isCancelled, MonotonicClock.now < deadline ?? .max {
      if let next = source.setUp(telling: { tell(.noticed($0)) }) {
        next.continueTimecode(of: first)
        next.output.noticeHandler = { tell(.noticed($0)) }
        present.withLock { $0 = next }
        do throws(CaptureError) {
          if let report = try await record(
            next, beside: path, number: number, until: deadline, isPaused: isPaused, telling: tell)
          {
            return report
          }
        } catch { source.note(error) { tell(.noticed($0)) } }
      }
      try? await Task.sleep(for: .seconds(Self.patience))
    }
    return nil
  }

  /// Records into the next free name; nil where not one frame came.
  ///
  /// - Throws: As ``RecordingSetup/record(to:)``.
  private func record(
    _ setup: RecordingSetup, beside path: String, number: Int, until deadline: Int64?,
    isPaused: Bool, telling tell: @escaping @Sendable (Event) -> Void
  ) async throws(CaptureError) -> RecordingReport? {
    guard let url = nextURL(beside: path, and: setup.output.options.secondFolder, from: number)
    else {
      throw CaptureError(.fileAlreadyExists, "no number is left for another movie beside \(path)")
    }
    let recording = Task { () async -> Result<RecordingReport, CaptureError> in
      do throws(CaptureError) { return .success(try await setup.record(to: url.path)) } catch {
        return .failure(error)
      }
    }
    let watch = Task {
      while setup.output.progress?.frames ?? 0 == 0 {
        if MonotonicClock.now >= deadline ?? .max { recording.cancel() }
        do { try await Task.sleep(for: .milliseconds(isPaused ? 5 : 100)) } catch { return }
      }
      tell(.resumed(path: url.path))
      guard isPaused else { return }
      setup.output.pauseRecording()
      tell(.noticed("the take is still paused; resume it to continue"))
    }
    let report = await withTaskCancellationHandler {
      await recording.value
    } onCancel: {
      recording.cancel()
    }
    watch.cancel()
    return try report.get().nonempty
  }

  /// A name for a movie of the series that neither a file has nor the segments of one, in its folder or in the
  /// second one.
  private func nextURL(beside path: String, and second: String?, from number: Int) -> URL? {
    let policy = SegmentPolicy()
    let take = URL(filePath: path)
    let folder = take.deletingLastPathComponent().path
    let names = [folder, second].compactMap(\.self).flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }
    return (number..<max(number, 10_000)).lazy.map { policy.url(ofSegment: $0, of: take) }
      .first { url in
        let stem = url.deletingPathExtension().lastPathComponent
        return !names.contains { $0.hasPrefix(stem + ".") || $0.hasPrefix(stem + "-") }
      }
  }
}

extension RecordingSetup {
  /// Lets the timecode run on from that of a take's first movie, where it was a given one.
  func continueTimecode(of first: RecordingReport) {
    guard case .start(let preset) = output.options.timecodeSource,
      let instant = first.movie.startTime
    else { return }
    let address = first.movie.startTimecode.flatMap {
      Timecode($0, frameRate: selection.frameRate ?? .fps25)
    }
    output.options.timecodeSource = .running(
      address ?? preset, since: MediaTime(seconds: instant, preferredTimescale: 1_000_000_000))
  }
}

extension RecordingReport {
  /// The report of a movie that has frames; nil of one without.
  fileprivate var nonempty: Self? { movie.frameCount > 0 ? self : nil }

  /// When the take began, on the source's clock in seconds: behind the pre-roll.
  fileprivate func startOfTake(at rate: Double) -> Double? {
    movie.startTime.map { $0 + Double(movie.preRollFrames ?? 0) / rate }
  }

  /// The outcome of a recording and its continuations: `Outcome.imperfect` if it reached its end with
  /// frames missing in between.
  ///
  /// - Parameter last: The outcome of the last of them.
  public func outcome(endingWith last: Outcome) -> Outcome {
    let reports = [self] + continuations
    guard reports.allSatisfy(\.isValid) else { return .failed }
    return continuations.isEmpty || last == .endedEarly ? last : .imperfect
  }
}
