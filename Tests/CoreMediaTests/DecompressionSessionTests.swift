import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Decoding compressed frames in memory through Video Toolbox's names.
@Suite(.timeLimit(.minutes(5))) struct DecompressionSessionTests {
  /// The arguments of a session's handlers.
  private final class Results: Sendable {
    struct Result {
      var status: OSStatus
      var flags: VTDecodeInfoFlags
      var gray: Int?
      var time: CMTime
    }
    private let all = Mutex<[Result]>([])

    func add(
      _ status: OSStatus, _ flags: VTDecodeInfoFlags, _ image: CVImageBuffer?, _ time: CMTime
    ) {
      let gray = image.map { image in
        image.withUnsafeBytes(ofPlane: 0) { bytes in
          let type = CVPixelBufferGetPixelFormatType(image)
          return type == kCVPixelFormatType_32BGRA ? Int(bytes[4 * 20]) : Int(bytes[20])
        }
      }
      all.withLock { $0.append(Result(status: status, flags: flags, gray: gray, time: time)) }
    }

    var list: [Result] { all.withLock { $0 } }
  }

  private func samples(
    _ codec: CMVideoCodecType, _ frames: Range<Int> = 0..<5, keys: Set<Int> = [],
    isReordered: Bool = false
  ) throws -> [CMSampleBuffer] {
    let session = try CompressionRig.session(codec)
    if isReordered {
      let key = kVTCompressionPropertyKey_AllowFrameReordering
      #expect(VTSessionSetProperty(session, key: key, value: kCFBooleanTrue) == noErr)
    }
    let results = try CompressionRig.compress(frames, with: session, keys: keys)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    return results.samples
  }

  private func session(
    _ sample: CMSampleBuffer, as type: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    specification: CFDictionary? = nil
  ) throws -> (VTDecompressionSession?, OSStatus) {
    let format = try #require(CMSampleBufferGetFormatDescription(sample))
    var session: VTDecompressionSession?
    let status = VTDecompressionSessionCreate(
      allocator: kCFAllocatorDefault, formatDescription: format,
      decoderSpecification: specification,
      imageBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: type] as CFDictionary,
      outputCallback: nil, decompressionSessionOut: &session)
    return (session, status)
  }

  @discardableResult
  private func decode(
    _ sample: CMSampleBuffer, _ session: VTDecompressionSession, _ results: Results,
    _ flags: VTDecodeFrameFlags = []
  ) -> OSStatus {
    let handler: VTDecompressionOutputHandler = { status, flags, image, time, _ in
      results.add(status, flags, image, time)
    }
    return VTDecompressionSessionDecodeFrame(
      session, sampleBuffer: sample, flags: flags, infoFlagsOut: nil, outputHandler: handler)
  }

  @Test(arguments: [kCMVideoCodecType_AppleProRes422, kCMVideoCodecType_AppleProRes4444])
  func prores_frames_are_decoded_before_the_call_returns(codec: CMVideoCodecType) throws {
    let samples = try samples(codec)
    let session = try #require(try session(samples[0]).0)
    #expect(CFGetTypeID(session) == VTDecompressionSessionGetTypeID())
    let results = Results()
    for (place, sample) in samples.enumerated() {
      #expect(decode(sample, session, results) == noErr)
      let last = try #require(results.list.last)
      #expect(results.list.count == place + 1 && last.status == noErr)
      #expect(last.time == CompressionRig.time(place) && last.flags == [])
      #expect(
        abs(try #require(last.gray) - CompressionRig.gray(place)) <= 2,
        "\(place): \(last.gray ?? -1)")
    }
    #expect(VTDecompressionSessionWaitForAsynchronousFrames(session) == noErr)
    #expect(results.list.count == samples.count && session.error == nil)
  }

  @Test func h264_frames_are_delivered_with_their_times() throws {
    guard EncoderCapabilities.current.interframeCodecs.contains(.h264) else { return }
    let samples = try samples(kCMVideoCodecType_H264)
    let session = try #require(try session(samples[0]).0)
    let results = Results()
    for sample in samples {
      #expect(
        decode(
          sample, session, results,
          [._EnableAsynchronousDecompression, ._EnableTemporalProcessing, ._1xRealTimePlayback])
          == noErr)
    }
    #expect(VTDecompressionSessionFinishDelayedFrames(session) == noErr)
    #expect(results.list.map(\.status) == [OSStatus](repeating: noErr, count: 5))
    #expect(results.list.map(\.time) == (0..<5).map(CompressionRig.time))
    for (frame, result) in results.list.enumerated() {
      #expect(abs(try #require(result.gray) - CompressionRig.gray(frame)) <= 3)
    }
  }

  @Test(arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
  func waiting_between_key_frames_loses_no_frame(codec: CMVideoCodecType) throws {
    let name = codec == kCMVideoCodecType_H264 ? VideoCodecType.h264 : .hevc
    guard EncoderCapabilities.current.interframeCodecs.contains(name) else { return }
    let frames = 0..<12
    let samples = try samples(codec, frames, isReordered: true)
    #expect(samples.count == 12)
    let session = try #require(try session(samples[0]).0)
    let results = Results()
    for (place, sample) in samples.enumerated() {
      #expect(decode(sample, session, results, ._EnableTemporalProcessing) == noErr)
      #expect(VTDecompressionSessionWaitForAsynchronousFrames(session) == noErr)
      #expect(results.list.count == place + 1 && session.error == nil)
    }
    #expect(results.list.map(\.status) == [OSStatus](repeating: noErr, count: 12))
    // Results arrive in decode order because each was waited for.
    let shown = results.list.sorted { $0.time < $1.time }
    #expect(shown.map(\.time) == frames.map(CompressionRig.time))
    for (frame, result) in shown.enumerated() {
      #expect(abs(try #require(result.gray) - CompressionRig.gray(frame)) <= 3)
    }
  }

  @Test func a_decompression_callback_receives_the_programs_references() throws {
    final class Counter: Sendable { let sum = Mutex(0) }
    let counter = Counter()
    let callback: VTDecompressionOutputCallback = { refcon, source, status, flags, image, _, _ in
      guard let refcon, status == noErr, image != nil, flags != .imageBufferModifiable else {
        return
      }
      let counter = Unmanaged<Counter>.fromOpaque(refcon).takeUnretainedValue()
      counter.sum.withLock { $0 += Int(bitPattern: source) }
    }
    let samples = try samples(kCMVideoCodecType_AppleProRes422LT, 0..<2)
    var record = VTDecompressionOutputCallbackRecord(
      decompressionOutputCallback: callback,
      decompressionOutputRefCon: Unmanaged.passUnretained(counter).toOpaque())
    var made: VTDecompressionSession?
    #expect(
      VTDecompressionSessionCreate(
        allocator: nil, formatDescription: try #require(samples[0].formatDescription),
        decoderSpecification: nil, imageBufferAttributes: nil, outputCallback: &record,
        decompressionSessionOut: &made) == noErr)
    let session = try #require(made)
    var flags = VTDecodeInfoFlags()
    for (place, sample) in samples.enumerated() {
      #expect(
        VTDecompressionSessionDecodeFrame(
          session, sampleBuffer: sample, flags: ._EnableAsynchronousDecompression,
          frameRefcon: UnsafeMutableRawPointer(bitPattern: place + 1), infoFlagsOut: &flags)
          == noErr)
      #expect(flags == .asynchronous)
    }
    VTDecompressionSessionWaitForAsynchronousFrames(session)
    #expect(counter.sum.withLock { $0 } == 3)
  }

  @Test func foreign_or_damaged_samples_are_refused_and_decoding_continues() throws {
    let samples = try samples(kCMVideoCodecType_AppleProRes422)
    let session = try #require(try session(samples[0], as: kCVPixelFormatType_32BGRA).0)
    let results = Results()
    let format = try #require(samples[0].formatDescription)
    let block = try CMBlockBuffer(length: 64)
    try block.fillDataBytes(with: 7)
    let damaged = try CMSampleBuffer(
      dataBuffer: block, formatDescription: format, numSamples: 1,
      sampleTimings: [
        CMSampleTimingInfo(
          duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
      ], sampleSizes: [64])
    #expect(decode(damaged, session, results) == noErr)
    #expect(results.list.map(\.status) == [kVTVideoDecoderBadDataErr] && session.error != nil)
    let other = try self.samples(kCMVideoCodecType_AppleProRes422HQ, 0..<1)
    #expect(
      decode(other[0], session, results) == kVTFormatDescriptionChangeNotSupportedErr)
    #expect(
      !VTDecompressionSessionCanAcceptFormatDescription(
        session, formatDescription: try #require(other[0].formatDescription)))
    #expect(VTDecompressionSessionCanAcceptFormatDescription(session, formatDescription: format))
    #expect(
      VTDecompressionSessionDecodeFrame(
        session, sampleBuffer: samples[0], flags: [], frameRefcon: nil, infoFlagsOut: nil)
        == kVTParameterErr)
    decode(samples[0], session, results, ._DoNotOutputFrame)
    decode(samples[1], session, results)
    #expect(results.list.count == 3 && results.list[1].gray == nil)
    #expect(results.list[1].flags == .frameDropped && results.list[2].gray != nil)
    VTDecompressionSessionInvalidate(session)
    VTDecompressionSessionInvalidate(session)
    #expect(decode(samples[0], session, results) == kVTInvalidSessionErr)
    #expect(VTDecompressionSessionWaitForAsynchronousFrames(session) == kVTInvalidSessionErr)
    #expect(results.list.count == 3)
  }

  @Test func an_unsupported_decompression_session_is_not_created() throws {
    let sample = try samples(kCMVideoCodecType_AppleProRes422, 0..<1)[0]
    let hardware = [
      kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: true,
      kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder: true,
    ]
    let required = try session(sample, specification: hardware as CFDictionary)
    #expect(required.0 == nil && required.1 == kVTCouldNotFindVideoDecoderErr)
    let layout = try session(sample, as: kCVPixelFormatType_422YpCbCr10)
    #expect(layout.0 == nil && layout.1 == kVTPixelTransferNotSupportedErr)
    let unknown = try session(sample, as: 1)
    #expect(unknown.0 == nil && unknown.1 == kVTParameterErr)
    #expect(!VTIsHardwareDecodeSupported(kCMVideoCodecType_H264))
    let others = [kVTVideoDecoderUnsupportedDataFormatErr, kVTVideoDecoderMalfunctionErr]
    #expect(!others.contains(kVTVideoDecoderBadDataErr))
  }

  @Test func decoder_properties_are_reported_and_unknown_ones_refused() throws {
    let session = try #require(
      try session(try samples(kCMVideoCodecType_AppleProRes422, 0..<1)[0]).0)
    let realTime = kVTDecompressionPropertyKey_RealTime
    #expect(VTSessionSetProperty(session, key: realTime, value: kCFBooleanTrue) == noErr)
    #expect(VTSessionSetProperty(session, key: realTime, value: "often") == kVTParameterErr)
    let hardware = kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder
    #expect(VTSessionSetProperty(session, key: hardware, value: true) == kVTPropertyReadOnlyErr)
    #expect(VTSessionSetProperty(session, key: "no", value: 1) == kVTPropertyNotSupportedErr)
    var value: CFTypeRef?
    VTSessionCopyProperty(session, key: realTime, allocator: nil, valueOut: &value)
    #expect(value as? Bool == true)
    VTSessionCopyProperty(session, key: hardware, allocator: nil, valueOut: &value)
    #expect(value as? Bool == false)
    let pending = kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded
    VTSessionCopyProperty(session, key: pending, allocator: nil, valueOut: &value)
    #expect(value as? Int == 0)
    var all: CFDictionary?
    VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &all)
    #expect(all?.count == 3)
    VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &all)
    #expect(all?[realTime] as? Bool == true)
    VTDecompressionSessionInvalidate(session)
    #expect(VTSessionSetProperty(session, key: realTime, value: nil) == kVTInvalidSessionErr)
  }
}
