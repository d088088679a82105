import MediaCore

extension Timecode {
  /// The timecode for the same time of day at another rate: that of the frame shown then, or the
  /// next existing one if drop-frame counting skips it.
  ///
  /// - Parameter rate: The movie's frame rate. The format is that of
  ///   ``TimecodeFormat/movieFormat(at:)``.
  func atMovieRate(_ rate: FrameRate) -> Timecode? {
    if format.frameRate == rate { return self }
    let other = format.movieFormat(at: rate)
    let parts = components
    let frame = parts.frames * other.framesPerSecond / format.framesPerSecond
    let isAtDroppedNumbers = parts.seconds == 0 && parts.minutes % 10 != 0
    return Timecode(
      hours: parts.hours, minutes: parts.minutes, seconds: parts.seconds,
      frames: isAtDroppedNumbers ? max(frame, other.droppedPerMinute) : frame, format: other)
  }
}

extension TimecodeFormat {
  /// The timecode format of a movie whose source has this format: drop-frame or not like the source
  /// if both rates are NTSC rates and the movie's rate allows it; otherwise the usual format at the
  /// movie's rate.
  func movieFormat(at rate: FrameRate) -> TimecodeFormat {
    let usual = TimecodeFormat(standardFor: rate)
    guard frameRate.isNTSC, rate.isNTSC else { return usual }
    return TimecodeFormat(frameRate: rate, isDropFrame: isDropFrame) ?? usual
  }
}
