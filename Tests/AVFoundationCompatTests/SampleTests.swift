import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Samples, pixel buffers and descriptions that programs make, and their attachments.
@Suite(.timeLimit(.minutes(10)))
struct SampleTests {
  private func frame() throws -> CVPixelBuffer {
    var frame: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(
        kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &frame)
        == kCVReturnSuccess)
    return try #require(frame)
  }

  @Test func sample_attachments_are_shared_with_copies_and_propagate() throws {
    let sample = CMSampleBuffer(.video(try frame()), presentationTimeStamp: .zero)
    let copy = sample
    CMSetAttachment(
      sample, key: "mine", value: 7, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(
      sample, key: "stays", value: "here", attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    var mode: CMAttachmentMode = 9
    #expect(CMGetAttachment(copy, key: "mine", attachmentModeOut: &mode) as? Int == 7)
    #expect(mode == kCMAttachmentMode_ShouldPropagate)
    #expect(copy.attachments["stays"]?.value as? String == "here")
    #expect(copy.attachments.propagated["mine"] as? Int == 7)
    #expect(copy.attachments.nonPropagated.count == 1)
    let next = CMSampleBuffer(.video(try frame()), presentationTimeStamp: .zero)
    CMPropagateAttachments(sample, destination: next)
    #expect(CMGetAttachment(next, key: "mine", attachmentModeOut: nil) != nil)
    #expect(CMGetAttachment(next, key: "stays", attachmentModeOut: nil) == nil)
    CMRemoveAttachment(sample, key: "mine")
    #expect(CMGetAttachment(copy, key: "mine", attachmentModeOut: nil) == nil)
    CMSetAttachments(
      next, attachments: ["a": 1, "b": 2], attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    let all: CFDictionary? = CMCopyDictionaryOfAttachments(
      allocator: kCFAllocatorDefault, target: next,
      attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    #expect(all?.count == 2)
    CMRemoveAllAttachments(next)
    #expect(next.attachments.propagated.isEmpty && next.attachments.nonPropagated.isEmpty)
    let bearer: any CMAttachmentBearer = next
    let value: CFTypeRef? = CMGetAttachment(bearer, key: "a", attachmentModeOut: nil)
    #expect(value == nil)
    let attachments: CMAttachmentBearerAttachments = sample.attachments
    attachments[.droppedFrameReason] = .shouldNotPropagate("Late")
    #expect(sample.attachments[.droppedFrameReason]?.value as? String == "Late")
    #expect(CMAttachmentBearerAttachments.Key.droppedFrameReasonInfo.rawValue.isEmpty == false)
    #expect(
      CMAttachmentBearerAttachments.Key.cameraIntrinsicMatrix.rawValue
        == kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
  }

  @Test func each_sample_has_its_own_attachments() throws {
    let sample = CMSampleBuffer(.video(try frame()), presentationTimeStamp: .zero)
    #expect(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) == nil)
    let made: CFArray? = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)
    #expect((made as? [[String: Any]])?.count == 1)
    #expect(sample.sampleAttachments.count == 1 && sample.sampleAttachments[0][.notSync] == nil)
    sample.sampleAttachments[0][.displayImmediately] = true
    let array = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
    let notes = try #require((array as? [[String: Any]])?.first)
    #expect(notes[kCMSampleAttachmentKey_DisplayImmediately] as? Bool == true)
    #expect(notes[kCMSampleAttachmentKey_NotSync] == nil)
    #expect(notes[kCMSampleAttachmentKey_DependsOnOthers] == nil)
    #expect(notes[kCMSampleAttachmentKey_IsDependedOnByOthers] == nil)
    #expect(notes[kCMSampleAttachmentKey_DoNotDisplay] == nil)
  }

  @Test func a_dropped_frame_carries_its_reason() async throws {
    final class Listener: AVCaptureVideoDataOutputSampleBufferDelegate {
      let reasons = Mutex<[String]>([])
      func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) {
        let reason =
          CMGetAttachment(
            sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason,
            attachmentModeOut: nil) as? String
        let info =
          sampleBuffer.attachments["DroppedFrameReasonInfo"]?.value as? String
        reasons.withLock { $0.append("\(reason ?? "none") \(info ?? "")") }
      }
    }
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    output.pixelFormat = .nv12
    let listener = Listener()
    output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "drops"))
    rig.session.addOutput(output)
    rig.session.startRunning()
    try await eventually("a frame is dropped") { !listener.reasons.withLock { $0 }.isEmpty }
    rig.session.stopRunning()
    let first = try #require(listener.reasons.withLock { $0 }.first)
    #expect(first == kCMSampleBufferDroppedFrameReason_Discontinuity + " formatMismatch")
    #expect(kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo == "DroppedFrameReasonInfo")
    #expect(kCMSampleBufferDroppedFrameReason_FrameWasLate == "FrameWasLate")
    #expect(kCMSampleBufferDroppedFrameReason_OutOfBuffers == "OutOfBuffers")
  }

  @Test func audio_samples_are_built_from_bytes() throws {
    var numbers = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
      mReserved: 0)
    var format: CMAudioFormatDescription?
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: kCFAllocatorDefault, asbd: &numbers, layoutSize: 0, layout: nil,
        magicCookieSize: 0, magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
        == noErr)
    let description = try #require(format)
    let bytes = [UInt8](0..<40)
    // The block buffer frees this memory.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 40, alignment: 16)
    memory.copyBytes(from: bytes)
    var made: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: memory.baseAddress, blockLength: 40, blockAllocator: nil,
        customBlockSource: nil, offsetToData: 0, dataLength: 40,
        flags: kCMBlockBufferAssureMemoryNowFlag as CMBlockBufferFlags, blockBufferOut: &made)
        == kCMBlockBufferNoErr)
    let block = try #require(made)
    var changed: [UInt8] = [200]
    #expect(
      CMBlockBufferReplaceDataBytes(
        with: &changed, blockBuffer: block, offsetIntoDestination: 39, dataLength: 1) == noErr)
    #expect(
      CMBlockBufferReplaceDataBytes(
        with: &changed, blockBuffer: block, offsetIntoDestination: 40, dataLength: 1)
        == kCMBlockBufferBadLengthParameterErr)
    #expect(CMBlockBufferGetDataLength(block) == 40 && block.dataLength == 40)
    var sample: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: 10,
        presentationTimeStamp: CMTime(value: 1, timescale: 2), packetDescriptions: nil,
        sampleBufferOut: &sample) == noErr)
    let audio = try #require(sample)
    #expect(CMSampleBufferGetNumSamples(audio) == 10 && audio.presentationTimeStamp.seconds == 0.5)
    #expect(CMSampleBufferGetTotalSampleSize(audio) == 40 && audio.totalSampleSize == 40)
    let data = try #require(CMSampleBufferGetDataBuffer(audio))
    var copy = [UInt8](repeating: 0, count: 40)
    #expect(
      CMBlockBufferCopyDataBytes(data, atOffset: 0, dataLength: 40, destination: &copy) == noErr)
    #expect(
      copy == Array(bytes.prefix(39)) + [200])
    #expect(try audio.dataBuffer?.dataBytes().count == 40)
    var pointer: UnsafeMutablePointer<CChar>?
    var (rest, total) = (0, 0)
    #expect(
      CMBlockBufferGetDataPointer(
        data, atOffset: 4, lengthAtOffsetOut: &rest, totalLengthOut: &total,
        dataPointerOut: &pointer) == noErr)
    #expect(rest == 36 && total == 40 && pointer?.pointee == 4)
    #expect(
      CMBlockBufferGetDataPointer(
        data, atOffset: 40, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
        == kCMBlockBufferBadOffsetParameterErr)
  }

  @Test func inconsistent_audio_parameters_are_refused() throws {
    var numbers = AudioStreamBasicDescription()
    numbers.mFormatID = kAudioFormatLinearPCM
    numbers.mFormatFlags =
      kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsNonInterleaved
    var format: CMAudioFormatDescription?
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &numbers, layoutSize: 0, layout: nil, magicCookieSize: 0,
        magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
        == kCMFormatDescriptionError_InvalidParameter)
    // 24 bits, aligned high in 4 bytes.
    numbers = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh
        | kAudioFormatFlagIsNonMixable | kAudioFormatFlagsAreAllClear,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 24, mReserved: 0)
    #expect(AVAudioFormat(streamDescription: &numbers) == nil)
    let description = CMFormatDescription.audio(
      AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16))
    var block: CMBlockBuffer?
    for (length, size) in [(-1, 4), (8, 4)] {
      #expect(
        CMBlockBufferCreateWithMemoryBlock(
          allocator: nil, memoryBlock: nil, blockLength: size, blockAllocator: nil,
          customBlockSource: nil, offsetToData: 0, dataLength: length,
          flags: kCMBlockBufferAlwaysCopyDataFlag, blockBufferOut: &block)
          == kCMBlockBufferBadLengthParameterErr)
    }
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: 8, blockAllocator: nil,
        customBlockSource: nil, offsetToData: 0, dataLength: 8, flags: 0, blockBufferOut: &block)
        == noErr)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    func make(_ format: CMFormatDescription?, _ count: Int, timed: Bool = true) -> OSStatus {
      CMSampleBufferCreate(
        allocator: nil, dataBuffer: block, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: format, sampleCount: count, sampleTimingEntryCount: timed ? 1 : 0,
        sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil,
        sampleBufferOut: &sample)
    }
    #expect(make(nil, 2) == kCMSampleBufferError_RequiredParameterMissing)
    #expect(make(description, 3) == kCMSampleBufferError_InvalidEntryCount)
    #expect(make(description, .max) == kCMSampleBufferError_InvalidEntryCount)
    #expect(make(description, 2, timed: false) == kCMSampleBufferError_ArrayTooSmall)
    let video = CMFormatDescription.video(
      VideoFormatDescription(.init(format: .uyvy, width: 64, height: 48)))
    #expect(make(video, 2) == kCMSampleBufferError_InvalidMediaFormat)
    #expect(sample == nil)
    #expect(
      CMSampleBufferCreateReady(
        allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: 2,
        sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 0,
        sampleSizeArray: nil, sampleBufferOut: &sample) == noErr)
    let packet = AudioStreamPacketDescription(
      mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 4)
    #expect(packet.mDataByteSize == 4 && sample != nil)
  }

  @Test func channel_layout_tags_have_names_and_channel_counts() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    let tag: AudioChannelLayoutTag = layout.mChannelLayoutTag
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == 2)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_Mono) == 1)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_StereoHeadphones) == 2)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_Quadraphonic) == 4)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_5_1_A) == 6)
    #expect(kAudioChannelLayoutTag_UseChannelDescriptions == 0)
    #expect(kAudioChannelLayoutTag_UseChannelBitmap != kAudioChannelLayoutTag_DiscreteInOrder)
    let bitmap: AudioChannelBitmap = layout.mChannelBitmap
    let description: AudioChannelDescription = layout.mChannelDescriptions
    let label: AudioChannelLabel = description.mChannelLabel
    let flags: AudioChannelFlags = description.mChannelFlags
    #expect(bitmap == 0 && label == 0 && flags == 0)
  }

  @Test func color_attached_to_a_frame_is_written_to_the_track() async throws {
    let frame: CVBuffer = try frame()
    let before =
      CVBufferCopyAttachment(frame, kCVImageBufferColorPrimariesKey, nil) as? String
    #expect(before == kCVImageBufferColorPrimaries_ITU_R_709_2)
    CVBufferSetAttachment(
      frame, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020,
      .shouldPropagate)
    CVBufferSetAttachments(
      frame,
      [
        kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_2100_HLG,
        kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_2020,
      ], CVAttachmentMode.shouldPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    let value = CVBufferGetAttachment(frame, kCVImageBufferYCbCrMatrixKey, &mode)
    #expect(value?.takeUnretainedValue() as? String == kCVImageBufferYCbCrMatrix_ITU_R_2020)
    let kept: UnmanagedAttachment? = value
    #expect(kept != nil && mode == .shouldPropagate)
    var format: CMVideoFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: nil, imageBuffer: frame, formatDescriptionOut: &format) == noErr)
    guard case .video(let video)? = format else {
      Issue.record("the format is not a video description")
      return
    }
    #expect(video.color.primaries == .bt2020 && video.color.transferFunction == .hlg)
    #expect(video.color.matrix == .bt2020)

    let folder = try TemporaryFolder()
    let small = try SmallWriter(to: folder.url("a.mov"))
    let (writer, input) = (small.writer, small.input)
    small.begin()
    #expect(input.append(CMSampleBuffer(.video(frame), presentationTimeStamp: .zero)))
    await writer.finishWriting()
    let track = try #require(try MovieIndex(path: folder.url("a.mov").path).tracks.first)
    #expect(track.video?.colorCodes == [9, 18, 9])

    let other = try self.frame()
    CVBufferPropagateAttachments(frame, other)
    #expect(CVBufferCopyAttachments(other, .shouldPropagate)?.isEmpty == false)
    CVBufferSetAttachment(other, "mine", 1, .shouldNotPropagate)
    CVBufferRemoveAttachment(other, "mine")
    #expect(CVBufferCopyAttachments(other, .shouldNotPropagate) == nil)
    CVBufferRemoveAllAttachments(other)
    let primaries = CVBufferCopyAttachment(other, kCVImageBufferColorPrimariesKey, nil) as? String
    #expect(primaries == kCVImageBufferColorPrimaries_ITU_R_709_2)
  }

  @Test func clocks_and_timebases_convert_times() throws {
    let clock = CMClockGetHostTimeClock()
    var made: CMTimebase?
    #expect(
      CMTimebaseCreateWithSourceClock(allocator: nil, sourceClock: clock, timebaseOut: &made)
        == noErr)
    let timebase = try #require(made)
    #expect(CMTimebaseGetTime(timebase) == .zero && CMTimebaseGetRate(timebase) == 0)
    #expect(CMTimebaseSetTime(timebase, time: CMTime(value: 10, timescale: 1)) == noErr)
    #expect(CMTimebaseSetRate(timebase, rate: 1) == noErr)
    #expect(CMTimebaseSetRate(timebase, rate: .nan) != noErr)
    let now = CMSyncGetTime(clock)
    #expect(timebase.time.seconds >= 10 && timebase.rate == 1)
    let there = CMSyncConvertTime(now, from: clock, to: timebase)
    let back = CMSyncConvertTime(there, from: timebase, to: clock)
    #expect(abs((back - now).seconds) < 1 && clock.convertTime(now, to: clock) == now)
    let either: CMClockOrTimebase = timebase
    let same: any CMSyncProtocol = either
    #expect(same.time.seconds >= 10 && CMSyncConvertTime(now, from: clock, to: clock) == now)
    let units = CMClockConvertHostTimeToSystemUnits(now)
    #expect(CMClockMakeHostTimeFromSystemUnits(units) == now)
    #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
  }

  @Test func pixel_buffer_pools_are_created_and_grow() throws {
    var made: CVPixelBufferPool?
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_422YpCbCr8,
      kCVPixelBufferWidthKey: 64, kCVPixelBufferHeightKey: 48,
    ]
    #expect(
      CVPixelBufferPoolCreate(
        kCFAllocatorDefault,
        [kCVPixelBufferPoolMinimumBufferCountKey: 2, kCVPixelBufferPoolMaximumBufferAgeKey: 1]
          as CFDictionary, attributes as CFDictionary, &made) == kCVReturnSuccess)
    let pool = try #require(made)
    var kept: [CVPixelBuffer] = []
    for _ in 0..<3 {
      var frame: CVPixelBuffer?
      #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &frame) == kCVReturnSuccess)
      kept.append(try #require(frame))
    }
    var frame: CVPixelBuffer?
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
        nil, pool, [kCVPixelBufferPoolAllocationThresholdKey: 2] as CFDictionary, &frame)
        == kCVReturnWouldExceedAllocationThreshold)
    #expect(frame == nil && kept.count == 3)
    CVPixelBufferPoolFlush(pool, [])
    #expect(
      CVPixelBufferPoolCreate(nil, nil, nil, &made) == kCVReturnInvalidPixelBufferAttributes)
    #expect(made == nil)
    let huge = attributes.merging([kCVPixelBufferWidthKey: 1 << 40]) { $1 }
    #expect(CVPixelBufferPoolCreate(nil, nil, huge, &made) == kCVReturnInvalidSize)
  }

  @Test func a_pixel_buffer_releases_the_programs_memory_once() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128 * 48, alignment: 16)
    defer { memory.deallocate() }
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    let giveBack: CVPixelBufferReleaseBytesCallback = { context, _ in
      context?.assumingMemoryBound(to: Int.self).pointee += 1
    }
    var frame: CVPixelBuffer?
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 64, 48, kCVPixelFormatType_422YpCbCr8, memory, 128, giveBack, count, nil, &frame)
        == kCVReturnSuccess)
    #expect(frame.map { CVPixelBufferGetBaseAddress($0) == memory } == true && count.pointee == 0)
    frame = nil
    #expect(count.pointee == 1)
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 64, 48, kCVPixelFormatType_422YpCbCr8, memory, 100, giveBack, count, nil, &frame)
        == kCVReturnInvalidArgument)
    #expect(frame == nil && count.pointee == 1)
  }
}
