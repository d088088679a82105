import AVFoundationCompat
import TestSupport
import Testing

/// Descriptions and samples that programs make from numbers, and the keys and codes that they
/// compare.
@Suite struct FormatKeyTests {
  private static let format = AudioFormat(
    sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)

  private func sample(frames: Int) throws -> CMSampleBuffer {
    let bytes = (0..<frames * 4).map { UInt8(truncatingIfNeeded: $0 * 7) }
    return CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: Self.format, bytes: bytes)),
      presentationTimeStamp: CMTime(value: 1, timescale: 1))
  }

  @Test func audio_descriptions_are_created_from_stream_descriptions() throws {
    let whole = CMFormatDescription.audio(Self.format)
    let numbers = try #require(whole.audioStreamBasicDescription)
    let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
    let extensions: CMFormatDescription.Extensions = [:]
    #expect(try CMFormatDescription(audioStreamBasicDescription: numbers) == whole)
    #expect(
      try CMFormatDescription(
        audioStreamBasicDescription: numbers, layout: layout, magicCookie: nil,
        extensions: extensions) == whole)
    #expect(layout.numberOfChannels == 2 && layout.tag == kAudioChannelLayoutTag_Stereo)
    #expect(whole.audioChannelLayout?.numberOfChannels == nil)
    var compressed = numbers
    compressed.mFormatID = kAudioFormatMPEG4AAC
    let error = #expect(throws: AVError.self) {
      try CMFormatDescription(audioStreamBasicDescription: compressed)
    }
    #expect(error?.code == .formatUnsupported)
    let named = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(named.channelCount == 2 && named.layoutTag == kAudioChannelLayoutTag_Stereo)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
  }

  @Test func an_audio_sample_buffer_is_created_from_a_block_buffer() throws {
    let whole = try sample(frames: 5)
    let (block, time) = (try #require(whole.dataBuffer), whole.presentationTimeStamp)
    let timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 48_000), presentationTimeStamp: time,
      decodeTimeStamp: .invalid)
    let made = try CMSampleBuffer(
      dataBuffer: block, formatDescription: whole.formatDescription, numSamples: 5,
      sampleTimings: [timing], sampleSizes: [4])
    #expect(made.numSamples == 5 && made.presentationTimeStamp == time)
    #expect(made.audioBuffer?.bytes == whole.audioBuffer?.bytes)
    func status(
      _ block: CMBlockBuffer?, _ count: Int, _ timings: [CMSampleTimingInfo]
    ) -> OSStatus? {
      let error = #expect(throws: CMSampleBuffer.Error.self) {
        try CMSampleBuffer(
          dataBuffer: block, formatDescription: whole.formatDescription, numSamples: count,
          sampleTimings: timings, sampleSizes: [])
      }
      return error?.status
    }
    #expect(status(nil, 5, [timing]) == kCMSampleBufferError_RequiredParameterMissing)
    #expect(status(block, 4, [timing]) == kCMSampleBufferError_InvalidEntryCount)
    #expect(status(block, 5, []) == kCMSampleBufferError_ArrayTooSmall)
  }

  @Test func single_sample_buffers_contain_one_frame_each() throws {
    let whole = try sample(frames: 3)
    let parts: CMSampleBuffer.SingleSampleBuffers = try whole.singleSampleBuffers()
    let frames = Array(parts)
    #expect(frames.map(\.numSamples) == [1, 1, 1])
    #expect(frames.flatMap { $0.audioBuffer?.bytes ?? [] } == whole.audioBuffer?.bytes)
    #expect(
      frames.map(\.presentationTimeStamp)
        == (48_000..<48_003).map { CMTime(value: Int64($0), timescale: 48_000) })
    #expect(frames[2].duration == CMTime(value: 1, timescale: 48_000))
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    let shown = CMSampleBuffer(.video(frame), presentationTimeStamp: .zero)
    let images = try Array(shown.singleSampleBuffers())
    #expect(images.count == 1 && images[0].imageBuffer === frame)
  }

  @Test func the_pixel_aspect_ratio_is_read_by_its_keys() throws {
    let details = PixelBuffer.Description(
      format: .uyvy, width: 720, height: 576, pixelAspectRatio: PixelAspectRatio(16, 15))
    let description = CMFormatDescription.video(VideoFormatDescription(details))
    let value = CMFormatDescriptionGetExtension(
      description, extensionKey: kCMFormatDescriptionExtension_PixelAspectRatio)
    let shape = try #require(value as? [String: Int])
    #expect(shape[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing] == 16)
    #expect(shape[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing] == 15)
    for key in [
      kCMFormatDescriptionExtension_CleanAperture, kCMFormatDescriptionExtension_FormatName,
      kCMFormatDescriptionExtension_Depth, kCMFormatDescriptionExtension_ContentLightLevelInfo,
      kCMFormatDescriptionExtension_MasteringDisplayColorVolume,
      kCMFormatDescriptionExtension_ChromaLocationTopField,
      kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms,
    ] { #expect(CMFormatDescriptionGetExtension(description, extensionKey: key) == nil) }
    #expect(
      [
        kCMFormatDescriptionKey_CleanApertureWidth, kCMFormatDescriptionKey_CleanApertureHeight,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
        kCMFormatDescriptionKey_CleanApertureVerticalOffset,
      ] == ["Width", "Height", "HorizontalOffset", "VerticalOffset"])
  }

  @Test func format_codes_have_apples_values() throws {
    let code: CMTimeCodeFormatType = kCMTimeCodeFormatType_TimeCode32
    #expect(CMFormatDescription.MediaSubType.timeCode32.rawValue == code)
    #expect(CMFormatDescription.MediaSubType.timeCode64.description.contains("tc64"))
    #expect(kCMTimeCodeFormatType_TimeCode64 == 0x7463_3634)
    #expect(kCMTimeCodeFlag_DropFrame == 1 && kCMTimeCodeFlag_24HourMax == 2)
    #expect(kLinearPCMFormatFlagIsFloat == 1 && kLinearPCMFormatFlagIsBigEndian == 2)
    #expect(kLinearPCMFormatFlagIsSignedInteger == 4 && kLinearPCMFormatFlagIsPacked == 8)
    #expect(kLinearPCMFormatFlagIsNonInterleaved == 32)
    #expect(kCMMetadataBaseDataType_UTF8 == "com.apple.metadata.datatype.UTF-8")
    for layout in [
      kCVPixelFormatType_16VersatileBayer, kCVPixelFormatType_96VersatileBayerPacked12,
    ] {
      var frame: CVPixelBuffer?
      #expect(
        CVPixelBufferCreate(nil, 64, 48, layout, nil, &frame) == kCVReturnInvalidPixelFormat)
    }
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    #expect(CVImageBufferGetColorSpace(frame) == nil)
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    CVBufferSetAttachment(frame, kCVImageBufferCGColorSpaceKey, space, .shouldPropagate)
    #expect(CVImageBufferGetColorSpace(frame)?.takeUnretainedValue() === space)
  }

  @Test func an_asset_offers_unused_track_ids_and_metadata_by_format() async throws {
    let item = AVMutableMetadataItem()
    item.locale = Locale(identifier: "de_DE")
    #expect(item.locale?.identifier == "de_DE" && AVMutableMetadataItem().locale == nil)
    let rig = try ReadingRig()
    let asset = try await rig.makeMovie(metadata: [
      ReadingRig.item(.commonIdentifierTitle, "Scene 1")
    ])
    #expect(asset.unusedTrackID() == 3 && AVMutableComposition().unusedTrackID() == 1)
    let found = try await asset.loadMetadata(for: .quickTimeMetadata)
    #expect(found.contains { $0.stringValue == "Scene 1" })
    let none = AVURLAsset(url: rig.folder.url("none.mov"))
    await #expect(throws: AVError.self) { try await none.loadMetadata(for: .quickTimeMetadata) }
  }
}
