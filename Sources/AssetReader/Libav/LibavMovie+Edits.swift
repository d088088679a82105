import CFFmpeg
import MediaCore
import QuickTime

/// What our own reader finds of the tracks of a QuickTime or MPEG-4 file.
extension LibavMovie {
  /// A stream's track; nil for other files, and for a cover picture, which is no track.
  func indexedTrack(of stream: UnsafeMutablePointer<AVStream>) -> MovieIndex.Track? {
    // By its number: a cover picture has a place among libavformat's streams.
    index?.tracks.first { $0.id.rawValue == UInt32(clamping: stream.pointee.id) }
  }

  /// True if a track's media header says that colors are multiplied by alpha already.
  func isAlphaPremultiplied(in stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let mode = indexedTrack(of: stream)?.video?.graphicsMode else { return false }
    return mode == 0x101 || mode == 0x102
  }

  /// The timecode of the first frame that is shown, of pictures whose track of timecode is cut at its beginning: libavformat
  /// reads the first of its media. Nil for others, and for a track of several samples.
  func editedTimecode(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let index, let pictures = indexedTrack(of: stream),
      let track = pictures.references["tmcd"]?.lazy.compactMap({ index.track($0) }).first,
      track.samples.count == 1, let start = track.timecode?.start,
      let first = track.edits.lazy.compactMap(\.mediaTime).first, first > 0,
      let frames = start.format.frameRate.frameIndex(
        nearest: MediaTime(value: first, timescale: track.timescale))
    else { return nil }
    return "\(start.advanced(by: frames))"
  }
}
