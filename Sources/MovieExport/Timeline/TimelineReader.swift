package import AssetReader
package import MediaCore

/// The decoded samples of a timeline's track, clip after clip, at the times at which they are shown.
///
/// A reader is used from one thread at a time.
package final class TimelineReader {
  private var waiting: ArraySlice<MovieTimeline.Clip>
  private var current: (clip: MovieTimeline.Clip, reader: ClipReader)?

  /// What messages call the clip that samples come from.
  package private(set) var clipName = ""
  /// Sound above full scale of the clips that were read to their end.
  private var pastExcess = SoundExcess()
  /// Where the sound ends that was read of the present clip; nil before its first sample.
  private var soundEnd: MediaTime?

  /// How far times of sound within a clip may be off: containers round them, to a millisecond at worst, and
  /// devices' clocks are a little off.
  private static let soundTolerance = MediaTime(value: 5, timescale: 1000)

  /// A reader of clips in their order. The first one is opened now.
  ///
  /// - Parameter sound: The form of the sound, which all clips must have; nil for pictures.
  /// - Throws: `AssetReaderError` where the first clip cannot be read, and where one has sound of another form
  ///   or at another speed.
  package init(_ clips: [MovieTimeline.Clip], sound: AudioFormat?) throws(AssetReaderError) {
    if let sound { for clip in clips { try Self.check(clip, has: sound) } }
    waiting = clips[...]
    _ = try openClip()
  }

  /// The next sample; nil behind the last clip.
  ///
  /// - Throws: `AssetReaderError` as ``AssetReader/nextSample()``.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    while let (clip, reader) = try openClip() {
      if let sample = try reader.next() { return placed(sample, by: clip) }
      pastExcess.add(reader.excess)
      current = nil
    }
    return nil
  }

  /// Sound above full scale so far, which was clipped.
  package var excess: SoundExcess {
    var excess = pastExcess
    if let current { excess.add(current.reader.excess) }
    return excess
  }

  private static func check(
    _ clip: MovieTimeline.Clip, has sound: AudioFormat
  ) throws(AssetReaderError) {
    let name = clip.location.displayName
    guard let own = clip.track.audio else {
      throw AssetReaderError(.noSuchTrack, "\(name): track \(clip.track.id) is not audio")
    }
    guard own == sound else {
      throw AssetReaderError(
        .unsupported,
        "\(name) has \(own.channelCount) channels of \(own.sampleFormat.bitDepth) bits at "
          + "\(own.sampleRate) Hz, the track's first clip \(sound.channelCount) of "
          + "\(sound.sampleFormat.bitDepth) at \(sound.sampleRate): the sound of one track must be alike"
      )
    }
    guard clip.keepsSpeed else {
      throw AssetReaderError(
        .unsupported, "\(name): sound is not made faster or slower; scale the pictures alone")
    }
  }

  private func openClip() throws(AssetReaderError) -> (MovieTimeline.Clip, ClipReader)? {
    if let current { return current }
    guard let clip = waiting.popFirst() else { return nil }
    clipName = clip.location.displayName
    soundEnd = nil
    let reader = try ClipReader(clip.location, track: clip.track.id, range: clip.source)
    current = (clip, reader)
    return (clip, reader)
  }

  /// The sample at its place: a picture that the clip shows a part of, for that part; sound right behind what
  /// was read of the clip, where its time is off by less than is a gap.
  private func placed(_ sample: SampleBuffer, by clip: MovieTimeline.Clip) -> SampleBuffer {
    guard sample.presentationTimeStamp.isNumeric else { return sample }
    var sample = sample
    let isInPlace = clip.source == clip.target
    let start =
      isInPlace
      ? sample.presentationTimeStamp
      : max(clip.shown(sample.presentationTimeStamp), clip.target.start)
    if case .audio(let sound) = sample.content {
      let begin = soundEnd.map { $0.isNear(start, Self.soundTolerance) ? $0 : start } ?? start
      sample.presentationTimeStamp = begin
      soundEnd = begin + sound.duration
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
