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

  /// The timecode of pictures that refer to a track of it; nil for others. libavformat reads the first number of its
  /// media, wherever its edit list begins.
  func timecodeRuns(of stream: UnsafeMutablePointer<AVStream>) -> TimecodeRuns? {
    guard let index, let pictures = indexedTrack(of: stream),
      let track = pictures.references["tmcd"]?.lazy.compactMap({ index.track($0) }).first
    else { return nil }
    return TimecodeRuns(track, path: path)
  }
}
