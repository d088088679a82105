import AssetWriter
import MediaCore
import TestSupport
import Testing

/// Audio whose clock differs from its timestamps, as a sound card's does from the system's.
@Suite struct AudioClockTests {
  private static let rate = 8000
  private static let format = AudioFormat(sampleRate: rate, channelCount: 1, sampleFormat: .int16)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var second: AudioBuffer {
    get throws {
      try AudioBuffer(format: Self.format, bytes: [UInt8](repeating: 1, count: 2 * Self.rate))
    }
  }

  private func start() throws -> (AssetWriter, AssetWriterInput.SampleBufferReceiver) {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let input = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: AudioOutputSettings(format: Self.format)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    return (writer, input)
  }

  /// Writes buffers of 1/50 s whose clock is fast by a fraction.
  ///
  /// - Parameter jitter: The largest error of a timestamp, in seconds.
  private func write(
    seconds: Int, fast fraction: Double = 0, jitter: Double = 0
  ) async throws -> AssetWriter.Report.AudioTrack {
    let (writer, input) = try start()
    var generator = SeededGenerator(seed: 5)
    let silence = [UInt8](repeating: 0, count: 320)
    for number in 0..<seconds * 50 {
      let off = number == 0 ? 0 : Double.random(in: -1...1, using: &generator) * jitter
      let time = Double(number) * 0.02 / (1 + fraction) + off
      try await input.append(
        SampleBuffer(
          .audio(try AudioBuffer(format: Self.format, bytes: silence)),
          presentationTimeStamp: MediaTime(
            value: Int64((time * 1e9).rounded()), timescale: 1_000_000_000)))
    }
    let report = try await writer.finishWriting()
    return try #require(report.audio.first)
  }

  @Test(arguments: [300, -300, 90]) func audio_is_stretched_to_stay_in_sync(
    millionths: Int
  ) async throws {
    let audio = try await write(seconds: 240, fast: Double(millionths) * 1e-6)
    let due = 240 * Double(Self.rate) / (1 + Double(millionths) * 1e-6)
    #expect((Double(audio.samplesWritten) - due).magnitude < 0.011 * Double(Self.rate))
    #expect(audio.samplesOfSilence == 0 && audio.samplesTrimmed == 0)
    #expect(audio.samplesAppended == 240 * 8000)
    let error = try #require(audio.clockError)
    #expect((error - Double(millionths)).magnitude < 30)
  }

  @Test func jittering_times_leave_samples_unchanged() async throws {
    let audio = try await write(seconds: 60, jitter: 0.008)
    #expect(audio.samplesWritten == 60 * 8000 && audio.clockError == nil)
  }

  /// A source that declares 8000 samples a second and delivers 8160, or 7840.
  @Test(arguments: [0.02, -0.02]) func large_clock_errors_drop_samples_or_insert_silence(
    fraction: Double
  ) async throws {
    let audio = try await write(seconds: 60, fast: fraction)
    let due = 60 * Double(Self.rate) / (1 + fraction)
    #expect((Double(audio.samplesWritten) - due).magnitude < 0.05 * Double(Self.rate))
    #expect(audio.samplesAppended == 60 * 8000)
    #expect(fraction < 0 ? audio.samplesOfSilence > 0 : audio.samplesTrimmed > 0)
  }

  @Test func a_pause_of_minutes_becomes_silence() async throws {
    let (writer, input) = try start()
    for time in [0, 1, 200, 201] {
      try await input.append(
        SampleBuffer(
          .audio(try second), presentationTimeStamp: MediaTime(value: Int64(time), timescale: 1)))
    }
    let audio = try #require(try await writer.finishWriting().audio.first)
    #expect(audio.samplesWritten == 202 * 8000 && audio.samplesOfSilence == 198 * 8000)
  }

  @Test func audio_that_begins_on_another_clock_is_refused() async throws {
    let (writer, input) = try start()
    await #expect(throws: AssetWriterError.self) {
      try await input.append(
        SampleBuffer(
          .audio(try second), presentationTimeStamp: MediaTime(value: 5000, timescale: 1)))
    }
    writer.cancelWriting()
  }
}
