import CFFmpeg
import MediaCore
import QuickTime

/// Track properties of a QuickTime or MPEG-4 file that this project's own parser finds.
extension LibavMovie {
  /// A stream's track; nil for other files, and for a cover image, which is not a track.
  func indexedTrack(of stream: UnsafeMutablePointer<AVStream>) -> MovieIndex.Track? {
    // Matched by ID, because a cover image takes an index among libavformat's streams.
    index?.tracks.first { $0.id.rawValue == UInt32(clamping: stream.pointee.id) }
  }

  /// True if a track's media header states that colors are premultiplied by alpha.
  func isAlphaPremultiplied(in stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let mode = indexedTrack(of: stream)?.video?.graphicsMode else { return false }
    return mode == 0x101 || mode == 0x102
  }

  /// The timecode of a video track that refers to a timecode track; nil for others. libavformat
  /// reads only the first value of the timecode media, regardless of its edit list.
  func timecodeRuns(of stream: UnsafeMutablePointer<AVStream>) -> TimecodeRuns? {
    guard let index, let video = indexedTrack(of: stream),
      let track = video.references["tmcd"]?.lazy.compactMap({ index.track($0) }).first
    else { return nil }
    return TimecodeRuns(track, path: path)
  }
}
