import AVFoundationCompat
import AssetReader
import TestSupport
import Testing

/// Audio alone in `.wav`, `.aiff` and `.caf`, by an asset writer of Apple's names.
@Suite(.timeLimit(.minutes(10)))
struct AudioFileWritingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func settings(bits: Int, isBigEndian: Bool) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: false,
      AVLinearPCMIsBigEndianKey: isBigEndian, AVLinearPCMIsNonInterleaved: false,
    ]
  }

  private static var lossless: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
      AVEncoderBitDepthHintKey: 16,
    ]
  }

  /// One channel of 16-bit samples that differ from their neighbors.
  private static let samples: [UInt8] = {
    var generator = SeededGenerator(seed: 5)
    return (0..<2 * 22_051).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }()

  private func append(to input: AVAssetWriterInput) async throws {
    let format = AudioFormat(sampleRate: 44_100, channelCount: 1, sampleFormat: .int16)
    for first in stride(from: 0, to: Self.samples.count, by: 8192) {
      let bytes = Array(Self.samples[first..<min(first + 8192, Self.samples.count)])
      try await eventually("the input has room") { input.isReadyForMoreMediaData }
      let sample = CMSampleBuffer(
        .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)),
        presentationTimeStamp: CMTime(value: Int64(44_100 + first / 2), timescale: 44_100))
      #expect(input.append(sample))
    }
    input.markAsFinished()
  }

  @Test(arguments: [AVFileType.wav, .aiff, .caf], [false, true])
  func a_file_contains_every_appended_sample(type: AVFileType, isLossless: Bool) async throws {
    guard !isLossless || type == .caf else { return }
    let url = folder.url("note.sound")
    let settings =
      isLossless ? Self.lossless : Self.settings(bits: 16, isBigEndian: type == .aiff)
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    #expect(writer.outputFileType == type && writer.availableMediaTypes == [.audio])
    #expect(writer.canApply(outputSettings: settings, forMediaType: .audio))
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
    #expect(writer.canAdd(input))
    writer.add(input)
    #expect(!writer.canApply(outputSettings: settings, forMediaType: .audio), "one track")
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: CMTime(value: 1, timescale: 1))
    try await append(to: input)
    await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil)
    let reader = try AssetReader(url.path)
    var bytes: [UInt8] = []
    while let sample = try reader.nextSample() {
      bytes += try #require(sample.sampleBuffer.audioBuffer).bytes
    }
    #expect(bytes == Self.samples)
  }

  /// Copies a file's audio as a program without settings for either side does.
  private func copy(_ source: URL, to url: URL, _ type: AVFileType) async throws {
    let reader = try AVAssetReader(asset: AVURLAsset(url: source))
    let track = try #require(reader.asset.tracks(withMediaType: .audio).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    let hint = try #require(track.formatDescriptions.first as? CMFormatDescription)
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    let input = AVAssetWriterInput(
      mediaType: .audio, outputSettings: nil, sourceFormatHint: hint)
    #expect(input.outputSettings == nil && input.sourceFormatHint == hint)
    #expect(reader.canAdd(output) && writer.canAdd(input))
    reader.add(output)
    writer.add(input)
    #expect(reader.startReading() && writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    while let sample = output.copyNextSampleBuffer() {
      try await eventually("the input has room") { input.isReadyForMoreMediaData }
      #expect(input.append(sample))
    }
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
  }

  private func audio(_ url: URL) throws -> (AudioFormat?, [UInt8]) {
    let reader = try AssetReader(url.path)
    var (format, bytes): (AudioFormat?, [UInt8]) = (nil, [])
    while let sample = try reader.nextSample() {
      let buffer = try #require(sample.sampleBuffer.audioBuffer)
      format = buffer.format
      bytes += buffer.bytes
    }
    return (format, bytes)
  }

  @Test(
    arguments: [AudioFormat.SampleFormat.int16, .int24, .int32], [AVFileType.mov, .wav, .aiff])
  func audio_without_settings_is_copied_unchanged(
    depth: AudioFormat.SampleFormat, type: AVFileType
  ) async throws {
    let source = folder.url("source.mov")
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: depth)
    var generator = SeededGenerator(seed: 9)
    let bytes = (0..<30_011 * format.bytesPerFrame).map { _ in
      UInt8(truncatingIfNeeded: generator.next())
    }
    let writer = try AVAssetWriter(outputURL: source, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .audio, outputSettings: nil, sourceFormatHint: .audio(format))
    try #require(writer.canAdd(input))
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    let sample = CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)), presentationTimeStamp: .zero)
    #expect(input.append(sample))
    await writer.finishWriting()
    let url = folder.url("copy.sound")
    try await copy(source, to: url, type)
    let (found, samples) = try audio(url)
    #expect(found == format && samples == bytes)
  }

  @Test func audio_without_settings_is_refused_if_the_file_cannot_store_it() throws {
    func canAdd(_ type: AVFileType, _ input: AVAssetWriterInput) throws -> Bool {
      try AVAssetWriter(outputURL: folder.url("a"), fileType: type).canAdd(input)
    }
    func input(_ depth: AudioFormat.SampleFormat) -> AVAssetWriterInput {
      let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: depth)
      return AVAssetWriterInput(
        mediaType: .audio, outputSettings: nil, sourceFormatHint: .audio(format))
    }
    #expect(try canAdd(.mov, input(.int24)) && canAdd(.caf, input(.int24)))
    #expect(try !canAdd(.mp4, input(.int24)) && !canAdd(.mov, input(.float32)))
    let unknown = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
    #expect(try !canAdd(.mov, unknown))
    let writer = try AVAssetWriter(outputURL: folder.url("a"), fileType: .mov)
    writer.add(unknown)
    #expect((writer.error as? AVError)?.message.contains("sourceFormatHint") == true)
  }

  @Test func unsupported_settings_of_a_file_type_are_refused() throws {
    func error(_ type: AVFileType, _ settings: [String: Any]) throws -> String {
      let writer = try AVAssetWriter(outputURL: folder.url("a"), fileType: type)
      #expect(!writer.canApply(outputSettings: settings, forMediaType: .audio))
      writer.add(AVAssetWriterInput(mediaType: .audio, outputSettings: settings))
      #expect(writer.status == .failed && !writer.startWriting())
      let error = try #require(writer.error as? AVError)
      #expect(error.code == .unsupportedOutputSettings)
      return error.message
    }
    let (little, big) = (
      Self.settings(bits: 24, isBigEndian: false), Self.settings(bits: 24, isBigEndian: true)
    )
    #expect(try error(.wav, big).contains("little-endian"))
    #expect(try error(.mov, big).contains("little-endian"))
    #expect(try error(.aiff, little).contains("big-endian"))
    #expect(try error(.wav, Self.settings(bits: 8, isBigEndian: false)).contains("16, 24 or 32"))
    #expect(try error(.wav, Self.lossless).contains(".caf"))
    let aac = Self.lossless.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 }.filter {
      $0.key != AVEncoderBitDepthHintKey
    }
    #expect(try error(.caf, aac).contains(".m4a"))
    let writer = try AVAssetWriter(outputURL: folder.url("a"), fileType: .wav)
    let frames: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
    ]
    #expect(!writer.canApply(outputSettings: frames, forMediaType: .video))
    #expect(folder.contents.isEmpty)
  }

  @Test func recommended_audio_settings_suit_the_file_type() throws {
    let session = AVCaptureSession()
    let output = AVCaptureAudioDataOutput()
    let tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    session.addInput(try AVCaptureDeviceInput(device: tone))
    session.addOutput(output)
    for type in [AVFileType.mov, .m4a, .wav, .aiff, .caf] {
      let settings = try #require(output.recommendedAudioSettingsForAssetWriter(writingTo: type))
      let writer = try AVAssetWriter(outputURL: folder.url("a"), fileType: type)
      #expect(writer.canApply(outputSettings: settings, forMediaType: .audio))
      #expect(
        settings[AVLinearPCMIsBigEndianKey] as? Bool == (type == .m4a ? nil : type == .aiff))
    }
  }

  @Test func output_settings_keep_the_given_byte_order() throws {
    for isBigEndian in [false, true] {
      let input = AVAssetWriterInput(
        mediaType: .audio, outputSettings: Self.settings(bits: 16, isBigEndian: isBigEndian))
      #expect(input.outputSettings?[AVLinearPCMIsBigEndianKey] as? Bool == isBigEndian)
    }
  }
}
