import AVFoundationCompat
import TestSupport
import Testing

/// Single frames through the older API.
@Suite(.timeLimit(.minutes(10)))
struct StillImageTests {
  private let rig: PatternRig
  private let output = AVCaptureStillImageOutput()

  init() throws {
    rig = try PatternRig()
    rig.session.addOutput(output)
  }

  private func capture(
    _ output: AVCaptureStillImageOutput, from connection: AVCaptureConnection
  ) async throws -> CMSampleBuffer {
    let result = await withCheckedContinuation { continuation in
      output.captureStillImageAsynchronously(from: connection) { sample, error in
        continuation.resume(
          returning: Result { () throws -> CMSampleBuffer in
            if let error { throw error }
            return try #require(sample)
          })
      }
    }
    return try result.get()
  }

  @Test func a_captured_still_becomes_a_jpeg_file() async throws {
    #expect(output.outputSettings[AVVideoCodecKey] as? String == AVVideoCodecJPEG)
    #expect(output.availableImageDataCodecTypes == [.jpeg])
    let connection = try #require(output.connection(with: .video))
    rig.session.startRunning()
    defer { rig.session.stopRunning() }
    let sample = try await capture(output, from: connection)
    let file = try #require(AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample))
    #expect(file.prefix(2) == Data([0xFF, 0xD8]))
    output.outputSettings = [
      AVVideoCodecKey: AVVideoCodecType.jpeg,
      AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 0.1],
    ]
    let rough = try #require(
      AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(
        try await capture(output, from: connection)))
    #expect(rough.count < file.count)
    #expect(!output.isCapturingStillImage)
  }

  @Test func a_still_image_has_the_requested_pixel_format() async throws {
    let connection = try #require(output.connection(with: .video))
    rig.session.startRunning()
    defer { rig.session.stopRunning() }
    for code in output.availableImageDataCVPixelFormatTypes {
      output.outputSettings = [kCVPixelBufferPixelFormatTypeKey: code]
      #expect(output.outputSettings[kCVPixelBufferPixelFormatTypeKey] as? OSType == code)
      let frame = try #require(
        CMSampleBufferGetImageBuffer(try await capture(output, from: connection)))
      #expect(CVPixelBufferGetPixelFormatType(frame) == code)
      #expect(CVPixelBufferGetWidth(frame) == 640 && CVPixelBufferGetHeight(frame) == 360)
    }
  }

  @Test func an_impossible_still_capture_reports_its_reason() async throws {
    let connection = try #require(output.connection(with: .video))
    func code(_ connection: AVCaptureConnection) async -> AVError.Code? {
      do {
        _ = try await capture(output, from: connection)
        return nil
      } catch { return (error as? AVError)?.code }
    }
    #expect(await code(connection) == .sessionNotRunning)
    rig.session.startRunning()
    defer { rig.session.stopRunning() }
    let foreign = try #require(rig.output.connection(with: .video))
    #expect(await code(foreign) == .operationNotAllowed)
    for wrong: [String: Any] in [
      [AVVideoCodecKey: AVVideoCodecType.hevc], [AVVideoCodecKey: AVVideoCodecType.h264],
      [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 64],
      ["Fast": true],
    ] {
      output.outputSettings = wrong
      #expect(await code(connection) == .unsupportedOutputSettings)
    }
    output.outputSettings = nil
    #expect(await code(connection) == nil)
    connection.isEnabled = false
    #expect(await code(connection) == .sessionNotRunning)
  }

  @Test func pending_captures_are_limited_and_end_with_the_session() async throws {
    let connection = try #require(output.connection(with: .video))
    let codes = AsyncStream.makeStream(of: AVError.Code?.self)
    let (entered, left) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    rig.session.startRunning()
    // Nothing else is delivered while a handler runs.
    output.captureStillImageAsynchronously(from: connection) { _, error in
      entered.continuation.yield()
      left.wait()
      codes.continuation.yield((error as? AVError)?.code)
    }
    for await _ in entered.stream { break }
    for _ in 0..<9 {
      output.captureStillImageAsynchronously(from: connection) { _, error in
        codes.continuation.yield((error as? AVError)?.code)
      }
    }
    #expect(output.isCapturingStillImage)
    rig.session.stopRunning()
    left.signal()
    var found: [AVError.Code?] = []
    for await code in codes.stream {
      found.append(code)
      if found.count == 10 { break }
    }
    #expect(found.count { $0 == .maximumStillImageCaptureRequestsExceeded } == 1)
    let others: [AVError.Code?] = [
      nil, .sessionNotRunning, .maximumStillImageCaptureRequestsExceeded,
    ]
    #expect(found.allSatisfy(others.contains) && !output.isCapturingStillImage)
  }

  @Test func a_still_image_output_refuses_raw_sensors() async throws {
    let session = AVCaptureSession()
    let sensor = try #require(AVCaptureDevice(uniqueID: "pattern:raw"))
    session.addInput(try AVCaptureDeviceInput(device: sensor))
    let output = AVCaptureStillImageOutput()
    session.addOutput(output)
    #expect(output.availableImageDataCodecTypes.isEmpty)
    #expect(output.availableImageDataCVPixelFormatTypes.isEmpty)
    session.startRunning()
    defer { session.stopRunning() }
    let connection = try #require(output.connection(with: .video))
    await #expect {
      _ = try await capture(output, from: connection)
    } throws: { ($0 as? AVError)?.code == .formatUnsupported }
  }

  @Test func phone_still_image_features_are_unsupported() {
    output.automaticallyEnablesStillImageStabilizationWhenAvailable = true
    output.isHighResolutionStillImageOutputEnabled = true
    #expect(!output.automaticallyEnablesStillImageStabilizationWhenAvailable)
    #expect(!output.isHighResolutionStillImageOutputEnabled)
    #expect(!output.isStillImageStabilizationSupported && !output.isStillImageStabilizationActive)
  }
}
