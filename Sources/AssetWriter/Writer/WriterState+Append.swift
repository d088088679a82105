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
      let obstruction = obstruction(index)
      if obstruction?.isFull != true {
        released.waiters += inputs[index].waiters
        inputs[index].waiters = []
      }
      guard obstruction == nil, inputs[index].awaitsReadiness else { continue }
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
    let isHolding = preRoll != nil
    let taken = try inputs[index].withVideo {
      video throws(AssetWriterError) -> (inFlight: Int, isFirst: Bool)? in
      let slot = try video.slot(for: time, start: sessionStart, maximumGap: maximumGap)
      video.lastTime = time
      guard slot >= 0 else { return nil }
      let isFirst = video.firstSlot == nil
      if isFirst {
        video.firstSlot = slot
        video.isHolding = isHolding
      }
      video.lastSlot = slot
      let lasts =
        sample.duration.isNumeric ? video.rate.frameIndex(nearest: sample.duration) : nil
      video.pending.append(
        .init(slot: slot, slots: min(max(lasts ?? 1, 1), 100_000), origin: Self.origin(sample)))
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
    if preRoll != nil { forgetOldest() }
    inputs[index].account.audio.samplesAppended += Int64(buffer.frameCount)
    inputs[index].account.audio.samplesTrimmed += Int64(taken.skipped)
    inputs[index].account.audio.longestQueue = max(
      inputs[index].account.audio.longestQueue, taken.waiting)
  }

  /// Takes a frame that its encoder has made.
  mutating func take(_ frame: EncodedFrame, from index: Int) {
    let isDiscarded = inputs[index].withVideo { video in
      guard video.discards > 0 else { return false }
      video.discards -= 1
      return true
    }
    guard isDiscarded != true else { return }
    let taken = inputs[index].withVideo { video in
      let place = video.encoded.count
      video.encoded.append(frame)
      video.encodedBytes += frame.byteCount
      video.encodedMemory += Int64(frame.memorySize)
      return (place < video.pending.count ? video.pending[place].origin : nil, video.encodedBytes)
    }
    if let origin = taken?.0 { inputs[index].account.latency.add(MonotonicClock.now - origin) }
    inputs[index].account.video.largestQueue = max(
      inputs[index].account.video.largestQueue, Int64(taken?.1 ?? 0))
    inputs[index].account.video.framesEncoded += 1
    inputs[index].account.video.largestFrame = max(
      inputs[index].account.video.largestFrame, frame.byteCount)
    if frame.byteCount > inputs[index].account.video.targetFrameBytes {
      inputs[index].account.video.framesOverTarget += 1
    }
    if frame.attempts > 1 { inputs[index].account.video.framesReencoded += 1 }
    inputs[index].account.encodeTime.add(frame.encodeTime)
    if preRoll != nil { forgetOldest() }
  }

  /// Books that the frame at the head of an input was written for slots; none where it lay behind
  /// the session's end.
  mutating func didWrite(_ write: VideoWrite, _ index: Int) -> Released {
    let slots = max(write.end - write.slot, 0)
    let copies = write.gapPolicy == .repeatPreviousFrame ? slots : min(slots, 1)
    let isFirst = inputs[index].withVideo { video -> Bool in
      guard let head = video.pending.popFirst() else { return false }
      if write.isDone {
        video.encodedBytes -= video.encoded.popFirst()?.byteCount ?? 0
        video.encodedMemory -= Int64(write.frame.memorySize)
        video.backlog = max(video.backlog - 1, 0)
      } else {
        video.pending.prepend(
          .init(
            slot: write.end, slots: max(head.slots - slots, 0), origin: head.origin,
            isCarried: true))
      }
      if copies > 0 {
        video.arriving.append(
          .init(origin: head.isCarried ? nil : head.origin, copies: Int(copies)))
        video.arrivingCount += Int(copies)
      }
      return !head.isCarried
    }
    guard slots > 0 else {
      if isFirst == true { inputs[index].account.video.framesTrimmed += 1 }
      return takeReleased()
    }
    inputs[index].account.video.framesWritten += Int(copies)
    inputs[index].account.video.framesRepeated += Int(copies - (isFirst == true ? 1 : 0))
    inputs[index].account.video.bytes += Int64(write.frame.byteCount) * copies
    return takeReleased()
  }

  /// When a sample's latency begins: when a live device took it, where that is known, else now.
  private static func origin(_ sample: SampleBuffer) -> Int64 {
    let now = MonotonicClock.now
    guard let taken = sample.attachments.captureTime.nanoseconds, taken <= now else { return now }
    return taken
  }

  /// Books frames that have reached the file.
  ///
  /// - Parameter pending: The frames of an input that have not.
  mutating func noteArrivals(pending: (_ input: Int) -> Int) {
    let now = MonotonicClock.now
    for index in inputs.indices {
      guard case .video = inputs[index].track else { continue }
      let waiting = pending(index)
      while let frame = inputs[index].withVideo({ $0.takeArrived(waiting: waiting) }) ?? nil {
        if let origin = frame.origin { inputs[index].account.fileLatency.add(now - origin) }
      }
    }
  }

  /// Books that sound at the head of an input was written: the part of the piece that belongs to the
  /// segment, or all of it as far as the session goes.
  mutating func didWrite(_ write: AudioWrite, _ index: Int, written: Int) -> Released {
    inputs[index].withAudio { audio in
      _ = audio.pieces.popFirst()
      if write.isDone {
        audio.written += Int64(write.piece.frameCount)
      } else {
        audio.pieces.prepend(write.piece.dropping(written))
        audio.written += Int64(written)
      }
    }
    inputs[index].account.audio.samplesWritten += Int64(written)
    inputs[index].account.audio.samplesOfSilence += Int64(min(write.piece.silence, written))
    inputs[index].account.audio.bytes += Int64(written * write.bytesPerFrame)
    guard write.isDone else { return takeReleased() }
    let behind = write.piece.frameCount - written
    inputs[index].account.audio.samplesTrimmed += Int64(
      max(behind - max(write.piece.silence - written, 0), 0))
    return takeReleased()
  }

  /// Gives the encoders away, to be ended without the lock.
  mutating func takeEncoders() -> [any VideoEncoder] {
    inputs.compactMap { if case .video(let video) = $0.track { video.encoder } else { nil } }
  }
}
