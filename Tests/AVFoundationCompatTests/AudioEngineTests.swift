import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Buffers of a device's audio, through an audio engine.
@Suite(.timeLimit(.minutes(10)))
struct AudioEngineTests {
  /// The runs that a tap received.
  private final class Heard: Sendable {
    struct Run: Sendable {
      var frames: Int
      var time: AVAudioTime
      var format: AVAudioFormat
      var peak: Float
    }
    let runs = Mutex<[Run]>([])

    func note(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
      var peak: Float = 0
      if let data = buffer.floatChannelData {
        for place in 0..<Int(buffer.frameLength) {
          peak = max(peak, abs(data[0][place * buffer.stride]))
        }
      }
      runs.withLock { [peak] in
        $0.append(
          Run(
            frames: Int(buffer.frameLength), time: time, format: buffer.format, peak: peak))
      }
    }

    var frames: Int { runs.withLock { $0.reduce(0) { $0 + $1.frames } } }
  }

  private let tone: AVCaptureDevice
  private let engine: AVAudioEngine

  init() throws {
    tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    engine = AVAudioEngine(inputDevice: tone)
  }

  @Test func a_tap_delivers_device_audio_in_buffers_of_its_size() async throws {
    let node: AVAudioInputNode = engine.inputNode
    let bus: AVAudioNodeBus = 0
    let format = node.outputFormat(forBus: bus)
    #expect(format.isStandard && format.channelCount > 0 && format.sampleRate > 0)
    #expect(node.inputFormat(forBus: bus) == format)
    let heard = Heard()
    let block: AVAudioNodeTapBlock = { buffer, time in heard.note(buffer, time) }
    node.installTap(onBus: bus, bufferSize: 1000, format: nil, block: block)
    engine.prepare()
    #expect(!engine.isRunning)
    try engine.start()
    try engine.start()
    #expect(engine.isRunning && engine.error == nil)
    try await eventually("audio arrives") { heard.frames >= 10_000 }
    engine.stop()
    #expect(!engine.isRunning)
    let runs = heard.runs.withLock { $0 }
    #expect(
      runs.allSatisfy {
        $0.format == format && $0.time.sampleRate == format.sampleRate && $0.time.isHostTimeValid
          && $0.time.isSampleTimeValid
      })
    // A busy machine loses audio: the buffer before the gap may be shorter, and the next one's
    // position counts the lost frames.
    let first = try #require(runs.first), last = try #require(runs.last)
    let areInOrder = zip(runs, runs.dropFirst()).allSatisfy { run, next in
      let end = run.time.sampleTime + Int64(run.frames)
      return run.frames == 1000
        ? next.time.sampleTime >= end : run.frames < 1000 && next.time.sampleTime > end
    }
    #expect(
      areInOrder && first.time.sampleTime == 0 && last.frames <= 1000,
      "\(runs.map { ($0.time.sampleTime, $0.frames) })")
    let drifts = runs.map { run in
      AVAudioTime.seconds(forHostTime: run.time.hostTime - first.time.hostTime)
        - Double(run.time.sampleTime) / format.sampleRate
    }
    #expect(drifts.allSatisfy { abs($0) < 0.05 }, "\(drifts)")
    #expect(runs.contains { $0.peak > 0.001 && $0.peak <= 1 })
    // Nothing arrives after the stop.
    node.removeTap(onBus: bus)
    #expect(heard.runs.withLock { $0.count } == runs.count)
  }

  @Test func a_tap_writes_a_file() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("note.caf")
    let format = engine.inputNode.outputFormat(forBus: 0)
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    engine.inputNode.installTap(onBus: 0, bufferSize: 4096, format: format) { buffer, _ in
      do { try file.write(from: buffer) } catch { Issue.record(error) }
    }
    try engine.start()
    try await eventually("audio is written") { file.length >= 8192 }
    engine.stop()
    engine.inputNode.removeTap(onBus: 0)
    file.close()
    #expect(file.error == nil)
    #expect(try AVAudioFile(forReading: url).length == file.length)
  }

  @Test func a_tap_converts_to_its_own_format() async throws {
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let heard = Heard()
    engine.inputNode.installTap(onBus: 0, bufferSize: .max, format: format) { buffer, time in
      heard.note(buffer, time)
    }
    try engine.start()
    // A buffer holds at most one second.
    try await eventually("audio arrives") { heard.frames >= 16_000 }
    engine.pause()
    let first = try #require(heard.runs.withLock { $0.first })
    #expect(first.frames == 16_000 && first.format == format && first.time.sampleRate == 16_000)
  }

  private func code(_ body: () throws -> Void) -> AVError.Code? {
    do { try body() } catch { return (error as? AVError)?.code }
    return nil
  }

  @Test func an_engine_without_a_device_fails_to_start() throws {
    let engine = AVAudioEngine(device: { nil })
    let format = engine.inputNode.outputFormat(forBus: 0)
    #expect(format.channelCount == 0 && format.sampleRate == 0)
    engine.prepare()
    engine.stop()
    engine.inputNode.removeTap(onBus: 0)
    #expect(code { try engine.start() } == .deviceNotConnected)
    engine.inputNode.installTap(onBus: 0, bufferSize: 0, format: nil) { _, _ in }
    #expect(code { try engine.start() } == .deviceNotConnected && !engine.isRunning)
  }

  @Test func an_invalid_tap_prevents_starting_until_removed() throws {
    #expect(engine.inputNode.outputFormat(forBus: 1).channelCount == 0)
    engine.inputNode.installTap(onBus: 1, bufferSize: 100, format: nil) { _, _ in }
    #expect(code { try engine.start() } == .operationNotAllowed)
    engine.inputNode.removeTap(onBus: 0)
    engine.inputNode.installTap(onBus: 0, bufferSize: 100, format: nil) { _, _ in }
    engine.inputNode.installTap(onBus: 0, bufferSize: 100, format: nil) { _, _ in }
    #expect(code { try engine.start() } == .operationNotAllowed)
    engine.inputNode.removeTap(onBus: 0)
    let none = AVAudioEngine(device: { nil }).inputNode.outputFormat(forBus: 0)
    engine.inputNode.installTap(onBus: 0, bufferSize: 100, format: none) { _, _ in }
    #expect(code { try engine.start() } == .formatUnsupported)
    engine.inputNode.removeTap(onBus: 0)
    try engine.start()
    engine.stop()
  }

  /// A run of audio at a frame number; each sample is its own position.
  private func run(_ first: Int, _ count: Int, at frame: Int) throws -> CMSampleBuffer {
    let bytes = (first..<first + count).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return CMSampleBuffer(
      .audio(
        try MediaCore.AudioBuffer(
          format: AudioFormat(sampleRate: 1000, channelCount: 1, sampleFormat: .int16),
          bytes: bytes)),
      presentationTimeStamp: CMTime(value: Int64(frame), timescale: 1000))
  }

  @Test func lost_audio_leaves_a_counted_gap_between_buffers() throws {
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 1000, channels: 1, interleaved: true))
    let heard = Heard()
    let tap = AudioTap(format, size: 100) { buffer, time in heard.note(buffer, time) }
    tap.take(try run(0, 150, at: 5000))
    tap.take(try run(150, 30, at: 5151))
    tap.take(try run(300, 120, at: 5300))
    tap.finish()
    let runs = heard.runs.withLock { $0 }
    #expect(runs.map(\.frames) == [100, 80, 100, 20])
    #expect(runs.map(\.time.sampleTime) == [0, 100, 299, 399])
    let milliseconds = runs.map { Int($0.time.hostTime / 1_000_000) }
    #expect(milliseconds == [5000, 5100, 5300, 5400])
  }

  @Test func audio_times_are_extrapolated_from_an_anchor() throws {
    let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 48_000, atRate: 48_000)
    let later = AVAudioTime(sampleTime: 72_000, atRate: 48_000)
    #expect(!later.isHostTimeValid && later.isSampleTimeValid)
    let whole = try #require(later.extrapolateTime(fromAnchor: anchor))
    #expect(whole.hostTime == 1_500_000_000 && whole.sampleTime == 72_000)
    let host = AVAudioTime(hostTime: 500_000_000)
    #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.sampleRate == 0)
    #expect(host.extrapolateTime(fromAnchor: anchor)?.sampleTime == 24_000)
    #expect(anchor.extrapolateTime(fromAnchor: whole) == anchor)
    #expect(host.extrapolateTime(fromAnchor: later) == nil)
    #expect(
      AVAudioTime(sampleTime: 1, atRate: 44_100).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(
      AVAudioTime(sampleTime: .min, atRate: 48_000).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(AVAudioTime.hostTime(forSeconds: 2) == 2_000_000_000)
    for (seconds, ticks) in [(-1, 0), (.nan, 0), (.infinity, .max)] as [(Double, UInt64)] {
      #expect(AVAudioTime.hostTime(forSeconds: seconds) == ticks)
    }
  }
}
