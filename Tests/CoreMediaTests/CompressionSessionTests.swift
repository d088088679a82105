import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Frames compressed through Video Toolbox's names, and what movies and decoders make of them.
@Suite(.timeLimit(.minutes(5))) struct CompressionSessionTests {
  @Test(arguments: [
    kCMVideoCodecType_AppleProRes422HQ, kCMVideoCodecType_AppleProRes422Proxy,
  ])
  func each_frame_compresses_to_one_prores_sample(codec: CMVideoCodecType) async throws {
    let rig = try CompressionRig()
    let session = try CompressionRig.session(codec)
    #expect(VTCompressionSessionPrepareToEncodeFrames(session) == noErr)
    let results = try CompressionRig.compress(0..<6, with: session)
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
    #expect(results.statuses == [OSStatus](repeating: noErr, count: 6))
    for (frame, sample) in results.samples.enumerated() {
      #expect(CMSampleBufferGetPresentationTimeStamp(sample) == CompressionRig.time(frame))
      #expect(!CMSampleBufferGetDecodeTimeStamp(sample).isValid)
      #expect(
        CMSampleBufferGetImageBuffer(sample) == nil && CMSampleBufferGetNumSamples(sample) == 1)
      let format = try #require(CMSampleBufferGetFormatDescription(sample))
      #expect(CMFormatDescriptionGetMediaSubType(format) == codec)
      #expect(CMVideoFormatDescriptionGetDimensions(format).width == 64)
      let block = try #require(CMSampleBufferGetDataBuffer(sample))
      var mark = [UInt8](repeating: 0, count: 8)
      #expect(
        CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: 8, destination: &mark) == 0)
      // A ProRes frame begins with its size and `icpf`.
      #expect(mark[4...].elementsEqual("icpf".utf8))
      #expect(mark[..<4].reduce(0) { $0 << 8 | Int($1) } == CMBlockBufferGetDataLength(block))
      let notes =
        CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
        as? [[String: Any]]
      #expect(notes?.first?[kCMSampleAttachmentKey_NotSync] == nil)
    }
    let url = try await rig.write(results.samples, to: "a.mov", .mov)
    try await CompressionRig.check(url, frames: 0..<6)
  }

  @Test func a_compression_callback_receives_the_programs_references() throws {
    final class Counter: Sendable {
      let sum = Mutex(0)
    }
    let counter = Counter()
    let callback: VTCompressionOutputCallback = { refcon, source, status, _, sample in
      guard let refcon, status == noErr, sample != nil else { return }
      let counter = Unmanaged<Counter>.fromOpaque(refcon).takeUnretainedValue()
      counter.sum.withLock { $0 += Int(bitPattern: source) }
    }
    var session: VTCompressionSession?
    #expect(
      VTCompressionSessionCreate(
        allocator: nil, width: 64, height: 48, codecType: kCMVideoCodecType_AppleProRes4444,
        encoderSpecification: nil,
        imageBufferAttributes: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
        ] as CFDictionary, compressedDataAllocator: nil,
        outputCallback: callback, refcon: Unmanaged.passUnretained(counter).toOpaque(),
        compressionSessionOut: &session)
        == noErr)
    let made = try #require(session)
    #expect(CFGetTypeID(made) == VTCompressionSessionGetTypeID())
    let pool = try #require(VTCompressionSessionGetPixelBufferPool(made))
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer)
    let image = try #require(buffer)
    #expect(CVPixelBufferGetPixelFormatType(image) == kCVPixelFormatType_32BGRA)
    let base = try #require(CVPixelBufferGetBaseAddress(image))
    memset(base, 90, CVPixelBufferGetDataSize(image))
    for frame in 1...3 {
      #expect(
        VTCompressionSessionEncodeFrame(
          made, imageBuffer: image, presentationTimeStamp: CompressionRig.time(frame),
          duration: .invalid, frameProperties: nil,
          sourceFrameRefcon: UnsafeMutableRawPointer(bitPattern: frame), infoFlagsOut: nil) == noErr
      )
    }
    #expect(VTCompressionSessionCompleteFrames(made, untilPresentationTimeStamp: .invalid) == noErr)
    #expect(counter.sum.withLock { $0 } == 6)
    withExtendedLifetime(counter) {}
  }

  @Test func compression_calls_in_any_order_return_a_status() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let image = try CompressionRig.frame(session, gray: 50)
    @Sendable func encode(
      _ image: CVPixelBuffer, at time: CMTime, _ properties: CFDictionary? = nil,
      _ handler: @escaping VTCompressionOutputHandler = { _, _, _ in }
    ) -> OSStatus {
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: image, presentationTimeStamp: time, duration: .invalid,
        frameProperties: properties, infoFlagsOut: nil, outputHandler: handler)
    }
    // There is nothing to complete yet.
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .zero) == noErr)
    let results = CompressionRig.Results()
    #expect(
      encode(image, at: .zero) { status, _, sample in
        results.add(status, sample)
        // Encodes and completes from the session's own queue.
        let next = encode(image, at: CMTime(value: 1, timescale: 25)) { status, _, sample in
          results.add(status, sample)
        }
        results.add(next, nil)
        results.add(
          VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid), nil)
      } == noErr)
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
    #expect(results.statuses == [noErr, noErr, noErr, noErr] && results.samples.count == 2)
    for time in [CMTime.zero, CMTime.invalid, .positiveInfinity, CMTime(value: .max, timescale: 1)]
    {
      #expect(encode(image, at: time) == kVTParameterErr)
      #expect(session.error != nil)
    }
    let later = CMTime(value: 5, timescale: 1)
    #expect(encode(image, at: later, ["ForceKeyFrame": "now"]) == kVTParameterErr)
    #expect(encode(image, at: later, ["Force": true]) == kVTParameterErr)
    #expect(
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: image, presentationTimeStamp: later, duration: .invalid,
        frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: nil) == kVTParameterErr)
    var other: CVPixelBuffer?
    CVPixelBufferCreate(nil, 32, 32, kCVPixelFormatType_32BGRA, nil, &other)
    #expect(encode(try #require(other), at: later) == kVTParameterErr)
    VTCompressionSessionInvalidate(session)
    VTCompressionSessionInvalidate(session)
    #expect(encode(image, at: later) == kVTInvalidSessionErr)
    #expect(
      VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        == kVTInvalidSessionErr)
    #expect(VTCompressionSessionPrepareToEncodeFrames(session) == kVTInvalidSessionErr)
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: true)
        == kVTInvalidSessionErr)
    #expect(VTSessionSetProperty("none", key: "RealTime", value: nil) == kVTInvalidSessionErr)
  }

  @Test func frames_pending_at_invalidation_are_not_compressed() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let image = try CompressionRig.frame(session, gray: 50)
    let results = CompressionRig.Results()
    for frame in 0..<2 {
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: image, presentationTimeStamp: CompressionRig.time(frame),
        duration: .invalid, frameProperties: nil, infoFlagsOut: nil
      ) { status, _, sample in
        results.add(status, sample)
        VTCompressionSessionInvalidate(session)
      }
    }
    // Nothing is in flight once this returns; the first frame's handler invalidated the session
    // before or after the second frame came.
    VTCompressionSessionInvalidate(session)
    #expect(results.statuses.count <= 1)
  }

  @Test func compressed_samples_require_inputs_without_settings() async throws {
    let rig = try CompressionRig()
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let results = try CompressionRig.compress(0..<2, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    let sample = try #require(results.samples.first)
    let encoder = try AVAssetWriter(outputURL: rig.folder.url("a.mov"), fileType: .mov)
    let frames = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    encoder.add(frames)
    encoder.startWriting()
    encoder.startSession(atSourceTime: .zero)
    #expect(!frames.append(sample))
    #expect("\(String(describing: encoder.error))".contains("without settings"))
    encoder.cancelWriting()

    let writer = try AVAssetWriter(outputURL: rig.folder.url("b.mov"), fileType: .mov)
    let hint = try #require(sample.formatDescription)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: nil, sourceFormatHint: hint)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    let image = CMSampleBuffer(
      imageBuffer: try CompressionRig.frame(session, gray: 9), formatDescription: hint,
      sampleTiming: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
    #expect(!input.append(image))
    let proxy = try CompressionRig.compress(
      0..<1, with: try CompressionRig.session(kCMVideoCodecType_AppleProRes422Proxy))
    #expect(input.append(sample))
    writer.cancelWriting()
    withExtendedLifetime(proxy) {}

    for hint in [
      try CMFormatDescription(videoCodecType: .jpeg, width: 64, height: 48),
      try CMFormatDescription(videoCodecType: .h264, width: 64, height: 48),
      image.formatDescription,
    ] {
      let input = AVAssetWriterInput(
        mediaType: .video, outputSettings: nil, sourceFormatHint: hint)
      let writer = try AVAssetWriter(outputURL: rig.folder.url("c.mov"), fileType: .mov)
      #expect(!writer.canAdd(input))
      writer.add(input)
      #expect(writer.status == .failed)
    }
  }

  @Test func compressed_samples_can_be_built_from_block_buffers() async throws {
    let rig = try CompressionRig()
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422LT)
    let results = try CompressionRig.compress(0..<3, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    let made = try results.samples.map { original -> CMSampleBuffer in
      var timing = CMSampleTimingInfo(
        duration: original.duration, presentationTimeStamp: original.presentationTimeStamp,
        decodeTimeStamp: .invalid)
      var sample: CMSampleBuffer?
      #expect(
        CMSampleBufferCreateReady(
          allocator: nil, dataBuffer: original.dataBuffer,
          formatDescription: original.formatDescription, sampleCount: 1, sampleTimingEntryCount: 1,
          sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil,
          sampleBufferOut: &sample) == noErr)
      return try #require(sample)
    }
    let url = try await rig.write(made, to: "a.mov", .mov)
    try await CompressionRig.check(url, frames: 0..<3)
  }
}
