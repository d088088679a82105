import AVFoundationCompat
import TestSupport
import Testing

/// What edits of a composition do to its tracks.
@Suite(.tags(.judges)) struct CompositionEditingTests: CompositionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func removing_a_range_moves_the_rest_up() throws {
    let (one, two) = (try makeMovie("one.mov"), try makeMovie("two.mov", number: 1))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 20), of: one, at: .zero)
    try composition.insertTimeRange(frames(5, 5), of: two, at: at(10))
    composition.removeTimeRange(frames(4, 8))
    let video = try #require(composition.tracks(withMediaType: .video).first)
    let segments = video.segments.compactMap { $0 as? AVCompositionTrackSegment }
    #expect(segments.map { $0.sourceURL?.lastPathComponent } == ["one.mov", "two.mov", "one.mov"])
    #expect(
      segments.map(\.timeMapping.source) == [frames(0, 4), frames(7, 3), frames(10, 10)])
    #expect(
      segments.map(\.timeMapping.target) == [frames(0, 4), frames(4, 3), frames(7, 10)])
    #expect(video.segment(forTrackTime: at(5))?.sourceTrackID == 1)
    #expect(composition.mutableTrack(compatibleWith: one.tracks[0]) === video)
    // A composition may itself be a source.
    let other = AVMutableComposition()
    try other.insertTimeRange(frames(3, 5), of: composition, at: .zero)
    #expect(
      other.tracks[0].segments.map(\.timeMapping.source)
        == [frames(3, 1), frames(7, 3), frames(10, 1)])
  }

  @Test func times_without_media_become_empty_segments() throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
    #expect(
      video.segments.isEmpty && video.timeRange.duration == .zero && video.naturalSize.width == 0)
    try video.insertTimeRange(frames(15, 10), of: asset.tracks[0], at: at(2))
    #expect(video.segments.map(\.isEmpty) == [true, false, true])
    #expect(video.timeRange == frames(0, 12))
  }

  /// After any sequence of edits, a composition shows what a list of frames edited in the same way
  /// has.
  @Test(.tags(.slow), arguments: 0..<(TestRun.isThorough ? 400 : 20) as Range<UInt64>)
  func edits_match_a_list_of_frames_edited_the_same_way(seed: UInt64) throws {
    let images = try Self.frames.get()
    var random = SeededGenerator(seed: seed)
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    var list: [Int?] = []
    for _ in 0..<30 {
      let (first, count) = (
        Int.random(in: 0..<20, using: &random), Int.random(in: 1..<8, using: &random)
      )
      let place = Int.random(in: 0...(list.count + 2), using: &random)
      let range = frames(Int64(place), Int64(count))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        try video.insertTimeRange(
          frames(Int64(first), Int64(count)), of: images, at: at(Int64(place)))
        if place > list.count { list += Array(repeating: nil, count: place - list.count) }
        list.insert(contentsOf: (first..<first + count).map { $0 < 20 ? $0 : nil }, at: place)
      case 1:
        video.removeTimeRange(range)
        if place < list.count { list.removeSubrange(place..<min(place + count, list.count)) }
      default:
        video.insertEmptyTimeRange(range)
        if place < list.count {
          list.insert(contentsOf: [Int?](repeating: nil, count: count), at: place)
        }
      }
      #expect(video.timeRange.duration == at(Int64(list.count)))
    }
    for (place, frame) in list.enumerated() {
      let segment = try #require(video.segment(forTrackTime: at(Int64(place))))
      let mapping = segment.timeMapping
      let shown =
        segment.isEmpty ? nil : mapping.source.start + (at(Int64(place)) - mapping.target.start)
      #expect(shown == frame.map { at(Int64($0)) })
    }
  }

  /// The movie's video track, which is the source of all edits.
  private static let frames = Result {
    let folder = try TemporaryFolder()
    let movie = try CompositionEditingTests(folder).makeMovie("made.mov", audio: false)
    let track = movie.tracks[0]
    return withExtendedLifetime(folder) { track }
  }

  private init(_ folder: TemporaryFolder) { self.folder = folder }

  @Test func invalid_composition_edits_throw_and_change_nothing() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    #expect(composition.addMutableTrack(withMediaType: .metadata, preferredTrackID: 0) == nil)
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    let (images, audio) = (asset.tracks[0], asset.tracks[1])
    for (range, track, start) in [
      (frames(0, 2), audio, CMTime.zero),
      (frames(0, 2), images, .positiveInfinity),
      (frames(0, 2), images, at(-1)),
      (CMTimeRange(start: .invalid, duration: at(1)), images, .zero),
      (frames(0, -2), images, .zero),
    ] {
      #expect(throws: AVError.self) { try video.insertTimeRange(range, of: track, at: start) }
    }
    #expect(throws: AVError.self) {
      try composition.insertTimeRange(
        frames(0, 2), of: AVURLAsset(url: folder.url("none.mov")), at: .zero)
    }
    for start in [at(-1), CMTime.positiveInfinity] {
      let empty = AVMutableComposition()
      #expect(throws: AVError.self) {
        try empty.insertTimeRange(frames(0, 2), of: asset, at: start)
      }
      #expect(empty.tracks.isEmpty)
    }
    video.removeTimeRange(frames(0, 5))
    video.scaleTimeRange(frames(0, 5), toDuration: .invalid)
    video.insertEmptyTimeRange(CMTimeRange(start: .invalid, duration: .invalid))
    #expect(video.segments.isEmpty)
    await #expect(throws: AVError.self) { try await export(composition, to: "empty.mov") }
    #expect(throws: AVError.self) {
      try AVAssetImageGenerator(asset: composition).copyCGImage(at: .zero, actualTime: nil)
    }
    #expect(folder.contents == ["made.mov"])
  }
}
