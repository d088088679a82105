import AVFoundationCompat
import QuickTime
import TestSupport
import Testing

/// Movies that are cut and rewritten without encoding.
@Suite(.timeLimit(.minutes(10))) struct MovieTests: CompositionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ body: () throws -> Void) -> AVError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? AVError)?.code }
  }

  private func title(_ text: String) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = .commonIdentifierTitle
    item.value = text
    return item
  }

  private func titles(_ asset: AVAsset) -> [String] {
    asset.metadata.filter { $0.commonKey == .commonKeyTitle }.compactMap(\.stringValue)
  }

  @Test func cutting_and_joining_movies_preserves_frames() throws {
    let first = try makeMovie("a.mov", number: 0)
    let second = try makeMovie("b.mov", number: 1)
    let movie = try AVMutableMovie(url: first.url, options: nil, error: ())
    #expect(movie.url == first.url && !movie.isModified)
    #expect(movie.isCompatible(withFileType: .mov) && !movie.isCompatible(withFileType: .mp4))
    movie.defaultMediaDataStorage = AVMediaDataStorage(url: folder.url("c.mov"))
    #expect(movie.defaultMediaDataStorage?.url() == folder.url("c.mov"))
    movie.removeTimeRange(frames(5, 10))
    try movie.insertTimeRange(frames(2, 4), of: second, at: at(5), copySampleData: true)
    #expect(movie.isModified && movie.duration == at(14))
    let tracks: [AVMutableMovieTrack] = movie.tracks(withMediaType: .video)
    #expect(tracks.count == 1)
    let options: AVMovieWritingOptions = .addMovieHeaderToDestination
    try movie.writeHeader(to: folder.url("c.mov"), fileType: .mov, options: options)
    #expect(!movie.isModified)
    try verify("c.mov")
    let (one, other) = (try gray(of: first), try gray(of: second))
    let expected = Array(one[..<5] + other[2..<6] + one[15...])
    #expect(try gray(of: AVMovie(url: folder.url("c.mov"))) == expected)
    #expect(try gray(of: movie) == expected)
    // A movie may overwrite its own file, but no other.
    movie.removeTimeRange(frames(5, 4))
    try movie.writeHeader(to: folder.url("c.mov"), fileType: .mov)
    #expect(try gray(of: AVMovie(url: folder.url("c.mov"))) == Array(one[..<5] + one[15...]))
    #expect(
      code { try movie.writeHeader(to: second.url, fileType: .mov) } == .fileAlreadyExists)
    #expect(try gray(of: AVMovie(url: second.url)) == other)
  }

  @Test func a_movie_is_rewritten_in_place() throws {
    let asset = try makeMovie("a.mov")
    let before = try gray(of: asset)
    let movie = AVMutableMovie(url: asset.url)
    movie.metadata = [title("Take 7")]
    try movie.writeHeader(to: asset.url, fileType: .mov)
    #expect(movie.notes.isEmpty)
    let changed = AVMovie(url: asset.url)
    #expect(titles(changed) == ["Take 7"] && changed.tracks.first is AVMovieTrack)
    #expect(changed.tracks.contains { $0.mediaType == .timecode })
    #expect(try gray(of: changed) == before)
    // The tracks now refer to the new file: a further cut takes its frames.
    movie.removeTimeRange(frames(0, 15))
    try movie.writeHeader(to: asset.url, fileType: .mov)
    #expect(try gray(of: AVMovie(url: asset.url)) == Array(before[15...]))
    #expect(try gray(of: movie) == Array(before[15...]))
    try verify("a.mov")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["a.mov"])
  }

  @Test func rate_volume_and_transform_of_a_movie_are_written() throws {
    let asset = try makeMovie("a.mov")
    let movie = AVMutableMovie(url: asset.url)
    #expect(movie.preferredRate == 1 && movie.preferredVolume == 1)
    (movie.preferredRate, movie.preferredVolume) = (0.5, 0.25)
    movie.preferredTransform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(movie.isModified)
    try movie.writeHeader(to: folder.url("b.mov"), fileType: .mov)
    #expect(movie.notes.isEmpty)
    let written = AVMovie(url: folder.url("b.mov"))
    #expect(written.preferredRate == 0.5 && written.preferredVolume == 0.25)
    #expect(abs(written.preferredTransform.b - 1) < 1e-6)
    // A movie that reads these values also writes them.
    try AVMovie(url: folder.url("b.mov")).writeHeader(to: folder.url("c.mov"), fileType: .mov)
    #expect(AVURLAsset(url: folder.url("c.mov")).preferredRate == 0.5)
    let like = try AVMutableMovie(settingsFrom: movie)
    #expect(like.preferredRate == 0.5 && like.preferredVolume == 0.25)
  }

  @Test func a_transform_set_before_insertion_applies_to_the_video_track() throws {
    let asset = try makeMovie("a.mov")
    let movie = AVMutableMovie()
    movie.preferredTransform = CGAffineTransform(rotationAngle: .pi)
    try movie.insertTimeRange(frames(0, 5), of: asset, at: .zero, copySampleData: true)
    let track = try #require(movie.tracks(withMediaType: .video).first)
    #expect(abs(track.preferredTransform.a + 1) < 1e-6)
    track.preferredTransform = .identity
    #expect(movie.preferredTransform == .identity)
  }

  @Test(arguments: [Float.nan, 40_000])
  func an_unrepresentable_movie_rate_is_an_error(rate: Float) throws {
    let movie = AVMutableMovie(url: try makeMovie("a.mov").url)
    movie.preferredRate = rate
    #expect(code { try movie.writeHeader(to: folder.url("b.mov"), fileType: .mov) } != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.mov")))
  }

  @Test func leftovers_of_a_killed_replacement_are_removed_by_the_next() throws {
    let asset = try makeMovie("a.mov")
    let sum = Array("a.mov".utf8).withUnsafeBytes { XXHash64.text(XXHash64.digest($0)) }
    let other = ".replacing-\(sum)0-A.mov"
    for name in [".replacing-\(sum)-A.mov", other] { try folder.write([1, 2, 3], name) }
    let movie = AVMutableMovie(url: asset.url)
    movie.metadata = [title("Take 7")]
    try movie.writeHeader(to: asset.url, fileType: .mov)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(names.sorted() == [other, "a.mov"])
  }

  @Test func a_lossy_rewrite_in_place_is_refused() throws {
    let asset = try withChapters(makeMovie("a.mov"))
    let bytes = try Data(contentsOf: asset.url)
    let movie = AVMutableMovie(url: asset.url)
    movie.removeTimeRange(frames(0, 5))
    #expect(
      code { try movie.writeHeader(to: asset.url, fileType: .mov) }
        == .operationNotSupportedForAsset)
    #expect(try Data(contentsOf: asset.url) == bytes && movie.isModified)
    try movie.writeHeader(to: folder.url("b.mov"), fileType: .mov)
    #expect(movie.notes.contains { $0.contains("dropped") })
  }

  @Test func unsupported_movie_operations_are_refused() throws {
    let asset = try makeMovie("a.mov", audio: false)
    let movie = AVMutableMovie(url: asset.url)
    let new = folder.url("b.mov")
    #expect(
      code {
        try movie.writeHeader(
          to: new, fileType: .mov, options: .truncateDestinationToMovieHeaderOnly)
      } == .operationNotAllowed)
    #expect(
      code { try movie.writeHeader(to: new, fileType: .mp4) } == .operationNotSupportedForAsset)
    #expect(code { _ = try movie.makeMovieHeader(fileType: .mov) } == .operationNotAllowed)
    let track = try #require(movie.tracks(withMediaType: .video).first)
    let sample = try #require(try reading(asset, .video).first)
    #expect(
      code { try track.append(sample, decodeTime: nil, presentationTime: nil) }
        == .operationNotAllowed)
    #expect(!track.insertMediaTimeRange(frames(0, 1), into: frames(0, 1)))
    let none = folder.url("no.mov")
    #expect(code { _ = try AVMutableMovie(url: none, options: nil, error: ()) } != nil)
    #expect(
      code { try AVMutableMovie(settingsFrom: nil).writeHeader(to: new, fileType: .mov) } != nil)
    #expect(!FileManager.default.fileExists(atPath: new.path))
    let h264 = try AVMutableMovie(
      url: makeMovie("c.mov", codec: "mpeg4", audio: false).url)
    #expect(!h264.isCompatible(withFileType: .mov))
    #expect(code { try h264.writeHeader(to: new, fileType: .mov) } != nil)
    #expect(!FileManager.default.fileExists(atPath: new.path))
  }

  @Test func another_file_in_place_of_a_written_movie_is_not_overwritten() throws {
    let source = try makeMovie("a.mov")
    let movie = AVMutableMovie()
    try movie.insertTimeRange(frames(0, 5), of: source, at: .zero, copySampleData: true)
    let place = folder.url("b.mov")
    try movie.writeHeader(to: place, fileType: .mov)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: source.url, to: place)
    #expect(code { try movie.writeHeader(to: place, fileType: .mov) } == .fileAlreadyExists)
    #expect(try Data(contentsOf: place) == Data(contentsOf: source.url))
  }

  @Test func a_movie_from_an_unreadable_file_cannot_be_written() throws {
    let movie = AVMutableMovie(url: folder.url("no.mov"))
    #expect(!movie.isReadable && movie.tracks.isEmpty && movie.metadata.isEmpty)
    #expect(movie.statusOfValue(forKey: "tracks") == .failed)
    let source = try makeMovie("a.mov")
    try movie.insertTimeRange(frames(0, 5), of: source, at: .zero, copySampleData: true)
    #expect(code { try movie.writeHeader(to: folder.url("b.mov"), fileType: .mov) } != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.mov")))
    let empty = AVMutableMovie()
    empty.timescale = 90_000
    empty.interleavingPeriod = CMTime(value: 1, timescale: 2)
    #expect(empty.timescale == 600 && empty.interleavingPeriod == .zero)
    #expect(empty.url == nil && empty.statusOfValue(forKey: "tracks") == .loaded)
    try empty.insertTimeRange(frames(0, 5), of: source, at: .zero, copySampleData: true)
    try empty.writeHeader(to: folder.url("b.mov"), fileType: .mov)
    #expect(try gray(of: AVMovie(url: folder.url("b.mov"))) == Array(gray(of: source)[..<5]))
  }

  @Test func a_movie_in_memory_is_read_and_edited() throws {
    let asset = try makeMovie("a.mov")
    let before = try gray(of: asset)
    let bytes = try Data(contentsOf: asset.url)
    try FileManager.default.removeItem(at: asset.url)
    let read = AVMovie(data: bytes)
    #expect(read.url == nil && read.data == bytes && read.tracks.count == 3)
    #expect(try gray(of: read) == before)
    var movie: AVMutableMovie? = try AVMutableMovie(data: bytes, options: nil, error: ())
    #expect(movie?.url == nil && movie?.data == bytes)
    movie?.removeTimeRange(frames(0, 15))
    try movie?.writeHeader(to: folder.url("b.mov"), fileType: .mov)
    #expect(try gray(of: AVMovie(url: folder.url("b.mov"))) == Array(before[15...]))
    // An inserted range does not need the movie any more.
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 2), of: try #require(movie), at: .zero)
    movie = nil
    #expect(try gray(of: composition) == Array(before[15..<17]))
    let wrong = AVMovie(data: Data("no movie".utf8))
    #expect(!wrong.isReadable && wrong.tracks.isEmpty)
    #expect(
      code { _ = try AVMutableMovie(data: Data(), options: nil, error: ()) } != nil)
  }

  @Test func movie_tracks_are_added_edited_and_removed() throws {
    let asset = try makeMovie("a.mov")
    let source = AVMovie(url: asset.url)
    #expect(source.canContainMovieFragments && !source.containsMovieFragments)
    #expect(AVMovie.movieTypes().contains(.mov) && source.defaultMediaDataStorage == nil)
    let movie = try AVMutableMovie(settingsFrom: source, options: nil)
    let frame = try #require(source.tracks(withMediaType: .video).first as? AVMovieTrack)
    #expect(frame.mediaPresentationTimeRange == frame.mediaDecodeTimeRange)
    #expect(frame.alternateGroupID == 0 && frame.mediaDataStorage == nil)
    let track = try #require(
      movie.addMutableTrack(withMediaType: .video, copySettingsFrom: frame))
    #expect(movie.addMutableTrack(withMediaType: .text, copySettingsFrom: nil) == nil)
    try track.insertTimeRange(frames(3, 6), of: frame, at: .zero, copySampleData: false)
    track.preferredTransform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 180, ty: 0)
    track.languageCode = "deu"
    #expect(track.isModified && track.segments.count == 1 && track.extendedLanguageTag == "deu")
    let others = movie.addMutableTracksCopyingSettings(from: [frame])
    #expect(movie.tracks.count == 2 && movie.mutableTrack(compatibleWith: frame) === track)
    others.forEach(movie.removeTrack)
    #expect(movie.tracks == [track] && movie.track(withTrackID: track.trackID) === track)
    track.insertEmptyTimeRange(frames(1, 1))
    track.removeTimeRange(frames(1, 1))
    track.scaleTimeRange(frames(0, 6), toDuration: at(12))
    #expect(movie.duration == at(12))
    movie.scaleTimeRange(frames(0, 12), toDuration: at(6))
    movie.insertEmptyTimeRange(frames(20, 1))
    try movie.writeHeader(to: folder.url("b.mov"), fileType: .mov)
    let written = try #require(AVMovie(url: folder.url("b.mov")).tracks.first)
    #expect(written.preferredTransform == track.preferredTransform)
    #expect(written.languageCode == "deu")
    #expect(try gray(of: AVMovie(url: folder.url("b.mov"))) == Array(gray(of: asset)[3..<9]))
  }
}
