import AssetWriter
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

extension MovieRecording {
  /// The account of the finished take; also settles the frames that are missing at its very end.
  func makeReport(_ state: inout State, isValid: Bool) -> RecordingReport {
    let tail = state.clock.nextSlot - 1 - state.lastSlot
    if state.lastSlot >= 0, tail > 0, plan.options.gapPolicy == .repeatPreviousFrame {
      note(&state, .repeated, count: Int(tail), slot: state.lastSlot + 1)
    }
    var report = report(state, end: state.end, isValid: isValid)
    guard report.segments.contains(where: { !$0.isValid }) || writer.status == .failed else {
      return report
    }
    let slots = state.lastSlot < 0 || state.standsBy ? 0 : state.clock.nextSlot - state.origin
    report.countLost(
      FramesHeld(report.segments, rate: plan.rate, slots: slots), rate: plan.rate,
      start: plan.options.timecodeSource == .none ? nil : state.startTimecode)
    return report
  }

  /// The account of the take as it stands.
  var interimReport: RecordingReport {
    state.withLock { report($0, end: .unknown, isValid: true) }
  }

  private func report(
    _ state: State, end: RecordingReport.End, isValid: Bool
  ) -> RecordingReport {
    let account = writer.report
    var frames = state.frames
    if let video = account.video.first {
      frames.written = video.framesWritten
      frames.repeated = video.framesRepeated
      frames.longestQueue = video.longestQueue
      frames.queueDepth = video.queueDepth
      frames.queueDuration = video.queueDuration
      frames.largestQueue = video.largestQueue
    }
    return RecordingReport(
      source: plan.source, movie: movie(state, account),
      label: state.label == TakeLabel() ? nil : state.label, segments: account.segments,
      frames: frames,
      sound: zip(state.sound, account.audio).map { Self.account(of: $0, $1) },
      incidents: state.incidents, incidentsOmitted: state.incidentsOmitted, end: end,
      error: isValid && end.isIntended ? nil : state.endError?.message, isValid: isValid,
      latency: account.video.first.map {
        RecordingReport.Latency(encoded: $0.latency, written: $0.fileLatency)
      }, threads: state.threads + account.threads, writer: account)
  }

  private func movie(_ state: State, _ account: AssetWriter.Report) -> RecordingReport.Movie {
    let slots = state.lastSlot < 0 || state.standsBy ? 0 : state.clock.nextSlot - state.origin
    let timecode = plan.options.timecodeSource == .none ? nil : state.startTimecode
    // At a variable rate a frame may fill several slots.
    let frames =
      plan.options.gapPolicy == .repeatPreviousFrame
      ? slots : Int64(account.video.first?.framesWritten ?? 0)
    return RecordingReport.Movie(
      path: account.segments.first?.path ?? url.path, startDate: state.startDate,
      startTime: state.startTime,
      codec: plan.settings.codec.rawValue,
      codecName: plan.settings.codec.displayName, encoder: account.video.first?.encoder ?? "",
      width: plan.settings.width, height: plan.settings.height,
      frameRate: plan.rate.fraction,
      color: "\(plan.video.color)", fieldOrder: "\(plan.video.fieldOrder)",
      startTimecode: timecode?.description,
      endTimecode: timecode?.advanced(by: slots).description, frameCount: frames,
      duration: plan.rate.time(ofFrame: slots).seconds, fileSize: account.fileBytes)
  }

  private static func account(
    of track: SoundTrack, _ written: AssetWriter.Report.AudioTrack
  ) -> RecordingReport.Sound {
    var account = track.account
    account.written = written.samplesWritten
    account.silence += written.samplesOfSilence
    account.trimmed = track.aligner.trimmed
    account.peaks = track.meter.peaks.map(AudioMeter.decibels)
    account.clockDeviation = track.aligner.deviation
    account.clockError = track.aligner.clockError
    account.longestQueue = written.longestQueue
    return account
  }

  /// Where the take stands; starts the peak anew.
  func takeProgress() -> RecordingProgress {
    let writing = writer.progress
    let held = writer.preRollProgress
    let diskRate = diskRate
    let reserve = diskReserve
    let movie = presentMovie.withLock { $0 }
    let free = freeBytes(in: url.deletingLastPathComponent().path)
    return state.withLock { state in
      var progress = RecordingProgress()
      let slots = state.lastSlot < 0 || state.standsBy ? 0 : state.clock.nextSlot - state.origin
      progress.duration = plan.rate.time(ofFrame: slots).seconds
      progress.frames = slots
      progress.dropped = state.frames.dropped
      progress.repeated = state.frames.repeated
      progress.damaged = state.frames.damaged
      progress.fileSize = writing.fileBytes
      progress.queue = writing.framesInFlight
      progress.queueDepth = writing.queueDepth
      progress.isPaused = state.phase == .paused
      progress.isStandingBy = state.standsBy
      progress.preRoll =
        state.standsBy
        ? min(held.duration.seconds, max(plan.options.preRollDuration.seconds, 0)) : 0
      progress.channelPeaks = state.sound.flatMap(\.recentMeter.peaks).map(AudioMeter.decibels)
      progress.audioPeak = progress.channelPeaks.compactMap(\.self).max()
      if slots > 0, plan.options.timecodeSource != .none {
        progress.timecode = state.startTimecode?.advanced(by: slots - 1).description
      }
      progress.path = movie
      for index in state.sound.indices { state.sound[index].recentMeter.reset() }
      progress.isDiskBehind = state.isDiskBehind
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
