import AVFoundationCompat

/// A view's preview: the layer shows the session, whatever draws it.
final class PreviewLayer: @unchecked Sendable {
  private let previewLayer = AVCaptureVideoPreviewLayer()
  private let drawn = DispatchSemaphore(value: 0)

  var session: AVCaptureSession? {
    get { previewLayer.session }
    set { previewLayer.session = newValue }
  }

  func layOut(in bounds: CGRect) {
    previewLayer.videoGravity = .resizeAspectFill
    previewLayer.frame = bounds
    if let connection = previewLayer.connection, connection.isVideoOrientationSupported {
      connection.videoOrientation = .landscapeRight
    }
    #if os(Linux)
    previewLayer.setFrameHandler(queue: .global()) { [drawn] frame in
      if CVPixelBufferGetHeight(frame) > 0 { drawn.signal() }
    }
    #endif
  }

  func waitForFrame() -> Bool { drawn.wait(timeout: .now() + 60) == .success }

  func devicePoint(of point: CGPoint) -> CGPoint {
    previewLayer.captureDevicePointConverted(fromLayerPoint: point)
  }

  static func run() async throws {
    let session = AVCaptureSession()
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    let view = PreviewLayer()
    view.session = session
    view.layOut(in: CGRect(x: 0, y: 0, width: 640, height: 640))
    let middle = view.devicePoint(of: CGPoint(x: 320, y: 320))
    expect(abs(middle.x - 0.5) < 1e-6 && abs(middle.y - 0.5) < 1e-6, "the middle is at \(middle)")
    // The video is wider than the layer, so the layer's left edge lies within it.
    let left = view.devicePoint(of: CGPoint(x: 0, y: 320))
    expect(left.x > 0.2 && left.x < 0.23, "the left edge is at \(left)")
    let back = view.previewLayer.layerPointConverted(fromCaptureDevicePoint: left)
    expect(abs(back.x) < 1e-6 && abs(back.y - 320) < 1e-6, "a point is converted back to \(back)")
    let whole = view.previewLayer.layerRectConverted(
      fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1))
    expect(whole.width > 1137 && whole.width < 1138 && whole.height == 640, "\(whole)")
    session.startRunning()
    expect(view.waitForFrame(), "nothing was shown")
    expect(view.previewLayer.isPreviewing, "the layer shows nothing")
    session.stopRunning()
    view.session = nil
    expect(session.outputs.isEmpty, "the layer remains in its session")
  }
}
