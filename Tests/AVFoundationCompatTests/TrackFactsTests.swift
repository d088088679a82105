import AVFoundationCompat
import TestSupport
import Testing

/// What a program sets on a track before writing it.
@Suite struct TrackFactsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func item(_ identifier: AVMetadataIdentifier, _ value: Any) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = identifier
    item.value = value
    return item
  }

  private let audioSettings: [String: Any] = [
    AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
    AVLinearPCMBitDepthKey: 16,
  ]

  private func frame() throws -> CMSampleBuffer {
    CMSampleBuffer(
      .video(try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()),
      presentationTimeStamp: .zero)
  }

  @Test func a_title_becomes_the_track_name() async throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    let (writer, input) = (small.writer, small.input)
    #expect(input.metadata.isEmpty)
    input.expectsMediaDataInRealTime = true
    input.metadata = [item(.commonIdentifierTitle, "Camera B")]
    #expect(input.metadata.map(\.stringValue) == ["Camera B"])
    #expect(input.metadata.first?.commonKey == .commonKeyTitle)
    #expect(input.expectsMediaDataInRealTime && writer.error == nil)
    let audio = AVAssetWriterInput(mediaType: .audio, outputSettings: audioSettings)
    audio.metadata = [item(.quickTimeMetadataTitle, "Boom")]
    writer.add(audio)
    small.begin()
    #expect(input.append(try frame()))
    let format = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    let silence = try MediaCore.AudioBuffer(
      format: format, bytes: [UInt8](repeating: 0, count: 3840))
    #expect(audio.append(CMSampleBuffer(.audio(silence), presentationTimeStamp: .zero)))
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let tracks = try MovieIndex(path: folder.path("a.mov")).tracks
    #expect(Set(tracks.map(\.name)).isSuperset(of: ["Camera B", "Boom"]), "\(tracks.map(\.name))")
  }

  @Test func a_track_name_can_be_removed() async throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.input.metadata = [item(.commonIdentifierTitle, "Camera B")]
    small.input.metadata = []
    #expect(small.input.metadata.isEmpty)
    small.begin()
    #expect(small.input.append(try frame()))
    await small.writer.finishWriting()
    #expect(try MovieIndex(path: folder.path("a.mov")).tracks.allSatisfy { $0.name.isEmpty })
  }

  @Test func a_track_stores_its_language() async throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    #expect(small.input.languageCode == nil)
    small.input.languageCode = "deu"
    small.input.metadata = [item(.commonIdentifierTitle, "Kamera")]
    #expect(small.input.languageCode == "deu" && small.input.metadata.count == 1)
    small.begin()
    #expect(small.input.append(try frame()))
    await small.writer.finishWriting()
    let url = folder.url("a.mov")
    let track = try #require(AVURLAsset(url: url).tracks(withMediaType: .video).first)
    // libavformat has the older code for the same language.
    #expect(["deu", "ger"].contains(track.languageCode))
    #expect(try MovieIndex(path: url.path).tracks.contains { $0.name == "Kamera" })
  }

  @Test func an_invalid_language_code_is_refused_until_corrected() throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.input.languageCode = "deu"
    for code in ["de", "DEU", "de-DE", ""] {
      small.input.languageCode = code
      #expect(small.input.languageCode == "deu")
    }
    small.input.languageCode = nil
    small.begin()
    #expect(small.input.languageCode == nil && small.writer.error == nil)
    #expect(small.input.append(try frame()))
  }

  @Test func a_refused_property_fails_the_next_append() throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.input.languageCode = "de-DE"
    small.begin()
    for _ in 0..<2 {
      #expect((small.writer.error as? AVError)?.message.contains("ISO 639-2") == true)
      small.input.requestMediaDataWhenReady(on: DispatchQueue(label: "idle")) {}
    }
    #expect(!small.input.append(try frame()))
    #expect((small.writer.error as? AVError)?.message.contains("ISO 639-2") == true)
    #expect(small.input.append(try frame()) && small.writer.error == nil)
    // Nil is already the value.
    small.input.languageCode = nil
    #expect(small.writer.error == nil)
    small.input.languageCode = "eng"
    #expect(small.input.languageCode == nil)
    #expect((small.writer.error as? AVError)?.message.contains("before the input is used") == true)
  }

  @Test func unsupported_track_metadata_can_be_corrected() async throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.input.metadata = [item(.quickTimeMetadataMake, "Maker")]
    small.input.metadata = [item(.commonIdentifierTitle, "Camera B")]
    #expect(small.input.metadata.count == 1)
    small.begin()
    #expect(small.input.append(try frame()))
    await small.writer.finishWriting()
    #expect(small.writer.status == .completed, "\(String(describing: small.writer.error))")
    let again = try SmallWriter(to: folder.url("b.mov"))
    again.input.metadata = [item(.quickTimeMetadataMake, "Maker")]
    again.input.metadata = []
    again.begin()
    #expect(again.writer.status == .writing && again.writer.error == nil)
  }

  @Test func unsupported_track_metadata_makes_the_writer_fail() throws {
    for (bad, word) in [
      (item(.quickTimeMetadataMake, "Maker"), "com.apple.quicktime.make"),
      (item(.commonIdentifierTitle, 7), "title"), (item(.init("id3/TIT2"), "x"), "id3/TIT2"),
    ] {
      let small = try SmallWriter(to: folder.url("bad.mov"))
      small.input.metadata = [bad]
      small.writer.add(small.input)
      #expect(small.writer.status == .failed)
      #expect(
        (small.writer.error as? AVError)?.message.contains(word) == true,
        "\(String(describing: small.writer.error))")
    }
  }

  @Test func metadata_set_after_adding_the_input_is_refused() throws {
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.writer.add(small.input)
    small.input.metadata = [item(.commonIdentifierTitle, "Late")]
    #expect(small.input.metadata.isEmpty)
    #expect((small.writer.error as? AVError)?.code == .operationNotAllowed)
    small.input.metadata = [item(.quickTimeMetadataMake, "Maker")]
    #expect((small.writer.error as? AVError)?.message.contains("com.apple.quicktime.make") == true)
    small.input.metadata = []
    #expect(small.writer.status != .failed && small.writer.error == nil)
  }

  @Test func an_input_with_typed_settings_refuses_separate_track_facts() throws {
    let settings = VideoOutputSettings(codec: .proRes422, width: 64, height: 48)
    let input = AVAssetWriterInput(AssetWriterInput(outputSettings: settings))
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    for change in [
      { input.languageCode = "deu" }, { input.metadata = [item(.commonIdentifierTitle, "B")] },
    ] {
      change()
      #expect(input.languageCode == nil && input.metadata.isEmpty)
    }
    writer.add(input)
    #expect(
      (writer.error as? AVError)?.message.contains("settings that the input was made with") == true)
  }

  @Test func a_tracks_natural_size_must_match_its_frames() throws {
    let none = CGSize(width: 0, height: 0)
    let small = try SmallWriter(to: folder.url("a.mov"))
    small.writer.add(small.input)
    #expect(small.input.naturalSize == none)
    small.input.naturalSize = CGSize(width: 64, height: 48)
    #expect(small.input.naturalSize == CGSize(width: 64, height: 48) && small.writer.error == nil)
    small.input.naturalSize = CGSize(width: 32, height: 24)
    #expect(small.input.naturalSize == CGSize(width: 64, height: 48))
    #expect((small.writer.error as? AVError)?.code == .operationNotAllowed)
    small.input.naturalSize = none
    #expect(small.input.naturalSize == none)
    let wide = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
        AVVideoPixelAspectRatioKey: [
          AVVideoPixelAspectRatioHorizontalSpacingKey: 4,
          AVVideoPixelAspectRatioVerticalSpacingKey: 3,
        ],
      ])
    wide.naturalSize = CGSize(width: 85, height: 48)
    #expect(wide.naturalSize == CGSize(width: 85, height: 48))
  }
}
