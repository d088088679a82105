import AVFoundationCompat
import TestSupport
import Testing

/// Cuts and joins: what compositions show, and what becomes of them.
@Suite(.tags(.judges)) struct CompositionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of 20 frames at 25 a second, each of a gray of its own, and a ramp of sound, whose values tell
  /// where they come from.
  private func makeMovie(
    _ name: String, number: Int = 0, size: (Int, Int) = (320, 180), codec: String = "prores_ks",
    sound: Bool = true
  ) throws -> AVURLAsset {
    let first = number * 20
    var line = "-f lavfi -i color=black:s=\(size.0)x\(size.1):r=25,format=yuv422p10le,"
      .split(separator: " ").map(String.init)
    line[3] += "geq=lum=100+\(first)*8+N*8:cb=512:cr=512"
    if sound {
      line += ["-f", "lavfi", "-i", "aevalsrc=(\(first)*1920+n)/65536|-n/65536:s=48000:d=0.8"]
      line += ["-c:a", "pcm_s16le"]
    }
    line += ["-frames:v", "20", "-c:v", codec, "-timecode", "01:00:0\(number):00"]
    if codec == "prores_ks" { line += ["-profile:v", "3"] }
    _ = try Judges.ffmpeg(line + [folder.path(name)])
    return AVURLAsset(url: folder.url(name))
  }

  private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: start, timescale: 25), duration: CMTime(value: count, timescale: 25))
  }

  private func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }

  @discardableResult
  private func export(
    _ asset: AVAsset, to name: String, _ preset: String = AVAssetExportPresetPassthrough,
    range: CMTimeRange? = nil
  ) async throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    if let range { session.timeRange = range }
    try await session.export(to: folder.url(name), as: .mov)
    #expect(session.status == .completed && session.progress == 1)
    return session
  }

  /// A check by a program that decodes every frame and knows nothing of how the movie was made.
  private func verify(_ name: String) throws {
    #expect(try Judges.strictDecode(folder.path(name)) == "")
  }

  /// A movie with chapters besides.
  private func withChapters(_ asset: AVURLAsset) throws -> AVURLAsset {
    let facts = try folder.write(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n", "chapters.txt")
    _ = try Judges.ffmpeg(
      ["-i", asset.url.path, "-i", facts.path, "-map_metadata", "1", "-c", "copy"]
        + [folder.path("chapters.mov")])
    return AVURLAsset(url: folder.url("chapters.mov"))
  }

  /// When frames of a movie are shown, by ffprobe.
  private func shown(_ name: String) throws -> [String] {
    let result = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of",
        "csv=p=0",
      ]
        + [folder.path(name)])
    return String(decoding: result.data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  // MARK: Copying

  @Test func a_join_of_cuts_copies_each_frame_and_each_sample() async throws {
    let (one, two) = (try makeMovie("one.mov"), try makeMovie("two.mov", number: 1))
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(
        withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    let audio = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7))
    #expect(audio.trackID == 7 && composition.track(withTrackID: 7) === audio)
    for (asset, range, start) in [(two, frames(3, 9), at(0)), (one, frames(10, 5), at(9))] {
      let source = try #require(try await asset.loadTracks(withMediaType: .video).first)
      let sound = try #require(try await asset.loadTracks(withMediaType: .audio).first)
      try video.insertTimeRange(range, of: source, at: start)
      try audio.insertTimeRange(range, of: sound, at: start)
    }
    #expect(composition.duration == at(14) && composition.naturalSize.width == 320)
    let session = try await export(composition, to: "joined.mov")
    try verify("joined.mov")
    let (first, second) = (
      try Judges.packetBytes(folder.path("two.mov")), try Judges.packetBytes(folder.path("one.mov"))
    )
    #expect(
      try Judges.packetBytes(folder.path("joined.mov"))
        == Array(first[3..<12] + second[10..<15]))
    let sound = try Judges.decodeAudio(folder.path("joined.mov"))
    let (left, right) = (
      try Judges.decodeAudio(folder.path("two.mov")), try Judges.decodeAudio(folder.path("one.mov"))
    )
    // Two channels in turns, 1920 samples a frame.
    let step = 1920 * 2
    #expect(sound == Array(left[3 * step..<12 * step] + right[10 * step..<15 * step]))
    let stream = try Judges.videoStream(folder.path("joined.mov"))
    #expect(stream["r_frame_rate"] == "25/1" && stream["nb_frames"] == "14")
    #expect(try Judges.timecode(folder.path("joined.mov")) == "01:00:01:03")
    #expect(session.notes.contains { $0.hasPrefix("timecode counts on from 01:00:01:03") })
  }

  @Test func a_trimmed_movie_keeps_frames_timecode_and_what_it_says_of_itself() async throws {
    let asset = try makeMovie("made.mov")
    let writer = AVMutableMetadataItem()
    writer.identifier = .commonIdentifierTitle
    writer.value = "Scene 1" as NSString
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
    session.timeRange = frames(5, 6)
    session.metadata = [writer]
    try await session.export(to: folder.url("short.mov"), as: .mov)
    let frames = try Judges.packetBytes(folder.path("made.mov"))
    #expect(try Judges.packetBytes(folder.path("short.mov")) == Array(frames[5..<11]))
    #expect(try Judges.timecode(folder.path("short.mov")) == "01:00:00:05")
    #expect(session.notes.isEmpty)
    let chaptered = try #require(
      AVAssetExportSession(
        asset: try withChapters(asset), presetName: AVAssetExportPresetAppleProRes422LPCM))
    chaptered.metadata = [writer]
    try await chaptered.export(to: folder.url("encoded.mov"), as: .mov)
    #expect(
      chaptered.notes.contains { $0.contains("(text) dropped") }, "\(chaptered.notes)")
    #expect(
      AVURLAsset(url: folder.url("short.mov")).commonMetadata.contains {
        $0.stringValue == "Scene 1"
      })
  }

  @Test func a_cut_within_frames_shows_a_part_of_them_and_no_frame_more() async throws {
    let asset = try makeMovie("made.mov")
    let quarter = CMTime(value: 1, timescale: 100)
    // From a quarter of frame 2 to three quarters of frame 4.
    let session = try await export(
      asset, to: "cut.mov",
      range: CMTimeRange(start: at(2) + quarter, end: at(4) + quarter + quarter + quarter))
    try verify("cut.mov")
    let frames = try Judges.packetBytes(folder.path("made.mov"))
    #expect(try Judges.packetBytes(folder.path("cut.mov")) == Array(frames[2..<5]))
    let times = try shown("cut.mov")
    #expect(times == ["0.000000", "0.030000", "0.070000"])
    #expect(try await AVURLAsset(url: folder.url("cut.mov")).load(.duration).seconds == 0.1)
    #expect(try Judges.decodeAudio(folder.path("cut.mov")).count == 4800 * 2)
    #expect(session.notes.contains { $0.hasPrefix("timecode dropped") })
  }

  @Test func a_picture_stays_through_a_gap_which_is_told_and_nothing_is_heard() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 4), of: asset, at: .zero)
    try composition.insertTimeRange(frames(4, 4), of: asset, at: .invalid)
    composition.insertEmptyTimeRange(frames(4, 10))
    #expect(composition.duration == at(18))
    let video: AVMutableCompositionTrack = try #require(
      composition.tracks(withMediaType: .video).first)
    #expect(video.segments.map(\.isEmpty) == [false, true, false])
    let session = try await export(composition, to: "gap.mov")
    #expect(
      session.notes.contains { $0.hasPrefix("from 0.16 s to 0.56 s the timeline shows nothing") })
    let times = try shown("gap.mov")
    let expected = [
      "0.000000", "0.040000", "0.080000", "0.120000", "0.560000", "0.600000", "0.640000",
      "0.680000",
    ]
    #expect(times == expected, "\(times)")
    let sound = try Judges.decodeAudio(folder.path("gap.mov"))
    let source = try Judges.decodeAudio(folder.path("made.mov"))
    // Two channels of 1920 samples a frame.
    let (gap, second) = (sound[15_360..<53_760], Array(sound[53_760...]))
    #expect(sound.count == 69_120 && gap.allSatisfy { $0 == 0 })
    #expect(second == Array(source[15_360..<30_720]))
    // The movie is read as its composition is.
    let (own, movies) = (
      try self.times(of: composition),
      try self.times(of: AVURLAsset(url: folder.url("gap.mov")))
    )
    #expect(own == movies, "\(own.map(\.seconds)), \(movies.map(\.seconds))")
  }

  @Test func a_track_that_begins_later_is_shown_later() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    try video.insertTimeRange(frames(4, 3), of: asset.tracks[0], at: at(5))
    let audio = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    try audio.insertTimeRange(frames(0, 8), of: asset.tracks[1], at: .zero)
    try await export(composition, to: "late.mov")
    #expect(try shown("late.mov") == ["0.200000", "0.240000", "0.280000"])
    #expect(try times(of: composition) == times(of: AVURLAsset(url: folder.url("late.mov"))))
  }

  @Test func pictures_that_are_slowed_down_last_longer_and_sound_refuses() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 6), of: asset, at: .zero)
    composition.scaleTimeRange(frames(2, 2), toDuration: at(4))
    #expect(composition.duration == at(8))
    await #expect(throws: AVError.self) {
      try await export(composition, to: "slow.mov")
    }
    let sound: AVCompositionTrack = try #require(
      composition.mutableTrack(compatibleWith: asset.tracks[1]))
    composition.removeTrack(sound)
    try await export(composition, to: "slow.mov")
    let times = try shown("slow.mov")
    #expect(times == ["0.000000", "0.040000", "0.080000", "0.160000", "0.240000", "0.280000"])
  }

  @Test func a_composition_says_how_its_pictures_are_turned() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 2), of: try makeMovie("made.mov"), at: .zero)
    let video = try #require(composition.tracks(withMediaType: .video).first)
    video.preferredTransform = CGAffineTransform(rotationAngle: .pi / 2)
    video.languageCode = "deu"
    video.isEnabled = false
    let session = try await export(composition, to: "turned.mov")
    #expect(session.notes.contains("track 1 is off, and on in the movie"))
    let turned = try #require(AVURLAsset(url: folder.url("turned.mov")).tracks.first)
    #expect(turned.preferredTransform.b == 1 && turned.languageCode == "deu")
  }

  // MARK: Editing

  @Test func a_range_that_is_removed_is_gone_and_the_rest_moves_up() throws {
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
    // A composition can be a source itself.
    let other = AVMutableComposition()
    try other.insertTimeRange(frames(3, 5), of: composition, at: .zero)
    #expect(
      other.tracks[0].segments.map(\.timeMapping.source)
        == [frames(3, 1), frames(7, 3), frames(10, 1)])
  }

  @Test func what_no_track_has_shows_nothing() throws {
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

  /// Any order of edits shows what a list of frames says that is edited in the same way.
  @Test(.tags(.slow), arguments: 0..<(TestRun.isThorough ? 400 : 20) as Range<UInt64>)
  func edits_do_what_a_list_of_frames_does(seed: UInt64) throws {
    let pictures = try Self.pictures.get()
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
          frames(Int64(first), Int64(count)), of: pictures, at: at(Int64(place)))
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

  /// The track of pictures of a movie that all edits take from.
  private static let pictures = Result {
    let folder = try TemporaryFolder()
    let movie = try CompositionTests(folder).makeMovie("made.mov", sound: false)
    let track = movie.tracks[0]
    return withExtendedLifetime(folder) { track }
  }

  private init(_ folder: TemporaryFolder) { self.folder = folder }

  @Test func mistakes_are_errors_and_change_nothing() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    #expect(composition.addMutableTrack(withMediaType: .metadata, preferredTrackID: 0) == nil)
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    let (pictures, sound) = (asset.tracks[0], asset.tracks[1])
    for (range, track, start) in [
      (frames(0, 2), sound, CMTime.zero),
      (frames(0, 2), pictures, .positiveInfinity),
      (frames(0, 2), pictures, at(-1)),
      (CMTimeRange(start: .invalid, duration: at(1)), pictures, .zero),
      (frames(0, -2), pictures, .zero),
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

  // MARK: What cannot be copied

  @Test func frames_that_are_unlike_or_need_others_are_refused_by_name() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 2), of: asset, at: .zero)
    try composition.insertTimeRange(
      frames(0, 2), of: try makeMovie("small.mov", size: (160, 90)), at: .invalid)
    await #expect {
      try await export(composition, to: "out.mov")
    } throws: {
      "\($0)".contains("160x90") && "\($0)".contains("320x180")
    }
    let other = try makeMovie("other.mov", codec: "mpeg4", sound: false)
    #expect(
      !AVAssetExportSession.exportPresets(compatibleWith: other).contains(
        AVAssetExportPresetPassthrough))
    await #expect { try await export(other, to: "out.mov") } throws: { "\($0)".contains("mpeg4") }
    // What exists is not replaced, and a cancelled one leaves nothing.
    await #expect { try await export(asset, to: "made.mov") } throws: {
      ($0 as? AVError)?.code == .fileAlreadyExists
    }
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
    session.outputURL = folder.url("cancelled.mov")
    let task = Task { await session.export() }
    task.cancel()
    await task.value
    #expect([.cancelled, .completed].contains(session.status))
    #expect(folder.contents.contains("cancelled.mov") == (session.status == .completed))
    #expect(!folder.contents.contains("out.mov"))
  }

  @Test func clips_of_other_codecs_are_joined_by_encoding() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(
      frames(2, 5), of: try makeMovie("a.mov", codec: "mpeg4"), at: .zero)
    try composition.insertTimeRange(
      frames(1, 4), of: try makeMovie("b.mov", number: 1), at: .invalid)
    try await export(composition, to: "joined.mov", AVAssetExportPresetAppleProRes422LPCM)
    try verify("joined.mov")
    let stream = try Judges.videoStream(folder.path("joined.mov"))
    #expect(stream["codec_tag_string"] == "apcn" && stream["nb_frames"] == "9")
    let luma = try gray(of: AVURLAsset(url: folder.url("joined.mov")))
    let wanted = [2, 3, 4, 5, 6, 21, 22, 23, 24].map { 100 + $0 * 8 }
    #expect(zip(luma, wanted).allSatisfy { abs(Int($0) - $1) <= 4 } && luma.count == wanted.count)
    #expect(
      try Judges.decodeAudio(folder.path("joined.mov")).count == 9 * 3840)
  }

  // MARK: Reading

  private func reading(_ asset: AVAsset, _ type: AVMediaType) throws -> [CMSampleBuffer] {
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: type).first)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: type == .video ? [:] : nil)
    try #require(reader.canAdd(output))
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    #expect(reader.status == .completed)
    return samples
  }

  private func times(of asset: AVAsset) throws -> [CMTime] {
    try reading(asset, .video).map(\.presentationTimeStamp)
  }

  private func gray(of asset: AVAsset) throws -> [UInt16] {
    try reading(asset, .video).map { sample in
      let picture = try #require(CMSampleBufferGetImageBuffer(sample))
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, 0))
      return base.loadUnaligned(as: UInt16.self)
    }
  }

  @Test func a_composition_is_read_as_a_movie_of_it_is() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(3, 4), of: try makeMovie("a.mov"), at: .zero)
    try composition.insertTimeRange(
      frames(10, 6), of: try makeMovie("b.mov", number: 1), at: .invalid)
    let (duration, tracks) = try await composition.load(.duration, .tracks)
    #expect(duration == at(10) && tracks.count == 2 && composition.isComposable)
    #expect(composition.statusOfValue(forKey: "tracks") == .loaded)
    try await export(composition, to: "movie.mov")
    let movie = AVURLAsset(url: folder.url("movie.mov"))
    #expect(try gray(of: composition) == gray(of: movie))
    #expect(try times(of: composition) == (0..<10).map { at($0) })
    func bytes(_ asset: AVAsset) throws -> [UInt8] {
      try reading(asset, .audio).flatMap { $0.audioBuffer.map { Array($0.bytes) } ?? [] }
    }
    #expect(try bytes(composition) == bytes(movie))
    // Pictures of the times at which the composition shows them.
    for asset in [composition, movie] as [AVAsset] {
      let made = try await AVAssetImageGenerator(asset: asset).image(at: at(7))
      #expect(made.actualTime == at(7))
    }
  }

  @Test func sound_of_containers_that_count_milliseconds_is_not_cut_up() async throws {
    _ = try makeMovie("made.mov")
    _ = try Judges.ffmpeg(
      ["-i", folder.path("made.mov"), "-vn", "-c:a", "pcm_s16le", folder.path("sound.mka")])
    let source = AVURLAsset(url: folder.url("sound.mka"))
    let sound = try #require(try await source.loadTracks(withMediaType: .audio).first)
    let wanted = try Judges.decodeAudio(folder.path("made.mov"))
    for mix in [nil, AVMutableAudioMix()] {
      let composition = AVMutableComposition()
      let track = try #require(
        composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
      try track.insertTimeRange(frames(0, 10), of: sound, at: .zero)
      // Behind 90 samples of silence, which are the composition's.
      let place = CMTime(value: 19_290, timescale: 48_000)
      try track.insertTimeRange(frames(10, 6), of: sound, at: place)
      let name = mix == nil ? "copied.mov" : "mixed.mov"
      let preset =
        mix == nil ? AVAssetExportPresetPassthrough : AVAssetExportPresetAppleProRes422LPCM
      let session = try #require(AVAssetExportSession(asset: composition, presetName: preset))
      session.audioMix = mix
      try await session.export(to: folder.url(name), as: .mov)
      let found = try Judges.decodeAudio(folder.path(name))
      let silence = [Int32](repeating: 0, count: 180)
      let whole = Array(wanted[..<38_400]) + silence + Array(wanted[38_400..<61_440])
      // Where the last packet begins is known to half a millisecond: 24 frames of two channels.
      let isSame = found.prefix(whole.count - 48).elementsEqual(whole.prefix(whole.count - 48))
      #expect(isSame && found.count >= whole.count - 48 && found.count <= whole.count, "\(name)")
    }
  }

  @Test func compressed_sound_is_decoded_to_the_sample_and_told() async throws {
    _ = try makeMovie("made.mov")
    _ = try Judges.ffmpeg(
      ["-i", folder.path("made.mov"), "-c:v", "copy", "-c:a", "aac", folder.path("aac.mov")])
    let asset = AVURLAsset(url: folder.url("aac.mov"))
    let session = try await export(asset, to: "out.mov", range: frames(5, 10))
    #expect(session.notes.contains { $0.hasPrefix("aac sound is decoded") })
    let all = try Judges.decodeAudio(folder.path("aac.mov"))
    let part = try Judges.decodeAudio(folder.path("out.mov"))
    #expect(part.count == 10 * 3840)
    // Decoders differ by a unit of 24 bits, in 32 here.
    let worst = zip(part, all[5 * 3840..<15 * 3840]).map { abs(Int64($0) - Int64($1)) }.max()
    #expect(try #require(worst) <= 1 << 9)
  }
}
