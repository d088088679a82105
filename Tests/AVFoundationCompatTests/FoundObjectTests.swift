import AVFoundationCompat
import Testing

/// Objects that phones detect in video: a program that asks for them gets none.
@Suite struct FoundObjectTests {
  @Test func no_metadata_object_type_is_available() {
    let output = AVCaptureMetadataOutput()
    let kinds: [AVMetadataObject.ObjectType] = [
      .humanBody, .humanFullBody, .catBody, .dogBody, .salientObject,
    ]
    #expect(Set(kinds).count == 5)
    output.metadataObjectTypes = kinds
    #expect(output.metadataObjectTypes.isEmpty)
    #expect(!kinds.contains { output.availableMetadataObjectTypes.contains($0) })
  }

  @Test func code_that_handles_metadata_objects_compiles() {
    /// As programs do with what a delegate or a synchronizer delivers.
    func describe(_ object: AVMetadataObject) -> [any Sendable] {
      switch object {
      case let face as AVMetadataFaceObject:
        [face.faceID, face.hasRollAngle, face.rollAngle, face.hasYawAngle, face.yawAngle]
      case let body as AVMetadataHumanBodyObject: [body.bodyID]
      case is AVMetadataHumanFullBodyObject, is AVMetadataCatBodyObject,
        is AVMetadataDogBodyObject:
        [(object as? AVMetadataBodyObject)?.bodyID]
      case let salient as AVMetadataSalientObject: [salient.objectID]
      case let code as AVMetadataMachineReadableCodeObject:
        [code.corners, code.descriptor as CIBarcodeDescriptor?]
      default: [object.duration]
      }
    }
    func found(_ data: AVCaptureSynchronizedData?) -> Int {
      let metadata = data as? AVCaptureSynchronizedMetadataObjectData
      return metadata?.metadataObjects.flatMap(describe).count ?? 0
    }
    #expect(found(nil) == 0)
    let inOutput = AVCaptureVideoDataOutput.transformedMetadataObject
    let inLayer = AVCaptureVideoPreviewLayer.transformedMetadataObject
    #expect("\(type(of: inOutput))" != "\(type(of: inLayer))")
  }

  @Test func samples_have_no_camera_calibration() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &made)
    let sample = CMSampleBuffer(.video(try #require(made)), presentationTimeStamp: .zero)
    let key = kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix
    #expect(CMGetAttachment(sample, key: key, attachmentModeOut: nil) == nil)
    func describe(_ calibration: AVCameraCalibrationData) -> [any Sendable] {
      [
        calibration.intrinsicMatrixReferenceDimensions, calibration.pixelSize,
        calibration.lensDistortionCenter, calibration.lensDistortionLookupTable,
        calibration.inverseLensDistortionLookupTable,
      ]
    }
    let none: AVCameraCalibrationData? = nil
    #expect(none.map(describe)?.count == nil)
  }
}
