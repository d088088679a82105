import MediaCore
import RecorderControl
import TakeReports
import Takes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Starts takes on several channels, with first frames of the same moment.
///
/// All channels stand by first, however long the slowest one needs. Then all are given the same second of the
/// clock, shortly ahead, and each begins with the first frame that is exposed from then on.
struct CommonStart: Sendable {
  /// The second at which all begin.
  struct Moment: Sendable, Hashable {
    /// Seconds since 1970 UTC.
    var unixTime: Int64
    /// The time of day in local time: `09:30:01`.
    var timeOfDay: String

    /// How many seconds before the moment commands are sent.
    private static let lead = 0.4

    /// The next second that commands can reach in time.
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

    /// True if a recorder's scheduled start is the one for this moment. With drop-frame counting seconds
    /// begin a frame earlier or later.
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
    /// The timecode of its first frame; with a pre-roll, of the frame at the start.
    var timecode: String?
    /// Seconds from the common moment to that frame's exposure, negative if it was earlier; missing if the
    /// source has its own clock.
    var late: Double?
  }

  /// The result of a channel.
  struct Outcome: Sendable {
    var result: Result<RecorderReply, ServiceError>
    var start: Start?
  }

  let channels: [RecorderChannel]
  let slate: TakeSlate

  /// Seconds after the moment within which a take has to begin.
  private static let patience = 5.0

  /// Begins a take on each channel, and waits for the first frames.
  func run() async -> (moment: Moment, outcomes: [Outcome]) {
    let woken = await onAll { channel in await Self.makeReady(channel) }
    let moment = Moment(after: WallClock.now)
    let instant = moment.instant
    // Independently of each other, so that the others' starts are known while one does not answer.
    let outcomes = await onAll { channel in await start(channel, at: moment, instant) }
    // Channels that were idle become idle again after this take.
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
    // Notes from scheduling the start are kept, such as that the clock is not synchronized.
    begun.result = begun.result.map { reported in
      var reported = reported
      let notes = (reply.notes ?? []) + (reported.notes ?? [])
      reported.notes = notes.isEmpty ? nil : notes
      return reported
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

  /// Makes a channel stand by.
  ///
  /// - Returns: True if it stands by only for this start.
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
        // Cancels only a start that is still to come. It never ends a take.
        if reply.status?.state == .armed { _ = try await channel.stop() }
        throw ServiceError(
          .notConnected,
          "the recorder of channel \(channel.name) did not receive the start in time, or has another "
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
        return failure(channel, "has not started its take: \(reason)")
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return failure(channel, "has recorded no frame \(Int(patience)) seconds after the start")
  }

  private static func failure(_ channel: RecorderChannel, _ what: String) -> Outcome {
    Outcome(
      result: .failure(
        ServiceError(.notConnected, "the recorder of channel \(channel.name) \(what)")))
  }

  /// The remark on a first frame that is not at the moment.
  static func note(_ start: Start, of recorder: RecorderStatus) -> String? {
    guard let late = start.late else {
      return "the source has its own clock: the offset of its first frame is unknown"
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
      late.map { "\(($0 * 10_000).rounded() / 10) ms after" } ?? "with its own clock, at"
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
