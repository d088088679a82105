import AVFoundationCompat
import Testing

/// Inputs and outputs that no session accepts.
@Suite struct RefusedPartTests {
  @Test func audio_preview_outputs_are_refused() {
    let session = AVCaptureSession()
    let preview = AVCaptureAudioPreviewOutput()
    preview.volume = 0.5
    preview.outputDeviceUniqueID = "speakers"
    #expect(preview.volume == 0 && preview.outputDeviceUniqueID == nil)
    #expect(!session.canAddOutput(preview))
    session.addOutput(preview)
    #expect(session.outputs.isEmpty)
  }

  @Test func metadata_inputs_are_refused() throws {
    var description: CMFormatDescription?
    let specification: [String: Any] = [
      kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier:
        "mdta/com.apple.quicktime.still-image-time",
      kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType:
        kCMMetadataBaseDataType_SInt8,
    ]
    CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
      allocator: nil, metadataType: kCMMetadataFormatType_Boxed,
      metadataSpecifications: [specification], formatDescriptionOut: &description)
    let input = AVCaptureMetadataInput(
      formatDescription: try #require(description), clock: CMClockGetHostTimeClock())
    #expect(input.ports.isEmpty && input.formatDescription.mediaType == .metadata)
    #expect(CMTimeCompare(input.clock.time, CMClockGetHostTimeClock().time) <= 0)
    let session = AVCaptureSession()
    #expect(!session.canAddInput(input))
    session.addInput(input)
    #expect(session.inputs.isEmpty)
    #expect(throws: AVError.self) {
      try input.append(AVTimedMetadataGroup(items: [], timeRange: .zero))
    }
  }
}
