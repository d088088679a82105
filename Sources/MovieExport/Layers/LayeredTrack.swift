import AssetReader
import MediaCore

/// The frames of a track, for a composition that asks for increasing times.
final class LayeredTrack {
  private let clips: [MovieTimeline.Clip]
  private let reader: TimelineReader
  private var current: SampleBuffer?
  private var following: SampleBuffer?

  /// The name of the current clip, for messages.
  var clipName: String { reader.clipName }

  /// - Throws: `AssetReaderError` if the first clip cannot be read.
  init(_ track: MovieTimeline.Track) throws(AssetReaderError) {
    clips = track.clips
    reader = try TimelineReader(clips, audio: nil)
    following = try reader.next()
  }

  /// The frame shown at a time, which must not be earlier than in the last call; nil if the track
  /// shows nothing.
  func frame(at time: MediaTime) throws(AssetReaderError) -> PixelBuffer? {
    while let next = following, isDue(next, at: time) {
      current = next
      following = try reader.next()
    }
    guard shows(time) else { return nil }
    return current?.imageBuffer
  }

  /// True if the track shows something at a time.
  func shows(_ time: MediaTime) -> Bool { clips.contains { $0.target.contains(time) } }

  /// The end of the clip shown at a time; nil if there is none.
  func endOfClip(at time: MediaTime) -> MediaTime? {
    clips.first { $0.target.contains(time) }?.target.end
  }

  /// The time of the first frame after a time; nil if there is none.
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
