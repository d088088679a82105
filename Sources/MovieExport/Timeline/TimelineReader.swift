package import AssetReader
package import MediaCore

/// Reads the decoded samples of a timeline's track, clip after clip, with timeline times.
///
/// Used from one thread at a time.
package final class TimelineReader {
  private var waiting: ArraySlice<MovieTimeline.Clip>
  private var current: (clip: MovieTimeline.Clip, reader: ClipReader)?

  /// The name of the current clip, for messages.
  package private(set) var clipName = ""
  /// The clipped samples of the clips that were read completely.
  private var pastExcess = AudioExcess()
  /// The end of the audio read from the current clip; nil before its first sample.
  private var audioEnd: MediaTime?

  /// The tolerance for audio times within a clip: containers round them, to a millisecond at worst,
  /// and devices' clocks are slightly off.
  private static let audioTolerance = MediaTime(value: 5, timescale: 1000)

  /// Creates a reader of clips in order, and opens the first one.
  ///
  /// - Parameter audio: The audio format that all clips must have; nil for video.
  /// - Throws: `AssetReaderError` if the first clip cannot be read, or if any has audio of another
  ///   format or at another speed.
  package init(_ clips: [MovieTimeline.Clip], audio: AudioFormat?) throws(AssetReaderError) {
    if let audio { for clip in clips { try Self.check(clip, has: audio) } }
    waiting = clips[...]
    _ = try openClip()
  }

  /// The next sample; nil after the last clip.
  ///
  /// - Throws: The errors of ``AssetReader/nextSample()``.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    while let (clip, reader) = try openClip() {
      if let sample = try reader.next() { return placed(sample, by: clip) }
      pastExcess.add(reader.excess)
      current = nil
    }
    return nil
  }

  /// The samples clipped so far because they exceeded full scale.
  package var excess: AudioExcess {
    var excess = pastExcess
    if let current { excess.add(current.reader.excess) }
    return excess
  }

  private static func check(
    _ clip: MovieTimeline.Clip, has audio: AudioFormat
  ) throws(AssetReaderError) {
    let name = clip.location.displayName
    guard let own = clip.track.audio else {
      throw AssetReaderError(.noSuchTrack, "\(name): track \(clip.track.id) is not audio")
    }
    guard own == audio else {
      throw AssetReaderError(
        .unsupported,
        "\(name) has \(own.channelCount) channels of \(own.sampleFormat.bitDepth) bits at "
          + "\(own.sampleRate) Hz, the track's first clip \(audio.channelCount) of "
          + "\(audio.sampleFormat.bitDepth) at \(audio.sampleRate): the clips of a track must have the same format"
      )
    }
    guard clip.keepsSpeed else {
      throw AssetReaderError(
        .unsupported, "\(name): audio cannot be made faster or slower; scale only the video")
    }
  }

  private func openClip() throws(AssetReaderError) -> (MovieTimeline.Clip, ClipReader)? {
    if let current { return current }
    guard let clip = waiting.popFirst() else { return nil }
    clipName = clip.location.displayName
    audioEnd = nil
    let reader = try ClipReader(clip.location, track: clip.track.id, range: clip.source)
    current = (clip, reader)
    return (clip, reader)
  }

  /// The sample with its timeline time. A frame is limited to the part that the clip shows. Audio
  /// directly follows the clip's previous audio if its time is off by less than a gap.
  private func placed(_ sample: SampleBuffer, by clip: MovieTimeline.Clip) -> SampleBuffer {
    guard sample.presentationTimeStamp.isNumeric else { return sample }
    var sample = sample
    let isInPlace = clip.source == clip.target
    let start =
      isInPlace
      ? sample.presentationTimeStamp
      : max(clip.shown(sample.presentationTimeStamp), clip.target.start)
    if case .audio(let audio) = sample.content {
      let begin = audioEnd.map { $0.isNear(start, Self.audioTolerance) ? $0 : start } ?? start
      sample.presentationTimeStamp = begin
      audioEnd = begin + audio.duration
      return sample
    }
    guard !isInPlace else { return sample }
    if sample.duration.isNumeric {
      let end = clip.shown(sample.presentationTimeStamp + sample.duration)
      sample.duration = min(end, clip.target.end) - start
    }
    sample.presentationTimeStamp = start
    return sample
  }
}

extension MediaTime {
  fileprivate func isNear(_ other: MediaTime, _ tolerance: MediaTime) -> Bool {
    let difference = self - other
    return difference <= tolerance && .zero - difference <= tolerance
  }
}
