import AssetReader
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension ColorDescription {
  /// The color that a QuickTime, MPEG-4 or Matroska container states for a video track; nil if it
  /// states none, and for other files.
  static func stored(in location: AssetLocation, _ track: AssetTrack) -> ColorDescription? {
    track.containerColor ?? MovieIndex.video(in: location, track)?.color
  }

  /// True if both specify a property, but differently.
  func contradicts(_ other: ColorDescription) -> Bool {
    let (mine, theirs) = (withCommonCodes, other.withCommonCodes)
    func differ<Part: Equatable>(_ part: KeyPath<ColorDescription, Part>, _ unknown: [Part]) -> Bool
    {
      let (first, second) = (mine[keyPath: part], theirs[keyPath: part])
      return first != second && !unknown.contains(first) && !unknown.contains(second)
    }
    return differ(\.primaries, [.unspecified]) || differ(\.transferFunction, [.unspecified])
      // Identity does not count, because RGB was converted to luma and chroma.
      || differ(\.matrix, [.unspecified, .identity])
  }
}

extension MovieIndex {
  /// The description of a video track in a QuickTime or MPEG-4 file; nil for other files, and if it
  /// is not a regular file.
  static func video(in location: AssetLocation, _ track: AssetTrack) -> Video? {
    var facts = stat()
    guard let number = track.movieTrackNumber, stat(location.path, &facts) == 0,
      facts.st_mode & S_IFMT == S_IFREG, let index = try? MovieIndex(path: location.path)
    else { return nil }
    // Matched by ID, not by index: a cover image, which is not a track, takes an index among a
    // reader's tracks.
    return index.tracks.first { $0.id.rawValue == number }?.video
  }
}

extension CleanAperture {
  /// The clean aperture of a video track in a QuickTime or MPEG-4 file; nil if it is the whole
  /// frame, and for other files.
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
