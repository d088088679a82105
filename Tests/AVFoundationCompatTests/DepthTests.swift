import AVFoundationCompat
import TestSupport
import Testing

/// Depth and deferred photos: unavailable, and reported as such to programs that ask.
@Suite(.timeLimit(.minutes(10))) struct DepthTests {
  let rig: PatternRig

  init() throws { rig = try PatternRig() }

  private final class Listener: AVCaptureDepthDataOutputDelegate, AVCapturePhotoCaptureDelegate,
    AVCaptureDataOutputSynchronizerDelegate
  {
    func depthDataOutput(
      _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
      connection: AVCaptureConnection
    ) {
      #expect(Self.isNothing(depthData))
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
      error: (any Error)?
    ) {
      Issue.record("\(String(describing: deferredPhotoProxy?.fileDataRepresentation()))")
    }

    func dataOutputSynchronizer(
      _ synchronizer: AVCaptureDataOutputSynchronizer,
      didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) {
      for case let depth as AVCaptureSynchronizedDepthData in synchronizedDataCollection {
        #expect(depth.depthDataWasDropped && Self.isNothing(depth.depthData))
      }
    }

    /// False if there is depth data, which is a fault here.
    private static func isNothing(_ depth: AVDepthData) -> Bool {
      let meters = depth.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32)
      return meters.depthDataType == 0 && meters.depthDataMap.width == 0
        && meters.depthDataQuality == .low && meters.depthDataAccuracy == .relative
    }
  }

  @Test func a_depth_output_has_no_connection_but_can_be_synchronized() throws {
    let session = AVCaptureSession()
    session.addInput(try AVCaptureDeviceInput(device: rig.device))
    let (frames, depth) = (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput())
    session.addOutput(frames)
    if session.canAddOutput(depth) { session.addOutput(depth) }
    depth.isFilteringEnabled = true
    depth.alwaysDiscardsLateDepthData = false
    let listener = Listener()
    depth.setDelegate(listener, callbackQueue: .main)
    #expect(depth.connection(with: .depthData) == nil && depth.connections.isEmpty)
    #expect(!depth.isFilteringEnabled && depth.alwaysDiscardsLateDepthData)
    #expect(depth.delegate == nil && depth.delegateCallbackQueue == nil)
    let device = rig.device
    #expect(device.activeFormat.supportedDepthDataFormats.isEmpty)
    device.activeDepthDataFormat = device.activeFormat
    device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 30)
    #expect(device.activeDepthDataFormat == nil)
    #expect(!device.activeDepthDataMinFrameDuration.isValid)
    let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [frames, depth])
    synchronizer.setDelegate(listener, queue: DispatchQueue(label: "depth"))
    #expect(synchronizer.error == nil && synchronizer.delegate === listener)
    synchronizer.setDelegate(nil, queue: nil)
  }

  @Test func photo_delivery_is_never_deferred() {
    let output = AVCapturePhotoOutput()
    output.isAutoDeferredPhotoDeliveryEnabled = output.isAutoDeferredPhotoDeliverySupported
    #expect(!output.isAutoDeferredPhotoDeliveryEnabled)
    let proxy: AVCapturePhoto.Type = AVCaptureDeferredPhotoProxy.self
    #expect(proxy != AVCapturePhoto.self)
  }

  @Test func an_error_names_its_subject_in_its_message() {
    let error = AVError(.diskFull, "/clips is full after 3 s")
    for key in [AVErrorDeviceKey, AVErrorTimeKey, AVErrorFileSizeKey, AVErrorPIDKey] {
      #expect(error.userInfo[key] == nil && key.hasPrefix("AVError"))
    }
    #expect(error.localizedDescription.contains("/clips"))
  }
}
