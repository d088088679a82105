import AssetReader
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension CleanAperture {
  /// The part of a track's pictures that a QuickTime or MPEG-4 file says is meant to be seen; nil for all of
  /// them, and for other files.
  static func stored(in location: AssetLocation, _ track: AssetTrack) -> CleanAperture? {
    var facts = stat()
    // libavformat counts all tracks of a movie, as its index does.
    guard stat(location.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      let index = try? MovieIndex(path: location.path), index.tracks.indices.contains(track.id),
      let video = index.tracks[track.id].video, let aperture = video.cleanAperture,
      let size = track.video?.dimensions, video.dimensions == size
    else { return nil }
    let (width, height) = (aperture.width.value, aperture.height.value)
    let isPart = width < Double(size.width) || height < Double(size.height)
    return isPart && width > 0 && height > 0 ? aperture : nil
  }

  /// Width and height in whole pixels.
  var shortText: String { "\(Int(width.value.rounded()))x\(Int(height.value.rounded()))" }
}
