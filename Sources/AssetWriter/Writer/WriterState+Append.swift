import MediaCore

extension WriterState {
  /// Those who wait for an input, to be woken without the lock.
  typealias Released = (
    waiters: [CheckedContinuation<Void, Never>], handlers: [@Sendable () -> Void]
  )

  /// Waiters of inputs that have room now, and handlers of those that are ready.
  mutating func takeReleased() -> Released {
    var released: Released = ([], [])
    for index in inputs.indices {
      guard !inputs[index].waiters.isEmpty || inputs[index].awaitsReadiness else { continue }
      let obstacle = obstacle(index)
      if obstacle?.code != .notReady {
        released.waiters += inputs[index].waiters
        inputs[index].waiters = []
      }
      guard obstacle == nil, inputs[index].awaitsReadiness else { continue }
      inputs[index].awaitsReadiness = false
      if let handler = inputs[index].readyHandler { released.handlers.append(handler) }
    }
    return released
  }

  func videoRequest(_ index: Int) throws(AssetWriterError) -> VideoPreparation.Request {
    guard case .video(let settings, let hint) = inputs[index].settings else {
      throw AssetWriterError(
        .formatMismatch, "\(inputs[index].name) takes sound; append pictures to a video input")
    }
    return VideoPreparation.Request(settings: settings, hint: hint)
  }

  /// Refuses a start timecode that counts at another rate than the first video track.
  func checkTimecode(for index: Int, rate: FrameRate) throws(AssetWriterError) {
    let first = inputs.firstIndex { $0.settings.mediaType == .video }
    guard index == first, configuration.writesTimecode,
      let timecode = configuration.startTimecode, timecode.format.frameRate != rate
    else { return }
    throw AssetWriterError(
      .invalidSettings,
      "the start timecode counts at \(timecode.format.frameRate) fps, the track at \(rate); make "
        + "one at the track's rate")
  }

  /// Takes a picture whose format was checked, and hands it to the encoder.
  mutating func append(
    _ picture: PixelBuffer, _ sample: SampleBuffer, to index: Int
  ) throws(AssetWriterError) {
    guard let sessionStart else { return }
    let time = sample.presentationTimeStamp
    let maximumGap = configuration.maximumGap
    let taken = try inputs[index].withVideo {
      video throws(AssetWriterError) -> (inFlight: Int, isFirst: Bool)? in
      let slot = try video.slot(for: time, start: sessionStart, maximumGap: maximumGap)
      video.lastTime = time
      guard slot >= 0 else { return nil }
      let isFirst = video.firstSlot == nil
      if isFirst { video.firstSlot = slot }
      video.lastSlot = slot
      let lasts =
        sample.duration.isNumeric ? video.rate.frameIndex(nearest: sample.duration) : nil
      video.pending.append(.init(slot: slot, slots: min(max(lasts ?? 1, 1), 100_000)))
      video.encoder.submit(picture, index: video.nextIndex)
      video.nextIndex += 1
      return (video.pending.count, isFirst)
    }
    inputs[index].account.video.framesAppended += 1
    guard let taken = taken ?? nil else {
      inputs[index].account.video.framesTrimmed += 1
      return
    }
    if taken.isFirst, firstTimecode == nil { firstTimecode = sample.attachments.timecode }
    inputs[index].account.video.longestQueue = max(
      inputs[index].account.video.longestQueue, taken.inFlight)
  }

  /// Takes sound.
  mutating func append(
    _ buffer: AudioBuffer, _ sample: SampleBuffer, to index: Int
  ) throws(AssetWriterError) {
    guard case .audio(let settings) = inputs[index].settings, let sessionStart else {
      throw AssetWriterError(
        .formatMismatch, "\(inputs[index].name) takes pictures; append sound to an audio input")
    }
    let wanted = settings.format
    guard buffer.format.sampleRate == wanted.sampleRate,
      buffer.format.channelCount == wanted.channelCount
    else {
      throw AssetWriterError(
        .formatMismatch,
        "\(inputs[index].name) takes \(wanted.channelCount) channels at \(wanted.sampleRate) Hz, "
          + "not \(buffer.format.channelCount) at \(buffer.format.sampleRate); resample first")
    }
    let time = sample.presentationTimeStamp
    let maximumGap = configuration.maximumGap
    let taken = try inputs[index].withAudio {
      audio throws(AssetWriterError) -> (skipped: Int, waiting: Int) in
      let piece = try audio.piece(
        for: buffer, at: time, start: sessionStart, maximumGap: maximumGap)
      audio.lastTime = time
      guard let piece else { return (buffer.frameCount, 0) }
      audio.accept(piece)
      return (piece.skipped, Int(audio.position - audio.written))
    }
    guard let taken else { return }
    inputs[index].account.audio.samplesAppended += Int64(buffer.frameCount)
    inputs[index].account.audio.samplesTrimmed += Int64(taken.skipped)
    inputs[index].account.audio.longestQueue = max(
      inputs[index].account.audio.longestQueue, taken.waiting)
  }

  /// Takes a frame that its encoder has made.
  mutating func take(_ frame: EncodedFrame, from index: Int) {
    inputs[index].withVideo { $0.encoded.append(frame) }
    inputs[index].account.video.framesEncoded += 1
    inputs[index].account.video.largestFrame = max(
      inputs[index].account.video.largestFrame, frame.byteCount)
    if frame.byteCount > inputs[index].account.video.targetFrameBytes {
      inputs[index].account.video.framesOverTarget += 1
    }
    if frame.attempts > 1 { inputs[index].account.video.framesReencoded += 1 }
    inputs[index].account.encodeTime.add(frame.encodeTime)
    inputs[index].account.latency.add(frame.latency)
  }

  /// Books that the frame at the head of an input was written, for so many slots; 0 where it lay
  /// behind the session's end.
  mutating func didWriteVideo(_ index: Int, slots: Int64, bytes: Int64) -> Released {
    let copies = inputs[index].withVideo { video in
      _ = video.pending.popFirst()
      _ = video.encoded.popFirst()
      return video.gapPolicy == .repeatPreviousFrame ? slots : min(slots, 1)
    }
    if let copies, copies > 0 {
      inputs[index].account.video.framesWritten += Int(copies)
      inputs[index].account.video.framesRepeated += Int(copies - 1)
      inputs[index].account.video.bytes += bytes * copies
    } else {
      inputs[index].account.video.framesTrimmed += 1
    }
    return takeReleased()
  }

  /// Books that the piece at the head of an input was written, as far as the session goes.
  mutating func didWriteAudio(_ index: Int, written: Int, bytes: Int64) -> Released {
    let popped = inputs[index].withAudio { audio -> AudioTrackState.Piece? in
      guard let piece = audio.pieces.popFirst() else { return nil }
      audio.written += Int64(piece.frameCount)
      return piece
    }
    if let piece = popped ?? nil {
      inputs[index].account.audio.samplesWritten += Int64(written)
      let behind = piece.frameCount - written
      inputs[index].account.audio.samplesTrimmed += Int64(
        max(behind - max(piece.silence - written, 0), 0))
      inputs[index].account.audio.samplesOfSilence += Int64(min(piece.silence, written))
      inputs[index].account.audio.bytes += bytes
    }
    return takeReleased()
  }

  /// Gives the encoders away, to be ended without the lock.
  mutating func takeEncoders() -> [any VideoEncoder] {
    inputs.compactMap { if case .video(let video) = $0.track { video.encoder } else { nil } }
  }
}
