import CaptureDevices
import MediaCore
import Synchronization
import TakeReports
import VideoRecorder

/// What people ask for.
extension TakeLoop {
  mutating func obey(_ command: TakeSession.Command) async {
    switch (command, phase) {
    case (.end, _): end()
    case (.endBetweenTakes, .recording): refuse("a take is being recorded")
    case (.endBetweenTakes, _) where !running.isEmpty: refuse("a take is being completed")
    case (.endBetweenTakes, _): end()
    case (_, .closed): refuse(Self.ending)
    case (.start, _) where isEnding, (.startTake, _) where isEnding,
      (.toggle, .standingBy) where isEnding, (.toggle, .idle) where isEnding,
      (.checkTake, _) where isEnding, (.standBy, _) where isEnding:
      refuse(Self.ending)
    case (.start(let mark), .standingBy), (.toggle(let mark), .standingBy),
      (.start(let mark), .idle), (.toggle(let mark), .idle):
      await start(TakeSlate(), mark)
    case (.startTake(let slate, let mark), .standingBy),
      (.startTake(let slate, let mark), .idle):
      await start(slate, mark)
    case (.checkTake(let slate), _): check(slate)
    case (.toggle, .recording(let number)), (.stop, .recording(let number)): await stop(number)
    case (.start, .recording), (.startTake, .recording):
      refuse("a take is being recorded; stop it before the next one")
    case (.togglePause, .recording(let number)): togglePause(number)
    case (.cut, .recording(let number)): cut(number)
    case (.mark(let note), .recording(let number)): mark(number, note)
    case (.standBy(let isWanted), _): await standBy(isWanted)
    case (.togglePause, .standingBy), (.cut, .standingBy), (.togglePause, .idle), (.cut, .idle),
      (.stop, .standingBy), (.stop, .idle), (.mark, .standingBy), (.mark, .idle):
      refuse("no take is being recorded")
    case (_, .awaitingSource): refuse("the source is lost; wait until it is back")
    case (_, .closing): refuse("the previous take is still ending; try again in a moment")
    }
  }

  static let ending = "the recorder is ending, and no further take can start"

  mutating func refuse(_ message: String) { refuse(CaptureError(.invalidState, message)) }

  mutating func refuse(_ error: CaptureError) {
    result = .failure(error)
    tell(.refused(error))
  }

  /// Tells what a command has brought about.
  mutating func done(_ event: TakeSession.Event) {
    result = .success(event)
    tell(event)
  }

  mutating func start(_ slate: TakeSlate, _ mark: StartMark) async {
    let began = MonotonicClock.now
    let label = setup.output.options.label
    var watcher: Task<Void, Never>?
    do throws(CaptureError) {
      let mark = suited(mark)
      setup.output.options.label.reel = slate.reel ?? request.names.reel
      setup.output.options.label.scene = slate.scene ?? request.names.scene
      if case .idle(let task) = phase {
        // The take begins with the first frame that comes now.
        watcher = task
        try keep()
      }
      let (name, recording) = try await setup.beginTake(from: mark) { () throws(CaptureError) in
        try self.name(of: slate)
      }
      count += 1
      nextTake = (name.take ?? nextTake) + 1
      let series = RecordingSeries(of: setup, identifier: recording.plan.takeIdentifier)
      running[count] = RunningTake(recording: recording, series: series, began: began)
      session.present.withLock { $0 = .series(series) }
      phase = .recording(number: count)
      watcher?.cancel()
      request.names.reel = slate.reel ?? request.names.reel
      request.names.scene = slate.scene ?? request.names.scene
      done(.started(number: count, path: name.path))
    } catch {
      setup.output.options.label = label
      // It goes on standing by, or idling.
      refuse(error)
      if let watcher {
        phase = .idle(watcher)
        setup.output.stopRecording()
      }
    }
  }

  /// Adapts a mark to the present setup: continues a given timecode, and drops a timecode of another rate, which
  /// belongs to a start that was set before the preset was changed.
  func suited(_ mark: StartMark) -> StartMark {
    let rate = setup.selection.frameRate ?? .fps25
    var mark = mark
    if let address = mark.timecode, address.format.frameRate != rate { mark.timecode = nil }
    if let nextAddress, nextAddress.format.frameRate == rate { mark.timecode = nextAddress }
    return mark
  }

  /// Refuses a slate whose take could not be begun.
  private mutating func check(_ slate: TakeSlate) {
    do throws(CaptureError) {
      let path = try name(of: slate).path
      guard request.overwritesExistingFile || !setup.isTaken(path) else {
        throw CaptureError(.fileAlreadyExists, "\(path) exists; choose another name")
      }
    } catch {
      refuse(error)
    }
  }

  /// The name of the next take.
  func name(of slate: TakeSlate) throws(CaptureError) -> MovieName.Resolution {
    let template = try slate.template(in: session.name, setup)
    var name = try setup.movieName(
      for: template, take: slate.take, from: nextTake, tellsTakes: true,
      reel: slate.reel ?? request.names.reel, scene: slate.scene ?? request.names.scene)
    name.take = name.take ?? nextTake
    return name
  }

  mutating func stop(_ number: Int) async {
    running[number]?.isStopped = true
    guard let take = running[number], take.continuation == nil, take.recording.isActive else {
      running[number]?.continuation?.cancel()
      phase = .closing(number: number)
      return
    }
    take.recording.stop(.stopped)
    runOn(from: take.recording.endTimecode)
    guard !isEnding else {
      phase = .closing(number: number)
      return
    }
    await makeReadyAgain()
  }

  mutating func mark(_ number: Int, _ note: String) {
    guard let output = running[number]?.series.setup.output else { return }
    do throws(CaptureError) { done(.marked(try output.addMarker(note))) } catch { refuse(error) }
  }

  mutating func togglePause(_ number: Int) {
    guard let output = running[number]?.series.setup.output else { return }
    if output.isRecordingPaused {
      output.resumeRecording()
      done(.resumed)
    } else {
      output.pauseRecording()
      guard output.isRecordingPaused else { return refuse("the take has no frame yet") }
      done(.paused)
    }
  }

  mutating func cut(_ number: Int) {
    do throws(CaptureError) {
      try running[number]?.series.setup.output.startNewSegment()
      done(.cut)
    } catch {
      refuse(error)
    }
  }

  mutating func end() {
    isEnding = true
    switch phase {
    case .recording(let number), .closing(let number):
      running[number]?.isStopped = true
      running[number]?.recording.stop(.stopped)
      running[number]?.continuation?.cancel()
    case .awaitingSource(let task), .idle(let task): task.cancel()
    case .standingBy, .closed: break
    }
  }
}
