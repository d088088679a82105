import MediaCore
import QuickTime

/// The tracks that an input came to in a movie, with its place in the take where the movie begins.
enum AssembledTracks {
  /// An input without a track in the movie.
  case none
  /// A video track.
  case video(Video)
  /// Audio.
  case audio(Audio)

  /// A video track.
  struct Video {
    let id: TrackID
    /// The track of the timecode that belongs to the video; nil if it is another track's, or there is none.
    let timecode: TrackID?
    let description: VideoTrackDescription
    /// The slot of the take that is the movie's first.
    let start: Int64
    /// Slots of the movie before the first frame.
    let delay: Int64
  }

  /// An audio track, or one for each channel.
  struct Audio {
    let ids: [TrackID]
    let settings: AudioOutputSettings
    /// The sample of the take that is the movie's first.
    let start: Int64
  }

  /// The video and audio tracks.
  var mediaTracks: [TrackID] {
    switch self {
    case .none: []
    case .video(let video): [video.id]
    case .audio(let audio): audio.ids
    }
  }
}
