import AVFoundationCompat
import TestSupport
import Testing

/// Passing pixel buffer addresses, which are optional, to the C library, and other plain functions
/// of recorders.
@Suite struct OptionalMemoryTests {
  @Test func memory_functions_accept_null_addresses() throws {
    func frame() throws -> CVPixelBuffer {
      var made: CVPixelBuffer?
      #expect(
        CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &made)
          == kCVReturnSuccess)
      return try #require(made)
    }
    let (one, other) = (try frame(), try frame())
    let size = CVPixelBufferGetBytesPerRow(one) * CVPixelBufferGetHeight(one)
    for frame in [one, other] { CVPixelBufferLockBaseAddress(frame, []) }
    defer { for frame in [one, other] { CVPixelBufferUnlockBaseAddress(frame, []) } }
    memset(CVPixelBufferGetBaseAddress(one), 0x5A, size)
    memcpy(CVPixelBufferGetBaseAddress(other), CVPixelBufferGetBaseAddress(one), size)
    let bytes = try #require(CVPixelBufferGetBaseAddress(other))
    #expect(bytes.load(fromByteOffset: size - 1, as: UInt8.self) == 0x5A)
    memmove(CVPixelBufferGetBaseAddress(other), Data([1, 2, 3]).withUnsafeBytes(Array.init), 3)
    #expect(bytes.load(as: UInt8.self) == 1)
    #expect(memcpy(nil, nil, 0) == nil && memset(nil, 0, 0) == nil)
    #expect(one != other && Set([one, other, one]).count == 2)
  }

  @Test func memory_functions_copy_between_nonnull_addresses() {
    let source: [UInt8] = [1, 2, 3, 4]
    var target = [UInt8](repeating: 0, count: 4)
    memcpy(&target, source, 4)
    #expect(target == source)
    target.withUnsafeMutableBytes { target in
      source.withUnsafeBytes { source in
        if let to = target.baseAddress, let from = source.baseAddress { memcpy(to, from, 2) }
        memset(target.baseAddress, 7, 1)
      }
    }
    #expect(target == [7, 2, 3, 4])
  }

  @Test func transform_functions_match_the_methods() {
    let half = CGFloat.pi / 2
    let moved = CGAffineTransformTranslate(CGAffineTransformMakeScale(2, 3), 4, 5)
    #expect(moved == CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 4, y: 5))
    #expect(CGAffineTransformScale(moved, 2, 1) == moved.scaledBy(x: 2, y: 1))
    #expect(CGAffineTransformRotate(moved, half) == moved.rotated(by: half))
    let turned = CGAffineTransformMakeRotation(half)
    #expect(CGAffineTransformConcat(moved, turned) == moved.concatenating(turned))
    #expect(CGAffineTransformInvert(moved) == moved.inverted())
    #expect(CGAffineTransformMakeTranslation(1, 2) == .identity.translatedBy(x: 1, y: 2))
  }

  @Test func sample_buffer_errors_have_apples_codes() {
    #expect(CMSampleBuffer.Error.allocationFailed.status == kCMSampleBufferError_AllocationFailed)
    #expect(CMSampleBuffer.Error.invalidated.status == kCMSampleBufferError_Invalidated)
    #expect(CMSampleBuffer.Error.dataCanceled.status == kCMSampleBufferError_DataCanceled)
    #expect(kCMSampleBufferError_CannotSubdivide == -12739)
    let numbers = [
      kCMSampleBufferError_SampleIndexOutOfRange,
      kCMSampleBufferError_BufferHasNoSampleSizes,
      kCMSampleBufferError_BufferHasNoSampleTimingInfo,
      kCMSampleBufferError_SampleTimingInfoInvalid,
      kCMSampleBufferError_InvalidMediaTypeForOperation,
      kCMSampleBufferError_InvalidSampleData,
      kCMSampleBufferError_DataFailed,
    ]
    #expect(Set(numbers).count == numbers.count)
  }

  @Test func unsupported_pixel_formats_are_refused() {
    let layouts = [
      kCVPixelFormatType_OneComponent10,
      kCVPixelFormatType_OneComponent12,
      kCVPixelFormatType_TwoComponent16,
      kCVPixelFormatType_30RGBLEPackedWideGamut,
      kCVPixelFormatType_40ARGBLEWideGamut,
      kCVPixelFormatType_40ARGBLEWideGamutPremultiplied,
      kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar,
      kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar,
      kCVPixelFormatType_64RGBA_DownscaledProResRAW,
    ]
    for layout in layouts {
      var frame: CVPixelBuffer?
      #expect(CVPixelBufferCreate(nil, 64, 48, layout, nil, &frame) != kCVReturnSuccess)
      #expect(frame == nil)
    }
  }

  @Test func format_descriptions_omit_alpha_and_stereo_extensions() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &made)
    let extensions = try CMVideoFormatDescription(imageBuffer: try #require(made)).extensions
    let keys = [
      kCMFormatDescriptionExtension_ContainsAlphaChannel,
      kCMFormatDescriptionExtension_AlphaChannelMode,
      kCMFormatDescriptionExtension_HorizontalFieldOfView,
      kCMFormatDescriptionExtension_StereoCameraBaseline,
      kCMFormatDescriptionExtension_HorizontalDisparityAdjustment,
      kCMFormatDescriptionExtension_HasLeftStereoEyeView,
      kCMFormatDescriptionExtension_HasRightStereoEyeView,
      kCMFormatDescriptionExtension_HeroEye,
      kCVImageBufferAlphaChannelModeKey,
      kCVImageBufferAlphaChannelMode_StraightAlpha,
      kCVImageBufferAlphaChannelMode_PremultipliedAlpha,
      kCVPixelFormatContainsAlpha,
    ]
    #expect(keys.allSatisfy { extensions[$0] == nil })
    #expect(kCVImageBufferTransferFunction_ITU_R_2020 == "ITU_R_2020")
    let context = CIContext(options: [
      .highQualityDownsample: true, .priorityRequestLow: true, .allowLowPower: true, .name: "a",
    ])
    context.clearCaches()
  }
}
