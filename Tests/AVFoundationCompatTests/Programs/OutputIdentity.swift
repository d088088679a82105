import AVFoundationCompat

/// One delegate of two outputs, told apart by comparing objects.
final class OutputIdentity: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable
{
  let session = AVCaptureSession()
  private var videoOutput: AVCaptureVideoDataOutput?
  private var audioOutput: AVCaptureAudioDataOutput?
  private let queue = DispatchQueue(label: "samples")
  private let enough = DispatchSemaphore(value: 0)
  private var counts: [AVCaptureOutput: Int] = [:]
  private var strangers = 0

  /// Adds an output unless it is there already.
  func add<Output: AVCaptureOutput>(_ output: Output) -> Output? {
    guard !session.outputs.contains(output), session.canAddOutput(output) else { return nil }
    session.addOutput(output)
    return output
  }

  func setUp() throws {
    session.beginConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    if let microphone = AVCaptureDevice(uniqueID: "tone"),
      let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
    {
      session.addInput(input)
    }
    videoOutput = add(AVCaptureVideoDataOutput())
    audioOutput = add(AVCaptureAudioDataOutput())
    videoOutput?.alwaysDiscardsLateVideoFrames = true
    videoOutput?.setSampleBufferDelegate(self, queue: queue)
    audioOutput?.setSampleBufferDelegate(self, queue: queue)
    session.commitConfiguration()
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    switch output {
    case videoOutput: counts[output, default: 0] += 1
    case audioOutput: counts[output, default: 0] += 1
    default: strangers += 1
    }
    if output == videoOutput, connection.output === output, counts[output] == 3 { enough.signal() }
  }

  func waitForFrames() -> Bool {
    session.startRunning()
    defer { session.stopRunning() }
    return enough.wait(timeout: .now() + 60) == .success
  }

  func check() throws {
    let kinds: [String] = session.outputs.map { output in
      switch output {
      case is AVCaptureVideoDataOutput: "video"
      case is AVCaptureAudioDataOutput: "audio"
      case let file as AVCaptureFileOutput: "file \(file.isRecording)"
      default: "?"
      }
    }
    expect(kinds == ["video", "audio"], "outputs are \(kinds)")
    queue.sync {
      expect(strangers == 0, "a sample came from an output that is not ours")
      expect(videoOutput.map { (counts[$0] ?? 0) >= 3 } == true, "frames were not counted")
    }
    let cameras = session.inputs.compactMap { $0 as? AVCaptureDeviceInput }
      .filter { $0.device.hasMediaType(.video) }
    guard let camera = cameras.first else { throw AVError(.deviceNotConnected) }
    expect(session.inputs.contains(camera), "the input is not among the session's")
    expect(Set(session.inputs).contains(camera), "inputs cannot form a set")
    if let output = videoOutput {
      expect(add(output) == nil, "an output was added twice")
      session.removeOutput(output)
      expect(!session.outputs.contains { $0 == output }, "an output remains after its removal")
    }
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
    expect([input].firstIndex(of: input) == 0, "writers' inputs cannot be compared")
  }

  static func run() async throws {
    let program = OutputIdentity()
    try program.setUp()
    expect(program.waitForFrames(), "no frames arrived")
    try program.check()
  }
}
