import MediaCore

extension WriterState {
  /// Those who wait for an input, to be woken without the lock.
  typealias Released = (
    waiters: [CheckedContinuation<Void, Never>], handlers: [@Sendable () -> Void]
  )

  /// Waiters and handlers of inputs that are ready now.
  mutating func takeReleased(handlersOf handled: Int? = nil) -> Released {
    var released: Released = ([], [])
    for index in inputs.indices {
      let input = inputs[index]
      let isHandled = handled == index && input.readyHandler != nil
      guard !input.waiters.isEmpty || isHandled, obstacle(index) == nil else { continue }
      released.waiters += input.waiters
      inputs[index].waiters = []
      if isHandled, let handler = input.readyHandler { released.handlers.append(handler) }
    }
    return released
  }

  func videoSettings(_ index: Int) throws(AssetWriterError) -> VideoPreparation.Request {
    guard case .video(let settings, let hint) = inputs[index].settings else {
      throw AssetWriterError(
        .formatMismatch, "\(inputs[index].name) takes sound; append pictures to a video input")
    }
    return VideoPreparation.Request(settings: settings, hint: hint)
  }

  /// Takes a picture whose format was checked.
  mutating func append(
    _ picture: PixelBuffer, _ sample: SampleBuffer, to index: Int
  ) throws(AssetWriterError) {
    guard case .video(var video) = inputs[index].track, let sessionStart else { return }
    let time = sample.presentationTimeStamp
    let slot = try video.slot(
      for: time, start: sessionStart, maximumGap: configuration.maximumGap)
    inputs[index].account.video.framesAppended += 1
    video.lastTime = time
    guard slot >= 0 else {
      inputs[index].account.video.framesTrimmed += 1
      inputs[index].track = .video(video)
      return
    }
    if video.firstSlot == nil {
      video.firstSlot = slot
      if firstTimecode == nil { firstTimecode = sample.attachments.timecode }
    }
    video.lastSlot = slot
    let lasts = sample.duration.isNumeric ? video.rate.frameIndex(nearest: sample.duration) : nil
    video.pending.append(.init(slot: slot, slots: min(max(lasts ?? 1, 1), 100_000)))
    video.encoder.submit(picture, index: video.nextIndex)
    video.nextIndex += 1
    let longest = max(inputs[index].account.video.longestQueue, video.pending.count)
    inputs[index].account.video.longestQueue = longest
    // No copy of the queues: the old value is let go before the new one is changed again.
    inputs[index].track = .video(video)
  }

  /// Takes sound.
  mutating func append(
    _ buffer: AudioBuffer, _ sample: SampleBuffer, to index: Int
  ) throws(AssetWriterError) {
    guard case .audio(var audio) = inputs[index].track, let sessionStart else {
      throw AssetWriterError(
        .formatMismatch, "\(inputs[index].name) takes pictures; append sound to an audio input")
    }
    let wanted = audio.settings.format
    guard buffer.format.sampleRate == wanted.sampleRate,
      buffer.format.channelCount == wanted.channelCount
    else {
      throw AssetWriterError(
        .formatMismatch,
        "\(inputs[index].name) takes \(wanted.channelCount) channels at \(wanted.sampleRate) Hz, "
          + "not \(buffer.format.channelCount) at \(buffer.format.sampleRate); resample first")
    }
    let time = sample.presentationTimeStamp
    let piece = try audio.piece(
      for: buffer, at: time, start: sessionStart, maximumGap: configuration.maximumGap)
    audio.lastTime = time
    var account = inputs[index].account.audio
    account.samplesAppended += Int64(buffer.frameCount)
    if let piece {
      audio.accept(piece)
      account.samplesTrimmed += Int64(piece.skipped)
      account.longestQueue = max(account.longestQueue, Int(audio.position - audio.written))
    } else {
      account.samplesTrimmed += Int64(buffer.frameCount)
    }
    inputs[index].account.audio = account
    inputs[index].track = .audio(audio)
  }

  /// Takes a frame that its encoder has made.
  mutating func take(_ frame: EncodedFrame, from index: Int) {
    guard case .video(var video) = inputs[index].track else { return }
    video.encoded.append(frame)
    inputs[index].track = .video(video)
    var account = inputs[index].account.video
    account.framesEncoded += 1
    account.largestFrame = max(account.largestFrame, frame.byteCount)
    if frame.byteCount > account.targetFrameBytes { account.framesOverTarget += 1 }
    if frame.attempts > 1 { account.framesReencoded += 1 }
    inputs[index].account.video = account
    inputs[index].account.encodeTime.add(frame.encodeTime)
    inputs[index].account.latency.add(frame.latency)
  }

  /// Books that the frame at the head of an input was written, `slots` times.
  mutating func didWriteVideo(_ index: Int, slots: Int64, bytes: Int64) -> Released {
    if case .video(var video) = inputs[index].track {
      _ = video.pending.popFirst()
      _ = video.encoded.popFirst()
      video.writtenSlots += slots
      inputs[index].track = .video(video)
      if slots == 0 {
        inputs[index].account.video.framesTrimmed += 1
      } else {
        let isRepeated = video.gapPolicy == .repeatPreviousFrame
        let copies = isRepeated ? slots : 1
        inputs[index].account.video.framesWritten += Int(copies)
        inputs[index].account.video.framesRepeated += Int(copies - 1)
        inputs[index].account.video.bytes += bytes * copies
      }
    }
    return takeReleased(handlersOf: index)
  }

  /// Books that the piece at the head of an input was written, as far as the session goes.
  mutating func didWriteAudio(_ index: Int, written: Int, bytes: Int64) -> Released {
    if case .audio(var audio) = inputs[index].track, let piece = audio.pieces.popFirst() {
      audio.written += Int64(piece.frameCount)
      inputs[index].track = .audio(audio)
      inputs[index].account.audio.samplesWritten += Int64(written)
      inputs[index].account.audio.samplesTrimmed += Int64(piece.frameCount - written)
      inputs[index].account.audio.samplesOfSilence += Int64(min(piece.silence, written))
      inputs[index].account.audio.bytes += bytes
    }
    return takeReleased(handlersOf: index)
  }

  /// Gives the encoders away, to be ended without the lock.
  mutating func takeEncoders() -> [any VideoEncoder] {
    inputs.compactMap { if case .video(let video) = $0.track { video.encoder } else { nil } }
  }
}
