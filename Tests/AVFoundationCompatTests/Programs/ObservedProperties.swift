import AVFoundationCompat

/// A model that follows a session and its recording by observing their properties.
final class ObservedProperties: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable
{
  private let session = AVCaptureSession()
  private let movieOutput = AVCaptureMovieFileOutput()
  private var observations: [NSKeyValueObservation] = []
  private let lock = NSLock()
  private var running: [Bool] = []
  private var recording: [Bool] = []
  private let finished = DispatchSemaphore(value: 0)

  override init() {
    super.init()
    observations.append(
      session.observe(\.isRunning, options: [.initial, .new]) { [weak self] _, change in
        guard let self, let value = change.newValue else { return }
        self.lock.withLock { self.running.append(value) }
      })
    observations.append(
      movieOutput.observe(\.isRecording, options: [.old, .new]) { [weak self] _, change in
        guard let self, change.oldValue != change.newValue else { return }
        self.lock.withLock { self.recording.append(change.newValue ?? false) }
      })
  }

  func run(to url: URL) throws {
    let device = try AVCaptureDevice.testCamera()
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(movieOutput)
    let exposure = device.observe(\.isAdjustingExposure, options: .new) { _, _ in
      expect(false, "exposure is adjusted")
    }
    defer { exposure.invalidate() }
    session.startRunning()
    movieOutput.maxRecordedDuration = CMTime(value: 5, timescale: 25)
    movieOutput.startRecording(to: url, recordingDelegate: self)
    expect(finished.wait(timeout: .now() + 60) == .success, "the recording did not end")
    session.stopRunning()
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) { finished.signal() }

  func waitForChanges() {
    let deadline = Date().addingTimeInterval(60)
    while Date() < deadline {
      if lock.withLock({ running.last == false && running.count >= 3 && recording.last == false }) {
        break
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    observations.forEach { $0.invalidate() }
    lock.withLock {
      expect(running == [false, true, false], "isRunning was \(running)")
      expect(recording == [true, false], "isRecording was \(recording)")
    }
  }

  static func run() async throws {
    let program = ObservedProperties()
    try program.run(to: scratchURL("observed.mov"))
    program.waitForChanges()
  }
}
