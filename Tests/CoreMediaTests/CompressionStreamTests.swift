import AVFoundationCompat
import TestSupport
import Testing

/// H.264 and HEVC through Video Toolbox's names, as streaming and recording programs use them.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: EncoderCapabilities.current.interframeCodecs.count == 2,
    "libavcodec has no encoder of H.264 or HEVC"))
struct CompressionStreamTests {
  /// The unit types of a sample; each unit follows its length.
  private func units(_ sample: CMSampleBuffer, isHEVC: Bool) throws -> [Int] {
    let block = try #require(sample.dataBuffer)
    var (length, pointer): (Int, UnsafeMutablePointer<CChar>?)
    (length, pointer) = (0, nil)
    #expect(
      CMBlockBufferGetDataPointer(
        block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length,
        dataPointerOut: &pointer) == kCMBlockBufferNoErr)
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    var (kinds, place): ([Int], Int) = ([], 0)
    while place + 4 < length {
      let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let first = Int(bytes[place + 4])
      kinds.append(isHEVC ? first >> 1 & 0x3F : first & 0x1F)
      place += 4 + count
    }
    #expect(place == length)
    return kinds
  }

  private func isSync(_ sample: CMSampleBuffer) -> Bool {
    let notes =
      CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true) as? [[String: Any]]
    return notes?.first?[kCMSampleAttachmentKey_NotSync] as? Bool != true
  }

  private func parameterSets(_ format: CMFormatDescription, isHEVC: Bool) throws -> [[UInt8]] {
    let get =
      isHEVC
      ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
      : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
    var (count, header): (Int, Int32) = (0, 0)
    #expect(get(format, 0, nil, nil, &count, &header) == noErr)
    #expect(header == 4 && format.nalUnitHeaderLength == 4)
    #expect(
      get(format, count, nil, &count, nil, nil) == kCMFormatDescriptionError_ValueNotAvailable)
    let sets = try (0..<count).map { index -> [UInt8] in
      var (pointer, size): (UnsafePointer<UInt8>?, Int) = (nil, 0)
      #expect(get(format, index, &pointer, &size, nil, nil) == noErr)
      return Array(UnsafeBufferPointer(start: try #require(pointer), count: size))
    }
    #expect(format.parameterSets.map { [UInt8]($0) } == sets)
    return sets
  }

  @Test(.tags(.judges), arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
  func samples_have_parameter_sets_and_requested_key_frames(
    codec: CMVideoCodecType
  ) async throws {
    let isHEVC = codec == kCMVideoCodecType_HEVC
    let rig = try CompressionRig()
    let session = try CompressionRig.session(codec)
    #expect(
      VTSessionSetProperties(
        session,
        propertyDictionary: [
          kVTCompressionPropertyKey_RealTime: kCFBooleanTrue as Any,
          kVTCompressionPropertyKey_AverageBitRate: 400_000 as CFNumber,
          kVTCompressionPropertyKey_MaxKeyFrameInterval: 100,
          kVTCompressionPropertyKey_ProfileLevel: isHEVC
            ? kVTProfileLevel_HEVC_Main_AutoLevel : kVTProfileLevel_H264_Main_AutoLevel,
        ]) == noErr, "\(String(describing: session.error))")
    let results = try CompressionRig.compress(0..<10, with: session, keys: [4])
    VTCompressionSessionCompleteFrames(
      session, untilPresentationTimeStamp: CompressionRig.time(9))
    let samples = results.samples
    try #require(samples.count == 10)
    #expect(samples.map(isSync) == (0..<10).map { $0 == 0 || $0 == 4 })
    for (frame, sample) in samples.enumerated() {
      #expect(sample.presentationTimeStamp == CompressionRig.time(frame))
      let kinds = try units(sample, isHEVC: isHEVC)
      let keys = isHEVC ? [19, 20] : [5]
      #expect(kinds.contains { keys.contains($0) } == (frame == 0 || frame == 4))
    }
    let format = try #require(samples[0].formatDescription)
    let sets = try parameterSets(format, isHEVC: isHEVC)
    #expect(
      sets.map { isHEVC ? Int($0[0] >> 1) : Int($0[0] & 0x1F) }
        == (isHEVC ? [32, 33, 34] : [7, 8]))
    let atoms =
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
      as? [String: Any]
    #expect(atoms?[isHEVC ? "hvcC" : "avcC"] as? Data != nil)
    for (name, type) in [("a.mp4", AVFileType.mp4), ("a.mov", .mov)] {
      let url = try await rig.write(samples, to: name, type)
      try await CompressionRig.check(url, frames: 0..<10)
      #expect(try Judges.strictDecode(url.path) == "")
    }
  }

  @Test func reordered_frames_have_decode_times_and_writers_refuse_them() async throws {
    let rig = try CompressionRig()
    let session = try CompressionRig.session(kCMVideoCodecType_H264)
    #expect(
      VTSessionSetProperty(
        session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: kCFBooleanTrue)
        == noErr)
    let results = try CompressionRig.compress(0..<10, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    let samples = results.samples
    try #require(samples.count == 10)
    let decoded = samples.map(\.decodeTimeStamp)
    #expect(decoded == decoded.sorted() && decoded.allSatisfy(\.isNumeric))
    #expect(Set(samples.map(\.presentationTimeStamp)) == Set((0..<10).map(CompressionRig.time)))
    let shifted = samples.first { $0.decodeTimeStamp != $0.presentationTimeStamp }
    let writer = try AVAssetWriter(outputURL: rig.folder.url("a.mov"), fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: nil, sourceFormatHint: samples[0].formatDescription)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    #expect(!input.append(try #require(shifted)))
    #expect("\(String(describing: writer.error))".contains("AllowFrameReordering"))
    writer.cancelWriting()
  }

  @Test func encoding_continues_after_frames_are_completed_early() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_H264)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: true)
    let first = try CompressionRig.compress(0..<3, with: session)
    VTCompressionSessionCompleteFrames(
      session, untilPresentationTimeStamp: CompressionRig.time(1))
    #expect(first.samples.count >= 2)
    let second = try CompressionRig.compress(3..<6, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(first.samples.count == 3 && second.samples.count == 3)
    #expect(second.samples.contains(where: isSync))
  }

  /// A session whose encoder looks ahead and so holds back the first frames.
  private func patientSession() throws -> VTCompressionSession {
    let session = try CompressionRig.session(kCMVideoCodecType_H264)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: true)
    return session
  }

  /// Returns once all frames are in the encoder; makes none come out.
  private func settle(_ session: VTCompressionSession) {
    VTCompressionSessionCompleteFrames(
      session, untilPresentationTimeStamp: CompressionRig.time(-1))
  }

  @Test func handlers_stay_in_order_if_one_completes_other_frames() throws {
    let session = try patientSession()
    let last = try CompressionRig.frame(session, gray: 90)
    let results = CompressionRig.Results()
    @Sendable func encode(
      _ image: CVPixelBuffer, _ frame: Int, then: @escaping @Sendable () -> Void
    ) {
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: image, presentationTimeStamp: CompressionRig.time(frame),
        duration: .invalid, frameProperties: nil, infoFlagsOut: nil
      ) { status, _, sample in
        results.add(status, sample)
        then()
      }
    }
    for frame in 0..<3 {
      encode(try CompressionRig.frame(session, gray: 50), frame) {
        guard results.statuses.count == 1 else { return }
        encode(last, 3) {}
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        // All frames have been delivered by now, including the one whose handler is running.
        #expect(results.samples.count == 4)
      }
    }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    let times = results.samples.map(\.presentationTimeStamp)
    #expect(times.count == 4 && times.last == CompressionRig.time(3))
  }

  @Test func a_lookahead_encoder_retains_no_program_buffer() throws {
    let session = try patientSession()
    weak var kept: CVPixelBuffer?
    func handOver() throws {
      let frame = try CompressionRig.frame(session, gray: 50)
      kept = frame
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: frame, presentationTimeStamp: .zero, duration: .invalid,
        frameProperties: nil, infoFlagsOut: nil
      ) { _, _, _ in }
    }
    try handOver()
    settle(session)
    var pending: CFTypeRef?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_NumberOfPendingFrames, allocator: nil,
      valueOut: &pending)
    #expect(pending as? Int == 1)
    #expect(kept == nil)
  }

  @Test func an_invalidated_session_releases_pending_handlers() throws {
    final class Mark: Sendable {}
    let session = try patientSession()
    weak var kept: Mark?
    func handOver() throws {
      let mark = Mark()
      kept = mark
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: try CompressionRig.frame(session, gray: 50),
        presentationTimeStamp: .zero, duration: .invalid, frameProperties: nil, infoFlagsOut: nil
      ) { _, _, _ in withExtendedLifetime(mark) {} }
    }
    try handOver()
    settle(session)
    #expect(kept != nil)
    VTCompressionSessionInvalidate(session)
    #expect(kept == nil)
  }

  @Test func invalid_bit_rates_and_foreign_profiles_are_refused() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_HEVC)
    func set(_ key: CFString, _ value: CFTypeRef?) -> OSStatus {
      VTSessionSetProperty(session, key: key, value: value)
    }
    #expect(set(kVTCompressionPropertyKey_AverageBitRate, 3) == kVTParameterErr)
    #expect(set(kVTCompressionPropertyKey_AverageBitRate, "fast") == kVTParameterErr)
    #expect(set(kVTCompressionPropertyKey_Quality, 2) == kVTParameterErr)
    #expect(
      set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel)
        == kVTParameterErr)
    #expect(
      set(kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CABAC)
        == kVTPropertyNotSupportedErr && kVTH264EntropyMode_CAVLC == AVVideoH264EntropyModeCAVLC)
    #expect(set(kVTCompressionPropertyKey_AllowTemporalCompression, false) == noErr)
    let results = try CompressionRig.compress(0..<4, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(results.samples.count == 4 && results.samples.allSatisfy(isSync))
    #expect(set(kVTCompressionPropertyKey_AverageBitRate, 500_000) == kVTPropertyReadOnlyErr)
  }
}
