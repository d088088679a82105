import AssetWriter
import CaptureDevices
import MediaCore
import Synchronization
import TakeReports
import VideoRecorder

/// The devices between takes: kept warm, changed, lost and found.
extension TakeLoop {
  mutating func makeReady() throws(CaptureError) {
    session.present.withLock { $0 = .setup(setup) }
    if isStandingBy {
      try keep()
      tell(.standingBy(number: count + 1))
    } else {
      idle()
      tell(.idle(number: count + 1))
    }
  }

  mutating func makeReadyAgain() async {
    do throws(CaptureError) { try makeReady() } catch { await awaitSource(error) }
  }

  /// Keeps what comes, for a take to begin with.
  mutating func keep() throws(CaptureError) {
    let recording = try setup.output.standByForTake(in: setup.folder(of: session.name))
    let input = session.input
    Task {
      let report = await recording.waitForReport()
      input.yield(.recordingEnded(recording, report))
    }
    phase = .standingBy(recording)
  }

  /// Keeps nothing, and looks whether the devices go on.
  mutating func idle() {
    let (input, setup) = (session.input, setup)
    let events = setup.session.events
    phase = .idle(
      Task {
        for await event in events {
          switch event {
          case .wasInterrupted(let reason, let device) where reason != .signalLost:
            let error = CaptureError(
              .deviceFailed, "\(device) delivers no frames (\(reason.rawValue))")
            return _ = input.yield(.idleEnded(setup, error))
          case .runtimeError(let error): return _ = input.yield(.idleEnded(setup, error))
          case .deviceEnded: return _ = input.yield(.idleEnded(setup, nil))
          default: break
          }
        }
      })
  }

  mutating func idleEnded(_ ended: RecordingSetup, _ error: CaptureError?) async {
    guard case .idle = phase, ended === setup, !isEnding else { return }
    guard let error else {
      (isEnding, hasSourceEnded) = (true, true)
      return tell(.series(.noticed("\(setup.selection.device) has ended")))
    }
    await awaitSource(error)
  }

  mutating func standBy(_ isWanted: Bool) async {
    isStandingBy = isWanted
    switch (phase, isWanted) {
    case (.idle(let task), true):
      do throws(CaptureError) {
        try makeReady()
        task.cancel()
      } catch {
        isStandingBy = false
        refuse(error)
      }
    case (.standingBy, false):
      phase = .closed
      setup.output.stopRecording()
      await makeReadyAgain()
    default: break
    }
  }

  /// Records the next takes by another request. If that is impossible, the present setup stays.
  mutating func change(to wanted: RecordingRequest) async {
    guard !isEnding else { return refuse(Self.ending) }
    switch phase {
    case .idle, .standingBy: break
    case .recording, .closing:
      return refuse("a take is being recorded; change the preset after it")
    case .awaitingSource: return refuse("the source is lost; wait until it is back")
    case .closed: return refuse("the session is over")
    }
    var wanted = wanted
    wanted.names.take = nil
    // Reel and scene of the present request go on with the new preset.
    wanted.names.reel = request.names.reel ?? wanted.names.reel
    wanted.names.scene = request.names.scene ?? wanted.names.scene
    wanted.takeIdentifier = nil
    do throws(CaptureError) {
      let next = try RecordingSetup(wanted)
      try TakeSession.checkName(session.name, of: next, from: nextTake, idles: session.idles)
      try await replace(by: next)
      request = wanted
      // The timecode does not continue across presets.
      nextAddress = nil
      session.present.withLock { $0 = .setup(setup) }
      done(.changed)
      await makeReadyAgain()
    } catch {
      refuse(error)
      // Devices may have the other request's formats by now.
      do throws(CaptureError) { try await replace(by: try RecordingSetup(request)) } catch {
        return await awaitSource(error)
      }
      await makeReadyAgain()
    }
  }

  /// Closes the devices, and opens them again for another setup.
  mutating func replace(by next: RecordingSetup) async throws(CaptureError) {
    if case .idle(let task) = phase { task.cancel() }
    phase = .closed
    setup.output.stopRecording()
    await setup.session.stop()
    setup = next
    hearNotices()
    try await next.session.start()
  }

  /// A given timecode runs on: the next take begins where the one before ended, its pre-roll included.
  mutating func runOn(from end: Timecode?) {
    guard case .start = request.preset.timecode, let end else { return }
    let preRoll = setup.output.options.preRollDuration
    nextAddress = end.advanced(by: end.format.frameRate.frameIndex(nearest: preRoll) ?? 0)
  }

  /// Opens the very device again as soon as it is there.
  mutating func awaitSource(_ error: CaptureError) async {
    await setup.session.stop()
    let faults = request.preset.faults
    guard faults.interruption != .stop else { return giveUp(error) }
    tell(.sourceLost(error, isAwaited: true))
    var request = request
    request.deviceID = setup.selection.device.uniqueID
    let (input, source, tell) = (session.input, ReturningSource(of: setup, request), tell)
    let limit =
      faults.sourceWaitLimit.map {
        MonotonicClock.now.addingSaturating(Int64(saturating: $0 * 1e9))
      } ?? .max
    phase = .awaitingSource(
      Task {
        var source = source
        while MonotonicClock.now < limit {
          do { try await Task.sleep(for: .seconds(RecordingSeries.patience)) } catch { return }
          guard let next = source.setUp(telling: { tell(.series(.noticed($0))) }) else { continue }
          do throws(CaptureError) { try await next.session.start() } catch {
            source.note(error) { tell(.series(.noticed($0))) }
            continue
          }
          input.yield(.sourceBack(next))
          return
        }
        input.yield(.sourceGivenUp)
      })
  }

  mutating func giveUp(_ error: CaptureError) {
    failure = error
    isEnding = true
    phase = .closed
    tell(.sourceLost(error, isAwaited: false))
  }

  mutating func sourceIsBack(_ next: RecordingSetup) async {
    guard case .awaitingSource = phase, !isEnding else { return await next.session.stop() }
    setup = next
    hearNotices()
    await makeReadyAgain()
  }

  /// Passes on what happens to the files of takes.
  func hearNotices() {
    let tell = tell
    setup.output.noticeHandler = { tell(.series(.noticed($0))) }
  }
}
