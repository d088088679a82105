import MediaCore
import RecorderControl
import TakeReports
import Takes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Takes of several channels whose first frames share one moment.
///
/// All stand by first, however long the slowest one needs. Then each is told the same second of the
/// clock, which lies a little ahead, and begins with the frame that is exposed first from there on.
struct CommonStart: Sendable {
  /// The second at which all begin.
  struct Moment: Sendable, Hashable {
    /// Seconds since 1970 UTC.
    var unixTime: Int64
    /// The time of day in local time: `09:30:01`.
    var timeOfDay: String

    /// Seconds for which commands may be on their way.
    private static let lead = 0.4

    /// The next second to which commands still find their way.
    init(after unixTime: Double) {
      var second = Int64((unixTime + Self.lead).rounded(.up))
      // Drop-frame counting skips the first addresses of a minute: no rate would share them.
      if second % 60 == 0 { second += 1 }
      self.init(unixTime: second)
    }

    init(unixTime: Int64) {
      self.unixTime = unixTime
      var (seconds, local) = (time_t(unixTime), tm())
      localtime_r(&seconds, &local)
      timeOfDay = [local.tm_hour, local.tm_min, local.tm_sec]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// By ISO 8601 in UTC.
    var date: String { JSONDocument.date(unixTime: unixTime) }

    /// True for a start that a recorder has set for this moment: drop-frame counting has its seconds a
    /// frame earlier or later.
    func isMeant(by armed: RecorderStatus.Armed?) -> Bool {
      (-1...1).contains { JSONDocument.date(unixTime: unixTime + $0) == armed?.date }
    }

    /// Seconds of CLOCK_MONOTONIC, as the clocks go now.
    var instant: Double {
      let offset = Double(unixTime) - WallClock.now
      return Double(MonotonicClock.now) * 1e-9 + offset
    }
  }

  /// How a channel's take began.
  struct Start: Sendable, Hashable, Encodable {
    /// The timecode of its first frame; of the one at the start, where there is a pre-roll.
    var timecode: String?
    /// Seconds from the common moment to that frame's exposure, negative where that was before it; missing
    /// where the source has a clock of its own.
    var late: Double?
  }

  /// What became of a channel.
  struct Outcome: Sendable {
    var result: Result<RecorderReply, ServiceError>
    var start: Start?
  }

  let channels: [RecorderChannel]
  let slate: TakeSlate

  /// Seconds beyond the moment until a take has to have begun.
  private static let patience = 5.0

  /// Begins a take on each channel, and waits for the first frames.
  func run() async -> (moment: Moment, outcomes: [Outcome]) {
    let woken = await onAll { channel in await Self.makeReady(channel) }
    let moment = Moment(after: WallClock.now)
    let instant = moment.instant
    // Each by itself: how the others begin is known while one does not answer.
    let outcomes = await onAll { channel in await start(channel, at: moment, instant) }
    // As they were, between the takes to come.
    for (channel, wasIdle) in zip(channels, woken) where wasIdle {
      _ = try? await channel.standBy(false)
    }
    return (moment, outcomes)
  }

  private func start(
    _ channel: RecorderChannel, at moment: Moment, _ instant: Double
  ) async -> Outcome {
    let armed = await arm(channel, moment)
    guard case .success(let reply) = armed, reply.isDone else { return Outcome(result: armed) }
    var begun = await Self.awaitStart(of: channel, at: moment, instant)
    // What the recorder said when the start was set, such as that its clock follows no other, counts as well.
    begun.result = begun.result.map { told in
      var told = told
      let notes = (reply.notes ?? []) + (told.notes ?? [])
      told.notes = notes.isEmpty ? nil : notes
      return told
    }
    return begun
  }

  private func onAll<Value: Sendable>(
    _ body: @escaping @Sendable (RecorderChannel) async -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
      for (index, channel) in channels.enumerated() {
        group.addTask { (index, await body(channel)) }
      }
      var all: [Int: Value] = [:]
      for await (index, value) in group { all[index] = value }
      return channels.indices.compactMap { all[$0] }
    }
  }

  /// Has a channel stand by.
  ///
  /// - Returns: True where it does so for this start alone.
  private static func makeReady(_ channel: RecorderChannel) async -> Bool {
    guard channel.status.recorder?.state == .idle else { return false }
    return (try? await channel.standBy(true))?.isDone ?? false
  }

  private func arm(
    _ channel: RecorderChannel, _ moment: Moment
  ) async -> Result<RecorderReply, ServiceError> {
    do throws(ServiceError) {
      guard let start = ArmedStart(moment.timeOfDay) else {
        throw ServiceError(.invalidRequest, "\(moment.timeOfDay) is not a time of day")
      }
      let reply = try await channel.start(slate, at: start)
      // A time of day that is past already would be that of tomorrow.
      let isHeard =
        moment.isMeant(by: reply.status?.armed) || reply.status?.state == .recording
      guard !reply.isDone || isHeard else {
        // A start that is still to come: a take that is being recorded is never ended by this.
        if reply.status?.state == .armed { _ = try await channel.stop() }
        throw ServiceError(
          .notConnected,
          "the recorder of channel \(channel.name) did not hear of the start in time, or has another "
            + "time zone; start again")
      }
      return .success(reply)
    } catch {
      return .failure(error)
    }
  }

  private static func awaitStart(
    of channel: RecorderChannel, at moment: Moment, _ instant: Double
  ) async -> Outcome {
    while WallClock.now < Double(moment.unixTime) + patience, !Task.isCancelled {
      let recorder = channel.status.recorder
      switch recorder?.state {
      case .recording:
        guard let recorder, let begun = recorder.progress?.startTime else { break }
        let late = begun - instant
        let start = Start(
          timecode: recorder.progress?.startTimecode,
          late: late.magnitude < 60 ? (late * 1e6).rounded() / 1e6 : nil)
        var reply = RecorderReply(status: recorder, take: recorder.take)
        reply.notes = note(start, of: recorder).map { [$0] }
        channel.tell(notice: start.text(of: moment))
        return Outcome(result: .success(reply), start: start)
      case .armed: break
      default:
        // Between the moment and its first frame it may still stand by.
        guard WallClock.now > Double(moment.unixTime) + 2 else { break }
        let reason = recorder?.message?.withoutPaths ?? "its notices say why"
        return failure(channel, "has not begun its take: \(reason)")
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return failure(channel, "has shown no first frame \(Int(patience)) seconds after the start")
  }

  private static func failure(_ channel: RecorderChannel, _ what: String) -> Outcome {
    Outcome(
      result: .failure(
        ServiceError(.notConnected, "the recorder of channel \(channel.name) \(what)")))
  }

  /// What is to be told of a first frame that is not the one of the moment.
  static func note(_ start: Start, of recorder: RecorderStatus) -> String? {
    guard let late = start.late else {
      return "the source has a clock of its own: how far its first frame is off is not known"
    }
    let rate = recorder.source?.frameRate.flatMap { FrameRate($0) }?.framesPerSecond ?? 25
    // Whole frames, early or late alike: clocks that agree to a thousandth of a frame are together.
    let frames = Int((late.magnitude * rate + 1e-3).rounded(.down)) * (late < 0 ? -1 : 1)
    return frames == 0 ? nil : "the first frame is \(frames) frames off"
  }
}

extension CommonStart.Start {
  /// For people.
  func text(of moment: CommonStart.Moment) -> String {
    let off =
      late.map { "\(($0 * 10_000).rounded() / 10) ms after" } ?? "with a clock of its own, at"
    return "began \(off) the common start \(moment.timeOfDay), timecode \(timecode ?? "none")"
  }
}

/// The time of day.
enum WallClock {
  /// Seconds since 1970 UTC.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
