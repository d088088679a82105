import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// A data output's frames in the pixel formats that programs ask for.
@Suite(.timeLimit(.minutes(10)))
struct DeliveredLayoutTests {
  /// Keeps the first frame.
  private final class Listener: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
    let frame = Mutex<CVPixelBuffer?>(nil)
    let dropped = Atomic<Int>(0)

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) {
      let own = CMSampleBufferGetImageBuffer(sampleBuffer)
      frame.withLock { if $0 == nil { $0 = own } }
    }
  }

  /// The mean of the bytes at some offsets in a patch of a plane.
  private func mean(
    _ frame: CVPixelBuffer, plane: Int, x: Int, y: Int, step: Int, offset: Int
  ) -> Int {
    let stride = frame.bytesPerRow(plane: plane)
    return frame.withUnsafeBytes(ofPlane: plane) { bytes in
      var sum = 0
      for row in 0..<4 {
        for column in 0..<4 { sum += Int(bytes[(y + row) * stride + (x + column) * step + offset]) }
      }
      return sum / 16
    }
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_422YpCbCr8,
    kCVPixelFormatType_422YpCbCr8_yuvs,
  ])
  func frames_arrive_in_the_requested_pixel_format(code: OSType) async throws {
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    // Before there is a device, as programs do.
    output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: code]
    let listener = Listener()
    output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "pictures"))
    rig.session.addOutput(output)
    #expect(output.availableVideoPixelFormatTypes.contains(code))
    #expect(output.videoSettings[kCVPixelBufferPixelFormatTypeKey] as? OSType == code)
    rig.session.startRunning()
    try await eventually("a frame arrives") { listener.frame.withLock { $0 } != nil }
    rig.session.stopRunning()
    let frame = try #require(listener.frame.withLock { $0 })
    #expect(CVPixelBufferGetPixelFormatType(frame) == code)
    #expect(CVPixelBufferGetWidth(frame) == 640 && CVPixelBufferGetHeight(frame) == 360)
    // The first bar is bright gray or white, without color.
    let (x, y) = (20, 40)
    switch code {
    case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB:
      let parts = (0..<4).map { mean(frame, plane: 0, x: x, y: y, step: 4, offset: $0) }
      let rgb = code == kCVPixelFormatType_32BGRA ? Array(parts[0..<3]) : Array(parts[1..<4])
      #expect((rgb.max() ?? 0) - (rgb.min() ?? 0) <= 2, "\(parts)")
      #expect(rgb[0] > 90)
      #expect(parts[code == kCVPixelFormatType_32BGRA ? 3 : 0] == 255)
    case kCVPixelFormatType_422YpCbCr8:
      #expect(abs(mean(frame, plane: 0, x: x, y: y, step: 4, offset: 0) - 128) <= 1)
    case kCVPixelFormatType_422YpCbCr8_yuvs:
      #expect(abs(mean(frame, plane: 0, x: x, y: y, step: 4, offset: 1) - 128) <= 1)
    default:
      #expect(abs(mean(frame, plane: 1, x: 10, y: 20, step: 2, offset: 1) - 128) <= 1)
      #expect(mean(frame, plane: 0, x: x, y: y, step: 1, offset: 0) > 90)
    }
  }
}
