import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import TakeReports

/// One audio source on its way to the writer: placed on the timeline, measured and counted.
struct AudioTrackRecording {
  /// Whether more is to come.
  enum Flow: Equatable {
    /// Nothing came yet.
    case awaited
    case flowing
    /// Nothing comes any more: the rest is silence.
    case ended
  }

  let connection: CaptureConnection
  let format: AudioFormat
  private let receiver: AssetWriterInput.SampleBufferReceiver
  private(set) var aligner: AudioAligner
  private var meter: AudioMeter
  private var recentMeter: AudioMeter
  private var account: RecordingReport.Audio
  private(set) var flow: Flow
  /// True once the stream's thread is in the report.
  private var hasBegun = false
  /// Samples without a place before the take began.
  private var trimmedBefore: Int64 = 0
  /// True once the report says that the audio ended early.
  private var endIsNoted = false

  init(_ plan: RecordingPlan.Audio, receiver: AssetWriterInput.SampleBufferReceiver) {
    connection = plan.connection
    format = plan.format
    self.receiver = receiver
    aligner = AudioAligner(format: plan.format)
    meter = AudioMeter(channelCount: plan.format.channelCount)
    recentMeter = meter
    account = RecordingReport.Audio(plan, rate: plan.format)
    flow = plan.connection.isActive ? .awaited : .ended
  }

  var hasEnded: Bool { flow == .ended }
  /// True where the end of the take need not wait for it.
  var isComplete: Bool { aligner.isComplete || hasEnded }
  /// The peaks since the last ``resetRecentPeaks()``.
  var recentPeaks: [Double?] { recentMeter.peaks.map(AudioMeter.decibels) }

  mutating func resetRecentPeaks() { recentMeter.reset() }

  // MARK: Runs

  /// Frames are recorded from a source's instant on, starting at a slot.
  mutating func beginRun(at time: MediaTime, slot: Int64, rate: FrameRate) -> [AudioAligner.Piece] {
    aligner.begin(sourceStart: time, fileStart: format.samples(toSlot: slot, at: rate))
  }

  /// No frames are recorded from a slot on.
  mutating func endRun(at slot: Int64, rate: FrameRate) {
    aligner.end(fileEnd: format.samples(toSlot: slot, at: rate))
  }

  /// The first slot that begins at or after the end of the audio so far.
  func firstSlot(at rate: FrameRate) -> Int64 {
    let end = aligner.position
    let time = MediaTime(value: end, timescale: Int32(clamping: format.sampleRate))
    guard let slot = rate.frameIndex(nearest: time) else { return 0 }
    return format.samples(toSlot: slot, at: rate) < end ? slot + 1 : slot
  }

  /// The frames report anew where the source's instants lie.
  mutating func follow(_ timeline: SourceTimeline) { aligner.follow(timeline) }

  // MARK: Audio

  /// True where a buffer is what the track was set up for.
  func accepts(_ buffer: AudioBuffer) -> Bool {
    buffer.format.sampleRate == format.sampleRate
      && buffer.format.channelCount == format.channelCount
  }

  /// Records that audio flows.
  ///
  /// - Returns: True for the first time.
  mutating func noteFlow() -> Bool {
    // Audio that came back may end again, which is noted again.
    if flow == .ended { endIsNoted = false }
    flow = .flowing
    defer { hasBegun = true }
    return !hasBegun
  }

  /// Places audio that arrived.
  ///
  /// - Parameter isHeard: True if the live meter shows it.
  mutating func push(_ sample: SampleBuffer, _ buffer: AudioBuffer, isHeard: Bool)
    -> [AudioAligner.Piece]
  {
    if isHeard { recentMeter.measure(buffer) }
    return aligner.push(
      buffer, at: sample.presentationTimeStamp, precedingLoss: sample.attachments.precedingLoss)
  }

  /// Nothing comes any more.
  mutating func end() { flow = .ended }

  /// Silence from the end of the audio up to a slot.
  mutating func silence(toSlot slot: Int64, rate: FrameRate) -> [AudioAligner.Piece] {
    let end = format.samples(toSlot: slot, at: rate)
    var pieces: [AudioAligner.Piece] = []
    while let piece = aligner.silence(upTo: end) { pieces.append(piece) }
    return pieces
  }

  /// True where it has ended and a slot lies further behind its end than half a frame.
  func endsEarly(at slot: Int64, rate: FrameRate) -> Bool {
    let halfFrame = format.samples(toSlot: 1, at: rate) / 2
    return hasEnded && format.samples(toSlot: slot, at: rate) - aligner.position > halfFrame
  }

  /// - Returns: False if the report already says that the audio ended.
  mutating func noteEnd() -> Bool {
    defer { endIsNoted = true }
    return !endIsNoted
  }

  /// What became of a piece that was handed to the writer.
  enum Outcome {
    case written
    /// Its samples are lost, for the reason.
    case lost(DropReason)
    /// As ``lost(_:)``, and the writer has failed.
    case failed(AssetWriterError)
  }

  /// Hands a piece to the writer. What stands between two pieces becomes silence there.
  mutating func write(_ piece: AudioAligner.Piece) -> Outcome {
    let sample = SampleBuffer(
      .audio(piece.buffer),
      presentationTimeStamp: MediaTime(
        value: piece.position, timescale: Int32(clamping: format.sampleRate)),
      duration: piece.buffer.duration)
    account.received += Int64(piece.buffer.frameCount - piece.silence)
    account.silence += Int64(piece.silence)
    meter.measure(piece.buffer)
    do throws(AssetWriterError) {
      return try receiver.appendImmediately(sample) ? .written : .lost(.encoderBusy)
    } catch {
      return switch error.code {
      case .formatMismatch, .timeNotIncreasing, .invalidTime: .lost(.discontinuity)
      default: .failed(error)
      }
    }
  }

  // MARK: Account

  mutating func lose(_ count: Int, _ reason: DropReason) {
    account.lost += Int64(count)
    account.lostByReason[reason.rawValue, default: 0] += Int64(count)
  }

  /// Counts what lies in the file when a take begins with a pre-roll.
  ///
  /// - Parameter lost: What the track is known to have lost there, by reason.
  mutating func restartAccount(from slot: Int64, rate: FrameRate, lost: [String: Int64]) {
    account.received = max(aligner.position - format.samples(toSlot: slot, at: rate), 0)
    account.silence = 0
    trimmedBefore = aligner.trimmed
    endIsNoted = false
    account.lostByReason = lost
    account.lost = lost.values.reduce(0, +)
    meter.reset()
  }

  /// The account, with what the writer did with it.
  func summary(_ written: AssetWriter.Report.AudioTrack) -> RecordingReport.Audio {
    var summary = account
    summary.written = written.samplesWritten
    summary.silence += written.samplesOfSilence
    summary.trimmed = aligner.trimmed - trimmedBefore
    summary.peaks = meter.peaks.map(AudioMeter.decibels)
    summary.clockDeviation = aligner.deviation
    summary.clockError = aligner.clockError
    summary.longestQueue = written.longestQueue
    return summary
  }
}

extension AudioFormat {
  /// Samples from the start of a recording to a slot.
  func samples(toSlot slot: Int64, at rate: FrameRate) -> Int64 {
    rate.time(ofFrame: slot).converted(toTimescale: Int32(clamping: sampleRate)).value
  }
}

extension RecordingReport.Audio {
  /// An account that is still empty.
  init(_ audio: RecordingPlan.Audio, rate format: AudioFormat) {
    let device = audio.connection.device
    self.init(
      source: RecordingReport.Source(
        deviceID: device.uniqueID, deviceName: device.localizedName,
        format:
          "\(format.sampleRate) Hz, \(format.channelCount) channels, \(format.sampleFormat.rawValue)",
        tier: nil, tierName: nil),
      sampleRate: format.sampleRate, channelCount: format.channelCount)
    channelLayout = audio.settings.channelLayout?.name
  }
}
