import AVFoundationCompat

/// How a recorder handles errors: by code, from notifications, from delegates.
final class ErrorHandling: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  enum Reaction: Equatable { case restart, tellUser(String), ignore }

  private let session = AVCaptureSession()
  private let output = AVCaptureMovieFileOutput()
  private let ended = DispatchSemaphore(value: 0)
  private var ending: (any Error)?
  private var tokens: [any NSObjectProtocol] = []

  func reaction(to notification: Notification) -> Reaction {
    guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else {
      return .ignore
    }
    switch error.code {
    case .mediaServicesWereReset, .sessionWasInterrupted: return .restart
    case .diskFull: return .tellUser("no room")
    case .deviceWasDisconnected, .deviceNotConnected, .deviceInUseByAnotherApplication,
      .deviceAlreadyUsedByAnotherSession:
      return .tellUser("no camera")
    case .maximumDurationReached, .maximumFileSizeReached: return .ignore
    default: return .tellUser(error.localizedDescription)
    }
  }

  func observe() {
    let center = NotificationCenter.default
    tokens.append(
      center.addObserver(
        forName: .AVCaptureSessionRuntimeError, object: session, queue: nil
      ) { [weak self] notification in _ = self?.reaction(to: notification) })
    tokens.append(
      center.addObserver(forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil) {
        notification in
        let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
        let reason = value.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
        switch reason {
        case .videoDeviceInUseByAnotherClient?, .audioDeviceInUseByAnotherClient?: break
        case .videoDeviceNotAvailableWithMultipleForegroundApps?: break
        default: break
        }
      })
  }

  func stopObserving() { tokens.forEach(NotificationCenter.default.removeObserver) }

  func recordIntoNowhere() throws -> (any Error)? {
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    session.addOutput(output)
    session.startRunning()
    defer { session.stopRunning() }
    output.startRecording(
      to: scratchURL("no such folder").appendingPathComponent("a.mov"), recordingDelegate: self)
    expect(ended.wait(timeout: .now() + 60) == .success, "the delegate was not called")
    return ending
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    ending = error
    ended.signal()
  }

  static func run() async throws {
    let program = ErrorHandling()
    program.observe()
    defer { program.stopObserving() }
    let cases: [(AVError.Code, Reaction)] = [
      (.mediaServicesWereReset, .restart), (.diskFull, .tellUser("no room")),
      (.deviceNotConnected, .tellUser("no camera")), (.maximumDurationReached, .ignore),
    ]
    for (code, wanted) in cases {
      let notification = Notification(
        name: .AVCaptureSessionRuntimeError, object: program.session,
        userInfo: [AVCaptureSessionErrorKey: AVError(code)])
      expect(program.reaction(to: notification) == wanted, "\(code) causes another reaction")
    }
    let error = try program.recordIntoNowhere()
    expect(error is AVError, "the error is \(String(describing: error))")
    do {
      if let error { throw error }
      expect(false, "a movie was recorded into a missing folder")
    } catch AVError.diskFull, AVError.maximumDurationReached {
      expect(false, "the reason differs")
    } catch let error as AVError where error.code != .unknown || !error.localizedDescription.isEmpty
    {
      expect(AVError.errorDomain == AVFoundationErrorDomain, "the domain differs")
    }
    let code = AVError.Code(rawValue: -11_819)
    expect(code == .mediaServicesWereReset, "Apple's number means something else")
    expect(AVError(.serverIncorrectlyConfigured).errorCode == -11_850, "a number differs")
  }
}
