import AVFoundationCompat
import TestSupport
import Testing

/// Keys of an image buffer's attachments.
struct ImageBufferKeyTests {
  @Test func attachments_describe_a_frame_with_core_video_keys() throws {
    let details = PixelBuffer.Description(
      format: .uyvy, width: 720, height: 576,
      color: ColorDescription(
        primaries: .bt470bg, transferFunction: .bt709, matrix: .smpte170M, range: .video),
      fieldOrder: .topFieldFirst, pixelAspectRatio: PixelAspectRatio(16, 15))
    let frame = try MutablePixelBuffer(details).finish()
    let all = try #require(CVBufferCopyAttachments(frame, .shouldPropagate))
    #expect(all[kCVImageBufferFieldCountKey] as? Int == 2)
    #expect(
      all[kCVImageBufferFieldDetailKey] as? String == kCVImageBufferFieldDetailTemporalTopFirst)
    let shape = try #require(all[kCVImageBufferPixelAspectRatioKey] as? [String: Int])
    #expect(shape[kCVImageBufferPixelAspectRatioHorizontalSpacingKey] == 16)
    #expect(shape[kCVImageBufferPixelAspectRatioVerticalSpacingKey] == 15)
    #expect(
      all[kCVImageBufferColorPrimariesKey] as? String == kCVImageBufferColorPrimaries_EBU_3213)
    #expect(
      all[kCVImageBufferTransferFunctionKey] as? String
        == kCVImageBufferTransferFunction_ITU_R_709_2)
    #expect(all[kCVImageBufferYCbCrMatrixKey] as? String == kCVImageBufferYCbCrMatrix_ITU_R_601_4)
  }

  @Test func attachments_without_a_default_can_be_set() throws {
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    let values: [(String, Any)] = [
      (kCVImageBufferGammaLevelKey, 2.2), (kCVImageBufferICCProfileKey, Data([1])),
      (kCVImageBufferCGColorSpaceKey, "any"), (kCVImageBufferCleanApertureKey, ["a": 1]),
      (kCVImageBufferChromaLocationTopFieldKey, kCVImageBufferChromaLocation_Left),
      (kCVImageBufferChromaLocationBottomFieldKey, kCVImageBufferChromaLocation_Center),
    ]
    for (key, value) in values {
      #expect(CVBufferCopyAttachment(frame, key, nil) == nil)
      CVBufferSetAttachment(frame, key, value, .shouldPropagate)
      #expect(CVBufferCopyAttachment(frame, key, nil) != nil)
    }
    #expect(kCVImageBufferChromaLocation_TopLeft == "TopLeft")
    #expect(kCVImageBufferFieldDetailTemporalBottomFirst == "TemporalBottomFirst")
    #expect(kCVImageBufferFieldDetailSpatialFirstLineEarly == "SpatialFirstLineEarly")
    #expect(kCVImageBufferFieldDetailSpatialFirstLineLate == "SpatialFirstLineLate")
  }

  @Test func core_video_color_names_match_the_settings_names() {
    #expect(kCVImageBufferColorPrimaries_SMPTE_C == AVVideoColorPrimaries_SMPTE_C)
    #expect(kCVImageBufferColorPrimaries_P3_D65 == AVVideoColorPrimaries_P3_D65)
    #expect(
      kCVImageBufferTransferFunction_SMPTE_240M_1995 == AVVideoTransferFunction_SMPTE_240M_1995)
    #expect(
      kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ == AVVideoTransferFunction_SMPTE_ST_2084_PQ)
    #expect(kCVImageBufferTransferFunction_Linear == AVVideoTransferFunction_Linear)
    #expect(kCVImageBufferYCbCrMatrix_ITU_R_709_2 == AVVideoYCbCrMatrix_ITU_R_709_2)
    #expect(kCVImageBufferYCbCrMatrix_SMPTE_240M_1995 == AVVideoYCbCrMatrix_SMPTE_240M_1995)
  }
}
