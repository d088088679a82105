import AVFoundationCompat
import Testing

/// Timing of samples, and descriptions that programs make.
@Suite struct TimingTests {
  private func frame() throws -> CVPixelBuffer {
    var frame: CVPixelBuffer?
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, nil, &frame)
    #expect(status == kCVReturnSuccess)
    return try #require(frame)
  }

  private func sample() throws -> CMSampleBuffer {
    CMSampleBuffer(
      .video(try frame()), presentationTimeStamp: CMTimeMake(value: 10, timescale: 25),
      duration: CMTimeMake(value: 1, timescale: 25))
  }

  @Test func a_retimed_copy_shares_the_image_buffer() throws {
    let original = try sample()
    var timing = CMSampleTimingInfo()
    #expect(
      CMSampleBufferGetSampleTimingInfo(original, at: 0, timingInfoOut: &timing) == noErr)
    #expect(timing.presentationTimeStamp == CMTimeMake(value: 10, timescale: 25))
    #expect(timing.duration == CMTimeMake(value: 1, timescale: 25))
    timing.presentationTimeStamp = CMTimeMake(value: 3, timescale: 25)
    timing.duration = .invalid
    var copy: CMSampleBuffer?
    let status: OSStatus = CMSampleBufferCreateCopyWithNewTiming(
      allocator: kCFAllocatorDefault, sampleBuffer: original, sampleTimingEntryCount: 1,
      sampleTimingArray: &timing, sampleBufferOut: &copy)
    let retimed = try #require(copy)
    #expect(status == noErr && retimed.imageBuffer === original.imageBuffer)
    #expect(retimed.presentationTimeStamp == CMTimeMake(value: 3, timescale: 25))
    #expect(!retimed.duration.isValid)
    let other = try CMSampleBuffer(copying: original, withNewTiming: [timing])
    CMSetAttachment(other, key: "Take", value: 2, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    #expect(CMGetAttachment(original, key: "Take", attachmentModeOut: nil) == nil)
    #expect(try other.sampleTimingInfos() == retimed.sampleTimingInfos())
    #expect(try other.sampleTimingInfo(at: 0).presentationTimeStamp == timing.presentationTimeStamp)
    #expect(throws: AVError.self) { try other.sampleTimingInfo(at: 1) }
  }

  @Test func timing_entries_must_match_the_sample_count() throws {
    let original = try sample()
    var timing = [CMSampleTimingInfo](repeating: kCMTimingInfoInvalid, count: 2)
    var copy: CMSampleBuffer? = original
    #expect(
      CMSampleBufferCreateCopyWithNewTiming(
        allocator: nil, sampleBuffer: original, sampleTimingEntryCount: 2,
        sampleTimingArray: timing, sampleBufferOut: &copy) == kCMSampleBufferError_ArrayTooSmall)
    #expect(copy == nil)
    #expect(throws: AVError.self) {
      _ = try CMSampleBuffer(copying: original, withNewTiming: [])
    }
    #expect(
      CMSampleBufferGetSampleTimingInfo(original, at: 1, timingInfoOut: &timing[0])
        == kCMSampleBufferError_ArrayTooSmall)
    var needed: CMItemCount = 0
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(
        original, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed) == noErr)
    #expect(needed == 1)
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(
        original, entryCount: 0, arrayToFill: &timing, entriesNeededOut: nil)
        == kCMSampleBufferError_ArrayTooSmall)
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(
        original, entryCount: 2, arrayToFill: &timing, entriesNeededOut: &needed) == noErr)
    #expect(timing[0].presentationTimeStamp == original.presentationTimeStamp)
  }

  @Test func a_sample_is_created_from_an_image_buffer() throws {
    let frame = try frame()
    var description: CMVideoFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: nil, imageBuffer: frame, formatDescriptionOut: &description) == noErr)
    let format = try #require(description)
    #expect(format.dimensions == CMVideoDimensions(width: 64, height: 48))
    var timing = CMSampleTimingInfo(
      duration: CMTimeMake(value: 1, timescale: 30), presentationTimeStamp: .zero,
      decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateReadyWithImageBuffer(
        allocator: nil, imageBuffer: frame, formatDescription: format, sampleTiming: &timing,
        sampleBufferOut: &sample) == noErr)
    #expect(sample?.imageBuffer === frame && sample?.duration.timescale == 30)
    sample = nil
    #expect(
      CMSampleBufferCreateForImageBuffer(
        allocator: nil, imageBuffer: frame, dataReady: true, makeDataReadyCallback: nil,
        refcon: nil, formatDescription: format, sampleTiming: &timing, sampleBufferOut: &sample)
        == noErr)
    #expect(sample?.presentationTimeStamp == .zero)
    #expect(CMFormatDescriptionEqual(sample?.formatDescription, otherFormatDescription: format))
  }

  @Test func a_description_is_created_from_a_codec_or_pixel_format() throws {
    var description: CMVideoFormatDescription?
    func make(_ code: CMVideoCodecType, _ width: Int32, _ extensions: CFDictionary? = nil)
      -> OSStatus
    {
      CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: code, width: width, height: 48, extensions: extensions,
        formatDescriptionOut: &description)
    }
    #expect(make(kCMVideoCodecType_AppleProRes422HQ, 64) == noErr)
    #expect(
      description?.mediaSubType.rawValue == kCMVideoCodecType_AppleProRes422HQ)
    #expect(make(kCVPixelFormatType_422YpCbCr10, 64) == noErr)
    #expect(
      description?.mediaSubType.rawValue == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange)
    #expect(
      make(kCMVideoCodecType_AppleProRes422HQ, 0) == kCMFormatDescriptionError_InvalidParameter)
    #expect(description == nil)
    #expect(
      make(kCMVideoCodecType_AppleProRes422HQ, 64, ["Depth": 8])
        == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test func audio_has_a_stream_basic_description() throws {
    let format = CMAudioFormatDescription.audio(
      AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24))
    let numbers: AudioStreamBasicDescription = try #require(format.audioStreamBasicDescription)
    #expect(numbers.mSampleRate == 48_000 && numbers.mFormatID == kAudioFormatLinearPCM)
    #expect(numbers.mBytesPerFrame == 6 && numbers.mBytesPerPacket == 6)
    #expect(numbers.mFramesPerPacket == 1 && numbers.mChannelsPerFrame == 2)
    #expect(numbers.mBitsPerChannel == 24 && numbers.mReserved == 0)
    let flags: AudioFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    #expect(numbers.mFormatFlags == flags)
    let first = try #require(CMAudioFormatDescriptionGetStreamBasicDescription(format))
    #expect(first.pointee == numbers)
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format) == first)
    let video = CMVideoFormatDescription.video(
      VideoFormatDescription(try frame().details))
    #expect(video.audioStreamBasicDescription == nil)
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(video) == nil)
    #expect(AudioStreamBasicDescription().mSampleRate == 0)
  }

  @Test func times_are_multiplied_by_floating_point_numbers() {
    let time = CMTimeMake(value: 10, timescale: 25)
    let half = CMTimeMultiplyByFloat64(time, multiplier: 0.5)
    #expect(half == CMTimeMake(value: 5, timescale: 25) && !half.hasBeenRounded)
    let third = CMTimeMultiplyByFloat64(time, multiplier: 1.0 / 3)
    #expect(third.value == 3 && third.hasBeenRounded)
    #expect(!CMTimeMultiplyByFloat64(time, multiplier: 1e300).isValid)
    #expect(!CMTimeMultiplyByFloat64(time, multiplier: .nan).isValid)
    #expect(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: 2) == .positiveInfinity)
  }
}
