import AVFoundationCompat

/// A filter that wants BGRA, and takes the camera's own pixel format if that is refused.
final class LayoutFallback: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable
{
  private let session = AVCaptureSession()
  private lazy var output: AVCaptureVideoDataOutput = {
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = true
    return output
  }()
  private let first = DispatchSemaphore(value: 0)
  private var layout: OSType?
  private var brightness = 0

  func start() throws -> OSType? {
    session.beginConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    session.addOutput(output)
    session.commitConfiguration()
    let wanted = [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    let available = output.availableVideoPixelFormatTypes
    let choice = wanted.first(where: available.contains) ?? available.first
    if let choice {
      output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(choice)]
    }
    output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "filter"))
    session.startRunning()
    return choice
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard layout == nil, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    CVPixelBufferLockBaseAddress(pixels, CVPixelBufferLockFlags.readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let isPlanar = CVPixelBufferIsPlanar(pixels)
    let address =
      isPlanar
      ? CVPixelBufferGetBaseAddressOfPlane(pixels, 0) : CVPixelBufferGetBaseAddress(pixels)
    let stride =
      isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) : CVPixelBufferGetBytesPerRow(pixels)
    if let address {
      let bytes = address.assumingMemoryBound(to: UInt8.self)
      for row in 0..<CVPixelBufferGetHeight(pixels) { brightness += Int(bytes[row * stride + 1]) }
    }
    layout = CVPixelBufferGetPixelFormatType(pixels)
    first.signal()
  }

  func stop() -> (layout: OSType?, brightness: Int) {
    let result = first.wait(timeout: .now() + 60)
    session.stopRunning()
    expect(result == .success, "no frame arrived")
    return (layout, brightness)
  }

  static func run() async throws {
    let program = LayoutFallback()
    let choice = try program.start()
    let (layout, brightness) = program.stop()
    expect(choice != nil && layout == choice, "asked for \(choice ?? 0), got \(layout ?? 0)")
    expect(brightness > 0, "the frame is black")
  }
}
