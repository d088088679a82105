import MediaCore

extension Timecode {
  /// The address of the same moment of the day at another rate: that of the frame which is shown then,
  /// or where drop-frame counting skips it, the next one that there is.
  ///
  /// - Parameter rate: The movie's. It counts as ``TimecodeFormat/movieFormat(at:)`` has it.
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
  /// How the timecode of a movie counts that is made of a source with this one: drop-frame or not as the
  /// source where both rates are of the 1001 family, as far as the movie's has drop-frame; else as is
  /// usual at the movie's rate.
  func movieFormat(at rate: FrameRate) -> TimecodeFormat {
    let usual = TimecodeFormat(standardFor: rate)
    guard frameRate.isNTSC, rate.isNTSC else { return usual }
    return TimecodeFormat(frameRate: rate, isDropFrame: isDropFrame) ?? usual
  }
}
