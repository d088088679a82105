import CaptureDevices
import Dispatch
import MediaCore
import Monitor
import Synchronization
public import Takes
import VideoRecorder

/// Makes what monitors show of a session's input, as far as a client wants it.
///
/// It takes frames from a video data output of depth 1, on its own queue with threads of ordinary priority.
/// While it is busy, frames are skipped, and the device gets its buffer back as soon as the preview frame
/// is made. While nobody asks, it gets no frames at all.
public final class MonitorFeed: Sendable {
  /// What clients want.
  struct Demand: Sendable, Hashable {
    /// True if a client watches frames, even if none is wanted at the moment.
    var frames: Bool
    /// When a frame is wanted next, in nanoseconds: of the whole source (nil), and of regions.
    var due: [FrameRegion?: Int64] = [:]
    /// The number of the last frame that had arrived when this demand was made.
    var seen = 0
    var scopes: VideoScopes.Selection
    var levels: Bool
    var alarms: Bool

    static let nothing = Demand(
      frames: false, scopes: [], levels: false, alarms: false)
  }

  private struct State: Sendable {
    var demand = Demand.nothing
    /// True while a take is recorded. Its loudness is measured even if no client listens.
    var isTaking = false
    var deliver: (@Sendable (ControlServer.Input) -> Void)?
    var decimator: FrameDecimator?
    /// The last two preview frames. When a third is made, the older one has been sent, and its memory is reused.
    var previews: [PreviewFrame] = []
    var due = FramesDue()
    var meter = LevelMeter()
    var levelsAt: Double = 0
    var alarms = AlarmWatch()
    var failure: String?
    var hasReportedLoudness = false
    /// The outputs of the present session.
    var outputs: (video: CaptureVideoDataOutput, audio: CaptureAudioDataOutput)?

    var wantsFrames: Bool { demand.frames || demand.alarms }
    var wantsAudio: Bool { demand.levels || demand.alarms || isTaking }
  }

  private let state = Mutex(State())
  /// In its own lock, so that nothing else waits while audio is measured.
  private let loudness = Mutex(LoudnessWatch())
  private let frames = DispatchQueue(label: "monitor.frames")
  private let audio = DispatchQueue(label: "monitor.audio")
  /// When a frame is wanted next: a copy of what the demand says, to be read without a lock.
  private let due = Atomic<Int64>(.max)
  private let wantsAudio = Atomic(false)

  /// Seconds between two readings of levels.
  private static let levelInterval = 0.05

  /// Creates a feed that is not attached to anything yet.
  public init() {}

  /// Attaches the feed to the sessions of a request.
  public func attach(to request: inout RecordingRequest) {
    request.makeObservers = { [self] in makeOutputs() }
  }

  /// Outputs for a session.
  func makeOutputs() -> [CaptureOutput] {
    let outputs = (video: CaptureVideoDataOutput(), audio: CaptureAudioDataOutput())
    let present = state.withLock { state in
      state.outputs = outputs
      return state
    }
    connect(present)
    return [outputs.video, outputs.audio]
  }

  /// Starts or stops the delivery of frames and audio, so that only what a client wants is delivered.
  private func connect(_ state: State) {
    guard let outputs = state.outputs else { return }
    if state.wantsFrames {
      outputs.video.setSampleBufferHandler(
        SampleHandler(
          queue: frames, isWanted: { [self] in isFrameDue(at: MonotonicClock.now) },
          deliver: { [self] sample, _ in takeFrame(sample) }))
    } else {
      outputs.video.setSampleBufferHandler(nil)
    }
    if state.wantsAudio {
      outputs.audio.setSampleBufferHandler(
        SampleHandler(
          queue: audio, deliver: { [self] sample, _ in takeAudio(sample) },
          drop: { [self] drop, _ in loudness.withLock { $0.lose(drop.count) } }))
    } else {
      outputs.audio.setSampleBufferHandler(nil)
    }
  }

  /// Sets the function that gets the results. It must return immediately.
  func deliver(to function: @escaping @Sendable (ControlServer.Input) -> Void) {
    state.withLock { state in
      state.deliver = function
      // A frame that is being made is still delivered to the previous function.
      state.due.giveUp()
      due.store(nextDue(state), ordering: .releasing)
    }
  }

  /// Makes what is wanted from now on, and nothing else.
  func demand(_ demand: Demand) {
    let changed = state.withLock { state -> State? in
      guard state.demand != demand else { return nil }
      let before = state.demand
      if demand.alarms != state.demand.alarms { state.alarms = AlarmWatch() }
      if demand.levels || demand.alarms, !(state.demand.levels || state.demand.alarms) {
        state.meter = LevelMeter()
      }
      state.demand = demand
      state.due.want(demand.due, having: demand.seen)
      if !state.wantsFrames { state.previews = [] }
      due.store(nextDue(state), ordering: .releasing)
      let isSame =
        (before.frames, before.levels, before.alarms)
        == (demand.frames, demand.levels, demand.alarms)
      return isSame ? nil : state
    }
    if let changed { reconnect(changed) }
  }

  private func reconnect(_ state: State) {
    wantsAudio.store(state.wantsAudio, ordering: .releasing)
    if !state.wantsAudio { loudness.withLock { $0.stop() } }
    connect(state)
  }

  // MARK: The recorder's events

  /// Adds loudness to an event of the recorder. The beginnings and ends of takes in these events control the
  /// measurement.
  func follow(_ event: RecorderEvent) -> RecorderEvent {
    var event = event
    if event.event == .takeStarted, let take = event.take {
      setTaking(true)
      loudness.withLock { $0.record(take: take.number, isPaused: false) }
    }
    if event.event == .state, let status = event.status { follow(status) }
    if event.event == .takeFinished, let finished = event.finished {
      let isTaking = loudness.withLock { watch in
        event.finished?.loudness = watch.finish(
          take: finished.number, duration: finished.duration)
        return watch.isOfTake
      }
      setTaking(isTaking)
    }
    event.status = event.status.map(adding(to:))
    return event
  }

  private func follow(_ status: RecorderStatus) {
    if status.state == .recording, let take = status.take {
      setTaking(true)
      loudness.withLock { $0.record(take: take.number, isPaused: status.isPaused) }
    } else {
      loudness.withLock { $0.endTake() }
    }
  }

  private func setTaking(_ isTaking: Bool) {
    let changed = state.withLock { state -> State? in
      guard state.isTaking != isTaking else { return nil }
      let wanted = state.wantsAudio
      state.isTaking = isTaking
      return state.wantsAudio == wanted ? nil : state
    }
    if let changed { reconnect(changed) }
  }

  /// A status with the present loudness, if that is measured.
  func adding(to status: RecorderStatus) -> RecorderStatus {
    var status = status
    status.loudness = loudness.withLock { $0.reading }
    return status
  }

  /// When a frame is wanted next, to be shown or to be checked for alarms.
  private func nextDue(_ state: borrowing State) -> Int64 {
    let alarm = state.demand.alarms ? state.alarms.frameDue : .max
    return min(alarm, state.due.earliest)
  }

  // MARK: Frames

  /// What to make of a frame.
  private struct Turn {
    /// The frames to make.
    var orders: [FramesDue.Order]
    /// True to check the frame for alarms.
    var isWatched: Bool
    var scopes: VideoScopes.Selection
    var deliver: (@Sendable (ControlServer.Input) -> Void)?
  }

  /// True if a frame of this instant is wanted. Others are skipped without waking a thread.
  private func isFrameDue(at now: Int64) -> Bool { now >= due.load(ordering: .acquiring) }

  private func takeFrame(_ sample: SampleBuffer) {
    let now = MonotonicClock.now
    guard isFrameDue(at: now), let buffer = sample.imageBuffer else { return }
    let turn = state.withLock { beginTurn(&$0, at: now) }
    do throws(MediaCoreError) {
      let whole = turn.orders.first { $0.region == nil }
      if whole != nil || turn.isWatched {
        let preview = try smallFrame(of: buffer)
        if let whole { show(preview, of: sample, turn, whole) }
        if turn.isWatched {
          tell(
            state.withLock { $0.alarms.look(at: preview, Double(now) * 1e-9) }, turn.deliver)
        }
      }
      for order in turn.orders {
        guard let region = order.region else { continue }
        show(try PreviewFrame(region, of: buffer), of: sample, turn, order)
      }
    } catch {
      state.withLock { state in
        state.due.giveUp()
        due.store(nextDue(state), ordering: .releasing)
      }
      tellFailure(error.message)
    }
  }

  /// Decides what to make of the present frame.
  private func beginTurn(_ state: inout State, at now: Int64) -> Turn {
    let orders = state.due.begin(at: now)
    let isShown = orders.contains { $0.region == nil }
    let isWatched =
      state.demand.alarms && state.alarms.takesFrame(at: now, isMadeAnyway: isShown)
    due.store(nextDue(state), ordering: .releasing)
    return Turn(
      orders: orders, isWatched: isWatched, scopes: state.demand.scopes, deliver: state.deliver)
  }

  private func show(
    _ preview: PreviewFrame, of sample: SampleBuffer, _ turn: Turn, _ order: FramesDue.Order
  ) {
    let captured = sample.attachments.captureTime
    let time = (captured.isNumeric ? captured : sample.presentationTimeStamp).seconds
    let scopes = turn.scopes.isEmpty ? nil : VideoScopes(preview, turn.scopes)
    turn.deliver?(
      .picture(
        FrameParcel(
          preview, scopes, region: order.region, number: order.number,
          timecode: sample.attachments.timecode?.description,
          captureTime: time.isFinite ? time : 0)))
  }

  private func smallFrame(of buffer: PixelBuffer) throws(MediaCoreError) -> PreviewFrame {
    var earlier = state.withLock { state -> PreviewFrame? in
      state.previews.count < 2 ? nil : state.previews.removeFirst()
    }
    let preview = try decimator(for: buffer.details).decimate(buffer, replacing: &earlier)
    state.withLock { if $0.wantsFrames { $0.previews.append(preview) } }
    return preview
  }

  private func decimator(
    for details: PixelBuffer.Description
  ) throws(MediaCoreError) -> FrameDecimator {
    if let known = state.withLock({ $0.decimator }), known.source == details { return known }
    let new = try FrameDecimator(from: details)
    state.withLock { $0.decimator = new }
    return new
  }

  /// Reports once why there are no frames.
  private func tellFailure(_ message: String) {
    let deliver = state.withLock { state in
      defer { state.failure = message }
      return state.failure == message ? nil : state.deliver
    }
    var event = RecorderEvent(.notice)
    event.message = "no frames for monitors: \(message)"
    deliver?(.event(event))
  }

  // MARK: Audio

  private func takeAudio(_ sample: SampleBuffer) {
    guard wantsAudio.load(ordering: .acquiring), let buffer = sample.audioBuffer else { return }
    let seconds = Double(MonotonicClock.now) * 1e-9
    let loudness = loudness.withLock { watch in
      watch.measure(buffer)
      return watch.reading
    }
    if loudness == nil { tellLoudnessFailure() }
    let reported = state.withLock { state -> ([LevelMeter.Level], [RecorderEvent.Alarm])? in
      guard state.demand.levels || state.demand.alarms else { return nil }
      state.meter.measure(buffer, at: seconds)
      guard seconds - state.levelsAt >= Self.levelInterval else { return nil }
      state.levelsAt = seconds
      let levels = state.meter.read()
      return (levels, state.demand.alarms ? state.alarms.listen(to: levels, seconds) : [])
    }
    guard let (levels, alarms) = reported else { return }
    let deliver = state.withLock { $0.deliver }
    var event = RecorderEvent(.levels)
    event.levels = levels
    event.loudness = loudness
    deliver?(.event(event))
    tell(alarms, deliver)
  }

  /// Says once why loudness is not measured.
  private func tellLoudnessFailure() {
    guard let reason = LoudnessMeter.failure else { return }
    let deliver = state.withLock { state in
      defer { state.hasReportedLoudness = true }
      return state.hasReportedLoudness ? nil : state.deliver
    }
    var event = RecorderEvent(.notice)
    event.message = "loudness is not measured: \(reason)"
    deliver?(.event(event))
  }

  private func tell(
    _ alarms: [RecorderEvent.Alarm], _ deliver: (@Sendable (ControlServer.Input) -> Void)?
  ) {
    for alarm in alarms {
      var event = RecorderEvent(.alarm)
      event.alarm = alarm
      deliver?(.event(event))
    }
  }
}

/// The detectors of a feed.
struct AlarmWatch: Sendable {
  private var black = BlackDetector()
  private var freeze = FreezeDetector()
  private var silence = SilenceDetector()
  /// When it last took a frame, in nanoseconds.
  private var tookAt: Int64?

  /// The maximum number of nanoseconds from one frame to the next.
  private static let interval: Int64 = 500_000_000

  /// When a frame has to be made for it.
  var frameDue: Int64 { tookAt.map { $0.addingSaturating(Self.interval) } ?? .min }

  /// True if it checks the frame of this instant, in nanoseconds. It takes a frame made for viewers
  /// a little early rather than have another one made. A recorder with viewers gives the same alarms
  /// as one without.
  mutating func takesFrame(at now: Int64, isMadeAnyway: Bool) -> Bool {
    let early = isMadeAnyway ? Self.interval / 2 : 0
    guard frameDue <= now.addingSaturating(early) else { return false }
    tookAt = now
    return true
  }

  /// Alarms that a frame begins or ends.
  mutating func look(at frame: PreviewFrame, _ seconds: Double) -> [RecorderEvent.Alarm] {
    let changes: [(RecorderEvent.AlarmName, Bool?)] = [
      (.black, black.observe(frame, at: seconds)),
      (.freeze, freeze.observe(frame, at: seconds)),
    ]
    return changes.compactMap { name, isPresent in
      isPresent.map { .init(name: name, isPresent: $0) }
    }
  }

  /// Alarms that audio levels begin or end.
  mutating func listen(
    to levels: [LevelMeter.Level], _ seconds: Double
  ) -> [RecorderEvent.Alarm] {
    silence.observe(levels, at: seconds).map { [.init(name: .silence, isPresent: $0)] } ?? []
  }
}
