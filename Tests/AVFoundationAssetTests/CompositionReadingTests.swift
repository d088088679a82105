import AVFoundationCompat
import TestSupport
import Testing

/// What a composition delivers to a reader, and audio that no reader may change.
@Suite(.tags(.judges)) struct CompositionReadingTests: CompositionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_composition_reads_like_its_exported_movie() async throws {
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
    // Images at the times of the composition.
    for asset in [composition, movie] as [AVAsset] {
      let made = try await AVAssetImageGenerator(asset: asset).image(at: at(7))
      #expect(made.actualTime == at(7))
    }
  }

  @Test func only_quarter_turns_and_mirroring_are_applied_to_images() async throws {
    _ = try Judges.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:s=320x180:r=25,format=yuv422p10le,"
        + "geq=lum=if(lt(X\\,160)*lt(Y\\,90)\\,900\\,100):cb=512:cr=512",
      "-frames:v", "2", "-c:v", "prores_ks", folder.path("corner.mov"),
    ])
    let composition = AVMutableComposition()
    let source = AVURLAsset(url: folder.url("corner.mov"))
    try composition.insertTimeRange(frames(0, 2), of: source, at: .zero)
    let track = try #require(composition.tracks.first as? AVMutableCompositionTrack)
    let generator = AVAssetImageGenerator(asset: composition)
    generator.appliesPreferredTrackTransform = true
    let mirror = CGAffineTransform(scaleX: -1, y: 1)
    // Where the bright corner goes: left or right, top or bottom.
    let turns: [(CGAffineTransform, right: Bool, bottom: Bool)] = [
      (.identity, false, false), (CGAffineTransform(rotationAngle: .pi / 2), true, false),
      (CGAffineTransform(rotationAngle: .pi), true, true),
      (CGAffineTransform(rotationAngle: -.pi / 2), false, true), (mirror, true, false),
      (CGAffineTransform(rotationAngle: .pi / 2).concatenating(mirror), false, false),
      (CGAffineTransform(rotationAngle: .pi).concatenating(mirror), false, true),
    ]
    for (transform, right, bottom) in turns {
      track.preferredTransform = transform
      let image = try generator.copyCGImage(at: .zero, actualTime: nil)
      let isUpright = transform.a.magnitude > 0.5
      #expect(image.width == (isUpright ? 320 : 180) && image.height == (isUpright ? 180 : 320))
      for (row, column) in [(false, false), (false, true), (true, false), (true, true)] {
        let level = image.image[
          row ? image.height - 20 : 20, column ? image.width - 20 : 20, 0]
        #expect((level > 0.5) == (row == bottom && column == right), "\(transform)")
      }
    }
    for transform in [
      CGAffineTransform(rotationAngle: 0.3), CGAffineTransform(scaleX: 2, y: 2),
      CGAffineTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0),
      CGAffineTransform(a: 1e300, b: -.infinity, c: 0, d: 1, tx: 0, ty: 0),
      CGAffineTransform(a: 1, b: 1, c: 0, d: 1, tx: 0, ty: 0),
      CGAffineTransform(a: 1, b: 0, c: 0, d: 0, tx: 0, ty: 0),
    ] {
      track.preferredTransform = transform
      #expect {
        try generator.copyCGImage(at: .zero, actualTime: nil)
      } throws: { ($0 as? AVError)?.code == .operationNotSupportedForAsset }
    }
  }

  @Test func audio_from_millisecond_containers_stays_continuous() async throws {
    _ = try makeMovie("made.mov")
    _ = try Judges.ffmpeg(
      ["-i", folder.path("made.mov"), "-vn", "-c:a", "pcm_s16le", folder.path("sound.mka")])
    let source = AVURLAsset(url: folder.url("sound.mka"))
    let audio = try #require(try await source.loadTracks(withMediaType: .audio).first)
    let wanted = try Judges.decodeAudio(folder.path("made.mov"))
    for mix in [nil, AVMutableAudioMix()] {
      let composition = AVMutableComposition()
      let track = try #require(
        composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
      try track.insertTimeRange(frames(0, 10), of: audio, at: .zero)
      // After the composition's own 90 samples of silence.
      let place = CMTime(value: 19_290, timescale: 48_000)
      try track.insertTimeRange(frames(10, 6), of: audio, at: place)
      let name = mix == nil ? "copied.mov" : "mixed.mov"
      let preset =
        mix == nil ? AVAssetExportPresetPassthrough : AVAssetExportPresetAppleProRes422LPCM
      let session = try #require(AVAssetExportSession(asset: composition, presetName: preset))
      session.audioMix = mix
      try await session.export(to: folder.url(name), as: .mov)
      let found = try Judges.decodeAudio(folder.path(name))
      let silence = [Int32](repeating: 0, count: 180)
      let whole = Array(wanted[..<38_400]) + silence + Array(wanted[38_400..<61_440])
      // The start of the last packet is known to half a millisecond: 24 frames of two channels.
      let isSame = found.prefix(whole.count - 48).elementsEqual(whole.prefix(whole.count - 48))
      #expect(isSame && found.count >= whole.count - 48 && found.count <= whole.count, "\(name)")
    }
  }

  @Test func compressed_audio_is_decoded_sample_accurately_with_a_note() async throws {
    _ = try makeMovie("made.mov")
    _ = try Judges.ffmpeg(
      ["-i", folder.path("made.mov"), "-c:v", "copy", "-c:a", "aac", folder.path("aac.mov")])
    let asset = AVURLAsset(url: folder.url("aac.mov"))
    let session = try await export(asset, to: "out.mov", range: frames(5, 10))
    #expect(session.notes.contains { $0.hasPrefix("aac audio is decoded") })
    let all = try Judges.decodeAudio(folder.path("aac.mov"))
    let part = try Judges.decodeAudio(folder.path("out.mov"))
    #expect(part.count == 10 * 3840)
    // Decoders differ by one unit of 24 bits, here in 32.
    let worst = zip(part, all[5 * 3840..<15 * 3840]).map { abs(Int64($0) - Int64($1)) }.max()
    #expect(try #require(worst) <= 1 << 9)
  }
}
