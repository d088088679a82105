import AssetWriter
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

extension MovieRecording {
  /// The account of the finished take; also settles the frames that are missing at its very end.
  func makeReport(
    _ state: inout State, _ ending: RecordingPhase.Ending, isValid: Bool
  ) -> RecordingReport {
    if let tail = state.timeline.tail, plan.options.gapPolicy == .repeatPreviousFrame {
      state.note(.repeated, count: tail.count, slot: tail.lowerBound)
    }
    var report = report(state, ending, isValid: isValid)
    guard report.segments.contains(where: { !$0.isValid }) || writer.status == .failed else {
      return report
    }
    report.countLost(
      FramesHeld(report.segments, rate: plan.rate, slots: state.timeline.slots), rate: plan.rate,
      start: startTimecode(state))
    return report
  }

  /// The account of the take as it stands.
  var interimReport: RecordingReport {
    state.withLock { state in
      report(state, .init(end: .unknown, error: state.phase.ending?.error), isValid: true)
    }
  }

  /// The first frame's address, where the movie has one.
  private func startTimecode(_ state: State) -> Timecode? {
    plan.options.timecodeSource == .none ? nil : state.account.startTimecode
  }

  private func report(
    _ state: State, _ ending: RecordingPhase.Ending, isValid: Bool
  ) -> RecordingReport {
    let account = writer.report
    var frames = state.account.frames
    if let video = account.video.first {
      frames.written = video.framesWritten
      frames.repeated = video.framesRepeated
      frames.longestQueue = video.longestQueue
      frames.queueDepth = video.queueDepth
      frames.queueDuration = video.queueDuration
      frames.largestQueueBytes = video.largestQueue
    }
    var report = RecordingReport(
      source: plan.source, movie: movie(state, account),
      label: state.facts.label == TakeLabel() ? nil : state.facts.label,
      segments: account.segments, frames: frames,
      audio: zip(state.audio, account.audio).map { $0.summary($1) },
      incidents: state.account.incidents, incidentsOmitted: state.account.incidentsOmitted,
      end: ending.end,
      error: isValid && ending.end.isIntended ? nil : ending.error.map { ErrorSummary($0) },
      isValid: isValid,
      latency: account.video.first.map {
        RecordingReport.Latency(encoded: $0.latency, written: $0.fileLatency)
      }, threads: state.threads + account.threads, writer: account)
    report.clock = state.facts.clock
    report.refusedProcessors = refusedProcessors.isEmpty ? nil : refusedProcessors
    report.wasPaused = ending.wasPaused ? true : nil
    report.markers = state.account.markers.isEmpty ? nil : state.account.markers
    return report
  }

  private func movie(_ state: State, _ account: AssetWriter.Report) -> RecordingReport.Movie {
    let slots = state.timeline.slots
    let timecode = startTimecode(state)
    // At a variable rate a frame may fill several slots.
    let frames =
      plan.options.gapPolicy == .repeatPreviousFrame
      ? slots : Int64(account.video.first?.framesWritten ?? 0)
    var movie = RecordingReport.Movie(
      path: account.segments.first?.path ?? url.path, startDate: state.facts.startDate,
      startTime: state.facts.firstFrameTime, codec: plan.settings.codec.rawValue,
      codecName: plan.settings.codec.displayName, encoder: account.video.first?.encoder ?? "",
      width: plan.settings.width, height: plan.settings.height,
      frameRate: plan.rate.fraction,
      color: "\(plan.video.color.withCommonCodes)", fieldOrder: plan.video.fieldOrder,
      startTimecode: timecode?.description,
      endTimecode: timecode?.advanced(by: slots).description, frameCount: frames,
      duration: plan.rate.time(ofFrame: slots).seconds, fileSize: account.fileBytes)
    movie.preRollFrames = state.facts.preRollFrames > 0 ? state.facts.preRollFrames : nil
    movie.masteringDisplay = plan.settings.masteringDisplay?.description
    movie.contentLight = plan.settings.contentLightLevel?.description
    return movie
  }

  /// Where the take stands.
  ///
  /// - Parameter keepsPeaks: False to start the peaks anew.
  func readProgress(keepingPeaks keepsPeaks: Bool = false) -> RecordingProgress {
    let writing = writer.progress
    let held = writer.preRollProgress
    let diskRate = writer.diskRate
    let repeated = writer.videoFlow?.framesRepeated ?? 0
    let reserve = diskReserve
    let movie = presentMovie.withLock { $0 }
    let free = folders.first.flatMap(disks.bytes)
    return state.withLock { state in
      var progress = RecordingProgress()
      let slots = state.timeline.slots
      progress.duration = plan.rate.time(ofFrame: slots).seconds
      progress.frames = slots
      progress.dropped = state.account.frames.dropped
      progress.repeated = repeated
      progress.damaged = state.account.frames.damaged
      progress.fileSize = writing.fileBytes
      progress.queue = writing.framesInFlight
      progress.queueDepth = writing.queueDepth
      progress.isPaused = state.phase.isPaused
      progress.isStandingBy = state.timeline.isStandingBy
      progress.preRoll =
        state.timeline.isStandingBy
        ? min(held.duration.seconds, max(plan.options.preRollDuration.seconds, 0)) : 0
      progress.channelPeaks = state.audio.flatMap(\.recentPeaks)
      progress.audioPeak = progress.channelPeaks.compactMap(\.self).max()
      if slots > 0 {
        progress.timecode = startTimecode(state)?.advanced(by: slots - 1).description
        progress.startTime = state.facts.startFrameTime
        progress.startTimecode = state.facts.startFrameTimecode?.description
      }
      progress.path = movie
      if !keepsPeaks {
        for index in state.audio.indices { state.audio[index].resetRecentPeaks() }
      }
      progress.isDiskBehind = state.isDiskBehind
      progress.lostPlace = state.lostPlace
      progress.diskRate = diskRate
      progress.freeDiskSpace = free
      if let free {
        progress.worstCaseSecondsLeft = DiskRoom.seconds(
          freeBytes: free, bytesPerSecond: plan.targetBytesPerSecond,
          reserveBytes: plan.options.minFreeDiskSpaceLimit,
          reserveSeconds: plan.options.minFreeDiskSeconds)
      }
      if let free, progress.duration > 0.5, writing.fileBytes > 0 {
        let usable = max(0, Double(free) - reserve)
        progress.secondsLeft = usable * progress.duration / Double(writing.fileBytes)
      }
      return progress
    }
  }
}
