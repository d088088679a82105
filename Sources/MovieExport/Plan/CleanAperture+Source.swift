import AssetReader
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension ColorDescription {
  /// What a QuickTime, MPEG-4 or Matroska file itself says of the colors of a track's pictures; nil where it says
  /// nothing, and for other files.
  static func stored(in location: AssetLocation, _ track: AssetTrack) -> ColorDescription? {
    track.containerColor ?? MovieIndex.video(in: location, track)?.color
  }

  /// True where both say something of the same kind that is not the same.
  func contradicts(_ other: ColorDescription) -> Bool {
    let (mine, theirs) = (withCommonCodes, other.withCommonCodes)
    func differ<Part: Equatable>(_ part: KeyPath<ColorDescription, Part>, _ unknown: [Part]) -> Bool
    {
      let (first, second) = (mine[keyPath: part], theirs[keyPath: part])
      return first != second && !unknown.contains(first) && !unknown.contains(second)
    }
    return differ(\.primaries, [.unspecified]) || differ(\.transferFunction, [.unspecified])
      // Red, green and blue have become luma and chroma.
      || differ(\.matrix, [.unspecified, .identity])
  }
}

extension MovieIndex {
  /// What a QuickTime or MPEG-4 file says of a track of pictures; nil for other files, and for what is no file.
  static func video(in location: AssetLocation, _ track: AssetTrack) -> Video? {
    var facts = stat()
    guard let number = track.movieTrackNumber, stat(location.path, &facts) == 0,
      facts.st_mode & S_IFMT == S_IFREG, let index = try? MovieIndex(path: location.path)
    else { return nil }
    // Not by its place: a cover picture, which is no track, has one among a reader's tracks.
    return index.tracks.first { $0.id.rawValue == number }?.video
  }
}

extension CleanAperture {
  /// The part of a track's pictures that a QuickTime or MPEG-4 file says is meant to be seen; nil for all of
  /// them, and for other files.
  static func stored(in location: AssetLocation, _ track: AssetTrack) -> CleanAperture? {
    guard let video = MovieIndex.video(in: location, track), let aperture = video.cleanAperture,
      let size = track.video?.dimensions, video.dimensions == size
    else { return nil }
    let (width, height) = (aperture.width.value, aperture.height.value)
    let isPart = width < Double(size.width) || height < Double(size.height)
    return isPart && width > 0 && height > 0 ? aperture : nil
  }

  /// Width and height in whole pixels.
  var shortText: String { "\(Int(width.value.rounded()))x\(Int(height.value.rounded()))" }
}
