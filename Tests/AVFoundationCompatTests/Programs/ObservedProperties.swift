import AVFoundationCompat

/// A model that observes the properties of a session and its recording.
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
    movieOutput.startRecording(to: url, recordingDelegate: self)
    wait("the start") { $0 == [false, true] && $1 == [true] }
    movieOutput.stopRecording()
    expect(finished.wait(timeout: .now() + 60) == .success, "the recording did not end")
    wait("the end of the recording") { $1 == [true, false] }
    session.stopRunning()
    wait("the end") { $0 == [false, true, false] && $1 == [true, false] }
    observations.forEach { $0.invalidate() }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) { finished.signal() }

  /// Waits until the observed values are the expected ones.
  private func wait(_ what: String, _ isReached: ([Bool], [Bool]) -> Bool) {
    let deadline = Date().addingTimeInterval(60)
    while Date() < deadline {
      if lock.withLock({ isReached(running, recording) }) { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    lock.withLock { expect(false, "\(what): running \(running), recording \(recording)") }
  }

  static func run() async throws {
    let program = ObservedProperties()
    try program.run(to: scratchURL("observed.mov"))
  }
}
