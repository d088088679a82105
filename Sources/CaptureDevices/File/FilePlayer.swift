import AssetReader
import MediaCore

/// Plays one track of a file on the thread that calls ``run()``.
///
/// At the file's own rate it behaves as a camera with a queue of buffers does: a frame for which no
/// buffer is free at its time is lost, and counted.
final class FilePlayer {
  private let source: FileCaptureStream.Source
  private let gate: PlaybackGate
  private let handler: @Sendable (CaptureEvent) -> Void
  private let timeline: FileTimeline
  private let isVideo: Bool
  private var reader: AssetReader
  /// Frames of readers from before a loop that are still held.
  private var ledgers: [FrameLedger] = []

  /// Monotonic time of the file's start.
  private var origin: Int64 = 0
  /// When this track began to play.
  private var joined: Int64 = 0
  /// Time of all rounds before, in nanoseconds.
  private var loopOffset = MediaTime.zero
  /// The end of the newest sample in the file's own time.
  private var roundEnd = MediaTime.zero
  private var sequence: UInt32 = 0
  private var lost: [DropReason: Int] = [:]
  private var consumerReturned: Int64 = 0

  init(
    _ source: FileCaptureStream.Source, reader: AssetReader, gate: PlaybackGate,
    handler: @escaping @Sendable (CaptureEvent) -> Void
  ) {
    self.source = source
    self.reader = reader
    self.gate = gate
    self.handler = handler
    isVideo = source.track.mediaType == .video
    timeline = FileTimeline.shared(for: source.location.path)
  }

  /// Plays to the end, or until the gate stops.
  func run() {
    defer { timeline.leave(source.track.mediaType) }
    var hasJoined = false
    watch(reader)
    while !gate.isStopped {
      if !source.playback.isPaced { waitForBuffer() }
      let sample: AssetSample?
      do throws(AssetReaderError) { sample = try reader.nextSample() } catch {
        flushLoss(before: now)
        if !gate.isStopped { handler(.failed(CaptureError(error))) }
        return
      }
      guard let sample else {
        if source.playback.loops, roundEnd > .zero {
          guard rewind() else { return }
          continue
        }
        flushLoss(before: now)
        if !gate.isStopped { handler(.ended) }
        return
      }
      if !hasJoined {
        join()
        hasJoined = true
      }
      if isVideo { play(frame: sample) } else { play(audio: sample) }
    }
  }

  private var now: Int64 { MonotonicClock.now }

  private func join() {
    if !isVideo, reader.tracks.contains(where: { $0.mediaType == .video }) {
      let limit = now + FileTimeline.patience
      while !timeline.hasVideo, !gate.isStopped, now < limit {
        gate.wait(until: min(limit, now + 2_000_000))
      }
    }
    joined = now
    origin = timeline.join(source.track.mediaType, now: joined)
  }

  /// Where the file's time begins: at its earliest track.
  private lazy var fileStart: MediaTime =
    reader.tracks.map(\.startTime).filter(\.isNumeric).min() ?? .zero

  private func position(_ time: MediaTime) -> MediaTime { time - fileStart + loopOffset }

  // MARK: Frames

  private func play(frame sample: AssetSample) {
    let buffer = sample.sampleBuffer
    let place = position(buffer.presentationTimeStamp)
    let length = buffer.duration.isNumeric ? buffer.duration : .zero
    roundEnd = max(roundEnd, buffer.presentationTimeStamp - fileStart + length)
    guard let offset = place.nanoseconds else { return }
    // A file may say any time.
    let due = origin.addingSaturating(offset)
    let number = sequence
    sequence &+= 1
    let ready = now
    timeline.advance(.video, to: offset)
    if source.playback.isPaced {
      // A reader that joins in the middle starts there, as with a camera.
      if due.addingSaturating(FileTimeline.patience) < joined { return }
      gate.wait(until: due)
      if let reason = lossReason(due: due, length: length.nanoseconds ?? 0, ready: ready) {
        lost[reason, default: 0] += 1
        return
      }
    } else {
      waitForOther(offset)
    }
    guard !gate.isStopped else { return }
    let loss = lost.values.reduce(0, +)
    flushLoss(before: due)
    var output = buffer
    output.presentationTimeStamp = MediaTime(value: due, timescale: 1_000_000_000)
    output.attachments.sequenceNumber = number
    output.attachments.precedingLoss = loss
    handler(.sample(output))
    consumerReturned = now
  }

  /// Why a frame that was due is lost; nil where a camera would still have a buffer with it.
  private func lossReason(due: Int64, length: Int64, ready: Int64) -> DropReason? {
    let held = max(0, outstanding - 1)
    let free = source.bufferCount - held
    guard free > 0 else { return .outOfBuffers }
    guard length > 0, due > joined else { return nil }
    // While the consumer is busy, a camera fills the buffers that are free.
    guard (now - due) / length > Int64(free) else { return nil }
    // The consumer's fault where it was still busy with the frame before when this one was due.
    return consumerReturned > due ? .lateData : .deviceSequenceGap
  }

  private func flushLoss(before time: Int64) {
    guard !lost.isEmpty, !gate.isStopped else { return }
    for reason in DropReason.allCases {
      guard let count = lost[reason] else { continue }
      handler(
        .lost(count: count, reason: reason, time: MediaTime(value: time, timescale: 1_000_000_000)))
    }
    lost = [:]
  }

  // MARK: Audio

  private func play(audio sample: AssetSample) {
    let buffer = sample.sampleBuffer
    guard var audio = buffer.audioBuffer else { return }
    let start = buffer.presentationTimeStamp - fileStart
    if source.playback.loops, let end = videoEnd, start + audio.duration > end {
      // Audio that is longer than the video must not run into the next round.
      guard let shorter = audio.prefix(upTo: end - start) else { return }
      audio = shorter
    }
    roundEnd = max(roundEnd, start + audio.duration)
    let place = start + loopOffset
    guard let offset = place.nanoseconds, let end = (place + audio.duration).nanoseconds else {
      return
    }
    timeline.advance(.audio, to: offset)
    if source.playback.isPaced {
      let due = origin.addingSaturating(end)
      if due.addingSaturating(FileTimeline.patience) < joined { return }
      gate.wait(until: due)
    } else {
      waitForOther(offset)
    }
    guard !gate.isStopped else { return }
    var attachments = buffer.attachments
    attachments.sequenceNumber = sequence
    sequence &+= 1
    handler(
      .sample(
        SampleBuffer(
          .audio(audio),
          presentationTimeStamp: MediaTime(
            value: origin.addingSaturating(offset), timescale: 1_000_000_000),
          duration: audio.duration, attachments: attachments)))
  }

  /// The length of a round if the file has video.
  private var videoEnd: MediaTime? {
    let track = reader.tracks.first { $0.mediaType == .video }
    guard let track, track.duration.isNumeric else { return nil }
    return track.startTime.isNumeric
      ? track.startTime - fileStart + track.duration : track.duration
  }

  // MARK: Rounds and buffers

  /// Begins again at the file's start; false where that failed.
  private func rewind() -> Bool {
    let round = isVideo ? roundEnd : max(roundEnd, videoEnd ?? roundEnd)
    loopOffset = MediaTime(
      value: (loopOffset + round).nanoseconds ?? 0, timescale: 1_000_000_000)
    roundEnd = .zero
    do {
      let next = try FileDeviceDriver.open(source.location, source.playback)
      try next.select([source.track.id])
      guard
        next.tracks.first(where: { $0.id == source.track.id })?.formatDescription
          == source.track.formatDescription
      else {
        handler(.formatChanged)
        return false
      }
      reader.ledger.setOnReturn(nil)
      ledgers = ledgers.filter { $0.outstanding > 0 } + [reader.ledger]
      for ledger in ledgers { watch(ledger) }
      reader = next
      watch(next)
      return true
    } catch let error as CaptureError {
      handler(.failed(error))
    } catch let error as AssetReaderError {
      handler(.failed(CaptureError(error)))
    } catch {
      handler(.failed(CaptureError(.deviceFailed, "\(source.location.displayName): \(error)")))
    }
    return false
  }

  private func watch(_ reader: AssetReader) { watch(reader.ledger) }
  private func watch(_ ledger: FrameLedger) {
    ledger.setOnReturn { [gate] in gate.signal() }
  }

  private var outstanding: Int {
    ledgers.reduce(reader.ledger.outstanding) { $0 + $1.outstanding }
  }

  /// Without a pace the consumer sets it, by the buffers that it gives back.
  private func waitForBuffer() {
    while isVideo, !gate.isStopped, outstanding >= source.bufferCount {
      gate.waitForSignal(until: now + 100_000_000)
    }
  }

  private func waitForOther(_ offset: Int64) {
    while !gate.isStopped, timeline.isAhead(source.track.mediaType, at: offset) {
      gate.wait(until: now + 1_000_000)
    }
  }
}

extension AudioBuffer {
  /// The beginning of the audio up to a time, in whole frames; nil if nothing is left.
  fileprivate func prefix(upTo time: MediaTime) -> AudioBuffer? {
    let frames = time.converted(
      toTimescale: Int32(clamping: format.sampleRate), rounding: .roundTowardZero)
    guard frames.isNumeric, frames.value > 0 else { return nil }
    let count = min(Int(frames.value), frameCount) * format.bytesPerFrame
    return try? AudioBuffer(format: format, bytes: Array(bytes[..<count]))
  }
}
