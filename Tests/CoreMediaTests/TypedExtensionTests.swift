import AVFoundationCompat
import Synchronization
import Testing

/// Core Media's names in their Swift form.
@Suite struct TypedExtensionTests {
  private func frame() throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, 64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
    return try #require(made)
  }

  @Test func description_extensions_have_typed_keys_and_values() throws {
    let frame = try frame()
    for (key, value) in [
      (kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020),
      (kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_2100_HLG),
      (kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_2020),
    ] { CVBufferSetAttachment(frame, key, value, .shouldPropagate) }
    let description = try CMVideoFormatDescription(imageBuffer: frame)
    let extensions: CMFormatDescription.Extensions = description.extensions
    #expect(extensions[.colorPrimaries] == .colorPrimaries(.itu_R_2020))
    #expect(extensions[.colorPrimaries] != .colorPrimaries(.p3_D65))
    #expect(extensions[.containsAlphaChannel] == nil && extensions[.alphaChannelMode] == nil)
    #expect(extensions[kCMFormatDescriptionExtension_BitsPerComponent] == nil)
    #expect(extensions[.transferFunction] == .transferFunction(.itu_R_2100_HLG))
    #expect(extensions[.yCbCrMatrix] == .yCbCrMatrix(.itu_R_2020))
    #expect(
      extensions[.colorPrimaries]?.propertyListRepresentation as? String
        == kCVImageBufferColorPrimaries_ITU_R_2020)
    #expect(extensions[.fullRangeVideo]?.propertyListRepresentation as? Bool == false)
    #expect(extensions[.depth] == nil && extensions[.formatName] == nil)
    #expect(Set(extensions.keys).isSuperset(of: [.colorPrimaries, .yCbCrMatrix]))
    #expect(extensions.count == extensions.keys.count && !extensions.isEmpty)
    let made: CMFormatDescription.Extensions = [
      .depth: .number(24), .formatName: .string("made"),
    ]
    #expect(made[.depth] == CMFormatDescription.Extensions.Value.number(24) && made.count == 2)
    #expect(made[kCMFormatDescriptionExtension_FormatName] as? String == "made")
    let key = CMFormatDescription.Extensions.Key(rawValue: "FormatName")
    #expect(made[key] == .string("made") && CMFormatDescription.Extensions(base: nil).isEmpty)
  }

  @Test func an_invalidation_handler_is_called_once() throws {
    let frame = try frame()
    let description = try CMVideoFormatDescription(imageBuffer: frame)
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
    let sample = CMSampleBuffer(
      imageBuffer: frame, formatDescription: description, sampleTiming: timing)
    let times = Mutex<[CMTime]>([])
    sample.setInvalidateHandler { sample in
      times.withLock { $0.append(sample.presentationTimeStamp) }
    }
    #expect(sample.attachments.nonPropagated.isEmpty)
    let copy = sample
    try copy.invalidate()
    try sample.invalidate()
    #expect(times.withLock { $0 } == [.zero])
    let handler: CMSampleBufferInvalidateHandler = { _ in times.withLock { $0 = [] } }
    #expect(CMSampleBufferSetInvalidateHandler(sample, invalidateHandler: handler) == noErr)
    #expect(CMSampleBufferInvalidate(sample) == noErr && times.withLock { $0 }.isEmpty)
    #expect(sample.isValid && sample.imageBuffer != nil)
  }

  @Test func the_host_clock_is_its_own_reference_clock() throws {
    let clock = CMClock.hostTimeClock
    let before = clock.time
    let pair = try clock.anchorTime()
    #expect(pair.anchorTime == pair.referenceTime && pair.anchorTime >= before)
    var (own, host) = (CMTime.invalid, CMTime.invalid)
    let status = CMClockGetAnchorTime(clock, clockTimeOut: &own, referenceClockTimeOut: &host)
    #expect(status == noErr && own == host && own >= pair.anchorTime)
  }

  @Test func the_flush_to_resume_notification_has_two_equal_names() {
    let name = AVSampleBufferDisplayLayer.requiresFlushToResumeDecodingDidChangeNotification
    #expect(name == .AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange)
  }
}
