public import MediaCore

/// Tracks of timecode that does not come with the video.
extension MovieWriter {
  /// Adds a timecode track for a video track, to which runs are added with
  /// ``appendTimecode(_:countedAs:to:)``. The finished movie does not have it if there are none.
  ///
  /// - Parameters:
  ///   - format: How frames are counted; nil for as in the video, until the first run says it.
  ///   - video: The video track.
  /// - Throws: As ``addVideoTrack(_:)``; ``QuickTimeError/Code/invalidArgument`` for a frame that lasts no time, and
  ///   if `video` is not a video track.
  public func addTimecodeTrack(
    countedAs format: TimecodeFormatDescription?, for video: TrackID
  ) throws(QuickTimeError) -> TrackID {
    let place = try frames(video, for: "timecode")
    guard case .video(let description) = tracks[place].content else { return video }
    let rate = description.frameRate
    let format =
      format
      ?? TimecodeFormatDescription(
        frameDuration: rate.frameDuration,
        frameQuanta: UInt8(clamping: Int(rate.framesPerSecond.rounded())), isDropFrame: false)
    try Self.check(format)
    let width = tracks[place].record.displayWidth
    let id = try addDataTrack(
      .timecode(format), "tmcd", "Time Code Media Handler", about: place, capacity: 64
    ) { record in
      record.displayWidth = width
      record.mediaHeader = Self.atom { $0.timecodeMediaHeader() }
    }
    tracks[place].record.references.append(
      TrackRecord.TrackReference(type: "tmcd", tracks: [id.rawValue]))
    return id
  }

  private static func check(_ format: TimecodeFormatDescription) throws(QuickTimeError) {
    guard format.frameDuration.isNumeric, format.frameDuration > .zero else {
      throw QuickTimeError(.invalidArgument, "a frame of a timecode track has no duration")
    }
  }

  /// Appends the timecode of a frame, from which the following frames count on. It is written with the frames of its
  /// time; one from before the movie counts on to the movie's start. A timecode that continues the run before it
  /// changes nothing.
  ///
  /// - Parameters:
  ///   - run: The number; no earlier than the one that was appended last. Of two of one moment the later one counts.
  ///   - format: How frames are counted, the same each time; nil for as the track says.
  ///   - track: A track of timecode that was added for runs.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for a run out of order and another format, and as
  ///   ``appendVideo(_:to:duration:)``.
  public func appendTimecode(
    _ run: TimecodeRun, countedAs format: TimecodeFormatDescription? = nil, to track: TrackID
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("timecode") }
    let place = try index(of: track)
    guard case .data(let data) = tracks[place].content, case .timecode(let known) = data.content
    else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not a track of timecode runs")
    }
    let format = format ?? known
    try Self.check(format)
    guard format == known || data.lastRun == nil else {
      throw QuickTimeError(
        .invalidArgument, "all frame numbers of a timecode track must have the same format")
    }
    if let last = data.lastRun, run.start >= last.start, run.follows(last, countedAs: format) {
      return
    }
    let frame = format.frameDuration.seconds
    let early = run.start < .zero ? (-run.start.seconds / frame).rounded() : 0
    let number = run.frameNumber.addingSaturating(Int64(exactly: early) ?? 0)
    try appendData(
      from: run.start, to: tracks[place], data, as: .timecode(format), "frame numbers"
    ) { _, _ in Self.atom { $0.int32(Int32(clamping: number)) } }
    data.lastRun = run
  }
}
