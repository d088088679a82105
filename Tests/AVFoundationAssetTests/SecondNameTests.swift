import AVFoundationCompat
import Testing

/// Names that are aliases of others, or of things that are not made here.
@Suite struct SecondNameTests {
  @Test func format_description_colors_equal_those_of_image_buffers() {
    let names: [(CFString, CFString)] = [
      (kCMFormatDescriptionColorPrimaries_EBU_3213, kCVImageBufferColorPrimaries_EBU_3213),
      (kCMFormatDescriptionColorPrimaries_ITU_R_2020, kCVImageBufferColorPrimaries_ITU_R_2020),
      (kCMFormatDescriptionColorPrimaries_ITU_R_709_2, kCVImageBufferColorPrimaries_ITU_R_709_2),
      (kCMFormatDescriptionColorPrimaries_P3_D65, kCVImageBufferColorPrimaries_P3_D65),
      (kCMFormatDescriptionColorPrimaries_SMPTE_C, kCVImageBufferColorPrimaries_SMPTE_C),
      (
        kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG,
        kCVImageBufferTransferFunction_ITU_R_2100_HLG
      ),
      (
        kCMFormatDescriptionTransferFunction_ITU_R_709_2,
        kCVImageBufferTransferFunction_ITU_R_709_2
      ),
      (kCMFormatDescriptionTransferFunction_Linear, kCVImageBufferTransferFunction_Linear),
      (
        kCMFormatDescriptionTransferFunction_SMPTE_240M_1995,
        kCVImageBufferTransferFunction_SMPTE_240M_1995
      ),
      (
        kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ,
        kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
      ),
      (kCMFormatDescriptionTransferFunction_sRGB, kCVImageBufferTransferFunction_sRGB),
      (kCMFormatDescriptionYCbCrMatrix_ITU_R_2020, kCVImageBufferYCbCrMatrix_ITU_R_2020),
      (kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4, kCVImageBufferYCbCrMatrix_ITU_R_601_4),
      (kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2, kCVImageBufferYCbCrMatrix_ITU_R_709_2),
      (kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995, kCVImageBufferYCbCrMatrix_SMPTE_240M_1995),
    ]
    for (name, other) in names { #expect(name == other) }
  }

  @Test func a_writer_refuses_phone_and_dolby_file_types() {
    let kinds: [AVFileType] = [.mobile3GPP2, .amr, .ac3, .eac3, .au]
    #expect(Set(kinds.map(\.rawValue)).count == kinds.count)
    for kind in kinds {
      let url = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID())")
      let writer = try? AVAssetWriter(outputURL: url, fileType: kind)
      #expect(writer?.startWriting() != true)
    }
  }

  @Test func a_photo_proxy_is_accepted_as_the_photo() {
    #expect(PHAssetResourceType.photoProxy.rawValue == 19)
    #expect(PHAssetCreationRequest.supportsAssetResourceTypes([.photoProxy, .alternatePhoto]))
  }

  @Test func the_port_change_notification_has_apples_name() {
    #expect(
      NSNotification.Name.AVCaptureInputPortFormatDescriptionDidChange.rawValue
        == "AVCaptureInputPortFormatDescriptionDidChangeNotification")
  }

  @Test func nanosecond_constants_serve_as_time_scales() {
    let time = CMTime(seconds: 1.5, preferredTimescale: CMTimeScale(NSEC_PER_SEC))
    #expect(time.value == 1_500_000_000)
    #expect(NSEC_PER_USEC * USEC_PER_SEC == NSEC_PER_SEC)
    #expect(NSEC_PER_MSEC * MSEC_PER_SEC == NSEC_PER_SEC)
  }

  @Test func exif_orientation_numbers_match_orientation_transforms() {
    let image = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 8, height: 4))
    for number in 1...8 as ClosedRange<Int32> {
      let orientation = CGImagePropertyOrientation(rawValue: UInt32(number)) ?? .up
      #expect(
        image.orientationTransform(forExifOrientation: number)
          == image.orientationTransform(for: orientation))
    }
    #expect(image.orientationTransform(forExifOrientation: 9) == .identity)
  }
}
