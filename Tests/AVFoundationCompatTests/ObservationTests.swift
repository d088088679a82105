import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// `observe` in place of key-value observing.
@Suite(.timeLimit(.minutes(10))) struct ObservationTests {
  private let rig: PatternRig

  init() throws { rig = try PatternRig() }

  private final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func append(_ value: Value) { values.withLock { $0.append(value) } }
  }

  @Test func a_change_is_reported_with_the_requested_options() async throws {
    let reported = Log<[Bool?]>()
    let first = Log<[Bool?]>()
    let both = rig.session.observe(\.isRunning, options: [.old, .new]) {
      (session: AVCaptureSession, change: NSKeyValueObservedChange<Bool>) in
      #expect(change.kind == NSKeyValueChange.setting && !change.isPrior && change.indexes == nil)
      reported.append([change.oldValue, change.newValue])
    }
    let token: NSKeyValueObservation = rig.session.observe(\.isRunning, options: [.initial]) {
      first.append([$1.oldValue, $1.newValue])
    }
    #expect(first.all == [[nil, nil]] && reported.all.isEmpty)
    rig.session.startRunning()
    try await eventually("the start is reported") { reported.all == [[false, true]] }
    token.invalidate()
    rig.session.stopRunning()
    try await eventually("the stop is reported") {
      reported.all == [[false, true], [true, false]]
    }
    #expect(first.all.count <= 2, "an observation continues after its end")
    both.invalidate()
  }

  @Test func an_observation_ends_with_its_token_or_object() async throws {
    let reported = Log<Bool>()
    weak var gone: AVCaptureSession?
    var token: NSKeyValueObservation?
    do {
      let session = AVCaptureSession()
      gone = session
      token = session.observe(\.isInterrupted, options: .initial) { _, _ in reported.append(true) }
    }
    #expect(gone == nil, "a token retains its object")
    #expect(reported.all == [true])
    token = nil
    do {
      _ = rig.session.observe(\.isRunning, options: [.new]) { _, _ in reported.append(false) }
    }
    rig.session.startRunning()
    try await Task.sleep(for: .milliseconds(60))
    rig.session.stopRunning()
    #expect(reported.all == [true] && token == nil)
  }

  @Test func properties_used_by_recorders_can_be_observed() async throws {
    let options: NSKeyValueObservingOptions = [.initial, .new, .prior]
    let device = rig.device
    let answers = Log<String>()
    var tokens: [NSKeyValueObservation] = []
    tokens.append(
      rig.session.observe(\.isInterrupted, options: options) { _, _ in answers.append("interrupted")
      })
    tokens.append(
      rig.output.observe(\.isRecording, options: options) { _, _ in answers.append("recording") })
    tokens.append(
      rig.output.observe(\.outputFileURL, options: options) { _, _ in answers.append("file") })
    tokens.append(
      device.observe(\.isAdjustingFocus, options: options) { _, _ in answers.append("focus") })
    tokens.append(
      device.observe(\.isAdjustingExposure, options: options) { _, _ in answers.append("exposure") }
    )
    tokens.append(
      device.observe(\.isAdjustingWhiteBalance, options: options) { _, _ in answers.append("white")
      })
    tokens.append(
      device.observe(\.exposureMode, options: options) { _, _ in answers.append("mode") })
    tokens.append(
      device.observe(\.activeFormat, options: options) { _, _ in answers.append("format") })
    tokens.append(
      device.observe(\.videoZoomFactor, options: options) { _, _ in answers.append("zoom") })
    tokens.append(
      device.observe(\.isConnected, options: options) { _, _ in answers.append("connected") })
    let layer = AVCaptureVideoPreviewLayer()
    tokens.append(
      layer.observe(\.isPreviewing, options: options) { _, _ in answers.append("preview") })
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
    tokens.append(
      input.observe(\.isReadyForMoreMediaData, options: options) { _, _ in answers.append("ready") }
    )
    let observed: any AVKeyValueObservable = input
    #expect(observed === input && answers.all.count == tokens.count && tokens.count == 12)
  }

  @Test func readiness_of_an_input_can_be_observed() async throws {
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    writer.add(input)
    let states = Log<Bool>()
    let token = input.observe(\.isReadyForMoreMediaData, options: .new) { input, change in
      states.append(change.newValue == true)
    }
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    try await eventually("the input is ready") { states.all.first == true }
    token.invalidate()
    writer.cancelWriting()
  }
}
