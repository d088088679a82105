import AssetReader
import MediaCore

/// The pictures of a track as a composition asks for them: for one time after the other.
final class LayeredTrack {
  private let clips: [MovieTimeline.Clip]
  private let reader: TimelineReader
  private var current: SampleBuffer?
  private var following: SampleBuffer?

  /// What messages call the clip that pictures come from.
  var clipName: String { reader.clipName }

  /// - Throws: `AssetReaderError` where the first clip cannot be read.
  init(_ track: MovieTimeline.Track) throws(AssetReaderError) {
    clips = track.clips
    reader = try TimelineReader(clips, sound: nil)
    following = try reader.next()
  }

  /// The picture that is shown at a time, which is not before the last one that was asked for; nil where
  /// the track shows nothing.
  func picture(at time: MediaTime) throws(AssetReaderError) -> PixelBuffer? {
    while let next = following, isDue(next, at: time) {
      current = next
      following = try reader.next()
    }
    guard shows(time) else { return nil }
    return current?.imageBuffer
  }

  /// True where the track shows something at a time.
  func shows(_ time: MediaTime) -> Bool { clips.contains { $0.target.contains(time) } }

  /// Where the clip ends that is shown at a time; nil where none is.
  func endOfClip(at time: MediaTime) -> MediaTime? {
    clips.first { $0.target.contains(time) }?.target.end
  }

  /// The time of the first picture behind a time; nil where there is none.
  func nextTime(after time: MediaTime) throws(AssetReaderError) -> MediaTime? {
    while let next = following, !(next.presentationTimeStamp > time) {
      current = next
      following = try reader.next()
    }
    return following?.presentationTimeStamp
  }

  private func isDue(_ sample: SampleBuffer, at time: MediaTime) -> Bool {
    sample.presentationTimeStamp < time + .containerRounding
  }
}
