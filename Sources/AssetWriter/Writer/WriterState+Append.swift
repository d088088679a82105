import MediaCore
import QuickTime

/// What comes in.
extension WriterState {
  /// What became of a sample that was appended.
  enum Admission {
    /// It was taken; a frame goes to its encoder once the lock is free.
    case taken(Submission?, Released)
    /// The input has no encoder yet: one is to be made for the frame, without the lock.
    case needsTrack(VideoPreparation.Order)
  }

  /// A frame on its way to its encoder.
  struct Submission {
    var encoder: any VideoEncoder
    var frame: PixelBuffer
    var index: Int64
    /// Slots that the frame before fills behind its own.
    var gap: Int64
  }

  /// Takes a sample, or says why not; a refusal is counted.
  ///
  /// - Parameter slot: The slot of a frame; nil for the one nearest to its time.
  mutating func append(
    _ sample: SampleBuffer, slot: Int64?, to index: Int
  ) throws(AssetWriterError) -> Admission {
    do throws(AssetWriterError) {
      if let error = appendError(index) { throw error }
      switch sample.content {
      case .video(let frame):
        guard let order = try order(for: frame, sample, index) else {
          let submission = try append(frame, sample, slot: slot, to: index)
          noteAppend(to: index)
          return .taken(submission, releaseReady())
        }
        return .needsTrack(order)
      case .audio(let buffer):
        try append(buffer, at: sample.presentationTimeStamp, to: index)
        noteAppend(to: index)
        return .taken(nil, releaseReady())
      }
    } catch {
      inputs[index].refuse(error)
      throw error
    }
  }

  /// Checks a frame.
  ///
  /// - Returns: What is to be made first; nil where the track is there.
  private func order(
    for frame: PixelBuffer, _ sample: SampleBuffer, _ index: Int
  ) throws(AssetWriterError) -> VideoPreparation.Order? {
    guard case .video(let settings, let hint) = inputs[index].settings else {
      throw AssetWriterError(
        .formatMismatch, "\(inputs[index].name) takes audio; append video to a video input")
    }
    let request = VideoPreparation.Request(settings: settings, hint: hint)
    try VideoPreparation.check(frame, request)
    guard case .video(let video) = inputs[index].track else {
      return try VideoPreparation.Order(
        request, source: VideoFormatDescription(frame.details), duration: sample.duration,
        isRealTime: inputs[index].isRealTime, threads: threadOptions)
    }
    if !video.hasBegun { try checkTimecode(for: index, rate: video.rate) }
    return nil
  }

  /// Refuses a start timecode that counts at another rate than the first video track, or faster than a movie
  /// can.
  func checkTimecode(for index: Int, rate: FrameRate) throws(AssetWriterError) {
    guard index == leadIndex, configuration.writesTimecode,
      let timecode = configuration.startTimecode
    else { return }
    guard timecode.format.frameRate == rate else {
      throw AssetWriterError(
        .invalidSettings,
        "the start timecode counts at \(timecode.format.frameRate) fps, the track has \(rate); "
          + "use the track's rate")
    }
    let most = TimecodeTrackDescription.mostFramesPerSecond
    guard timecode.format.framesPerSecond <= most else {
      throw AssetWriterError(
        .invalidSettings,
        "a movie's timecode counts up to \(most) frames per second, the track has \(rate); leave the "
          + "timecode out")
    }
  }

  /// Gives an input its track.
  ///
  /// - Returns: False where it has one.
  mutating func begin(_ track: VideoTrackState, for index: Int) -> Bool {
    guard case .unprepared = inputs[index].track else { return false }
    var track = track
    if phase.preRoll != nil { track.queue.hold() }
    inputs[index].track = .video(track)
    return true
  }

  private mutating func append(
    _ frame: PixelBuffer, _ sample: SampleBuffer, slot: Int64?, to index: Int
  ) throws(AssetWriterError) -> Submission? {
    guard let start = session.start else { return nil }
    let maximumGap = configuration.maximumGap
    var isFirst = false
    let submission = try inputs[index].withVideo { video throws(AssetWriterError) -> Submission? in
      try video.accept(frame.details)
      let taken = try video.append(sample, slot: slot, start: start, maximumGap: maximumGap)
      isFirst = taken?.isFirst ?? false
      return taken.map { taken in
        Submission(encoder: video.encoder, frame: frame, index: taken.index, gap: taken.gap)
      }
    }
    guard let submission = submission ?? nil else { return nil }
    if isFirst, facts.firstTimecode == nil {
      facts.firstTimecode = sample.attachments.timecode
    }
    return submission
  }

  private mutating func append(
    _ buffer: AudioBuffer, at time: MediaTime, to index: Int
  ) throws(AssetWriterError) {
    let name = inputs[index].name
    let maximumGap = configuration.maximumGap
    guard let start = session.start,
      try inputs[index].withAudio({ audio throws(AssetWriterError) in
        try audio.append(buffer, at: time, start: start, maximumGap: maximumGap, name: name)
      }) != nil
    else {
      throw AssetWriterError(
        .formatMismatch, "\(name) takes video; append audio to an audio input")
    }
    if phase.preRoll != nil { forgetOldest() }
  }

  /// Takes what an encoder has made.
  mutating func receive(_ result: Result<EncodedFrame, AssetWriterError>, from index: Int) {
    switch result {
    case .success(let frame):
      inputs[index].withVideo { $0.receive(frame) }
      if phase.preRoll != nil { forgetOldest() }
    case .failure(let error): phase.fail(error)
    }
  }

  /// Asks for a cut before the frame that is appended next.
  mutating func requestSegment() throws(AssetWriterError) {
    if let error = phase.statusError { throw error }
    guard let lead, lead.slots.last != nil else {
      throw AssetWriterError(
        .invalidStatus, "no frame has been written yet; a new segment needs one first")
    }
    segments.request(before: lead.slots.end)
  }
}
