import MediaCore
import TestSupport
import Testing

@testable import VideoRecorder

@Suite struct AudioAlignerTests {
  private static let format = AudioFormat(
    sampleRate: 48_000, channelCount: 1, sampleFormat: .int32)

  /// Audio whose every sample is its own number.
  private func numbered(_ range: Range<Int>) throws -> AudioBuffer {
    var bytes: [UInt8] = []
    for number in range {
      withUnsafeBytes(of: Int32(number).littleEndian) { bytes.append(contentsOf: $0) }
    }
    return try AudioBuffer(format: Self.format, bytes: bytes)
  }

  private func time(_ sample: Int) -> MediaTime {
    MediaTime(value: Int64(sample), timescale: 48_000)
  }

  /// The file's content: the samples, with -1 where no piece gave any.
  private func file(_ pieces: [AudioAligner.Piece]) -> [Int32] {
    var samples: [Int32] = []
    for piece in pieces {
      #expect(piece.position >= Int64(samples.count))
      while Int64(samples.count) < piece.position { samples.append(-1) }
      piece.buffer.bytes.withUnsafeBytes { bytes in
        for index in 0..<piece.buffer.frameCount {
          samples.append(
            Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
        }
      }
    }
    return samples
  }

  /// Audio far before the end of the previous run is not the audio still awaited for that run.
  @Test func audio_after_a_backward_jump_belongs_to_the_next_run() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(4_800_000), fileStart: 0)
    pieces += try aligner.push(numbered(0..<480), at: time(4_800_000))
    aligner.end(fileEnd: 960)
    pieces += aligner.begin(sourceStart: time(0), fileStart: 960)
    pieces += try aligner.push(numbered(5000..<5480), at: time(0))
    #expect(file(pieces) == Array(0..<480) + Array(repeating: -1, count: 480) + Array(5000..<5480))
    #expect(aligner.trimmed == 0)
  }

  @Test func audio_before_the_first_frame_is_trimmed_to_the_sample() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = try aligner.push(numbered(0..<480), at: time(0))
    pieces += try aligner.push(numbered(480..<960), at: time(480))
    #expect(pieces.isEmpty)
    pieces += aligner.begin(sourceStart: time(500), fileStart: 0)
    pieces += try aligner.push(numbered(960..<1440), at: time(960))
    #expect(file(pieces) == Array(500..<1440))
    #expect(aligner.trimmed == 500)
  }

  @Test func late_audio_leaves_room_for_silence() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    pieces += try aligner.push(numbered(100..<200), at: time(100))
    #expect(file(pieces) == Array(repeating: -1, count: 100) + Array(100..<200))
  }

  @Test func audio_is_trimmed_to_the_end_and_complete_once_it_reaches_it() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    pieces += try aligner.push(numbered(0..<480), at: time(0))
    aligner.end(fileEnd: 700)
    #expect(!aligner.isComplete)
    pieces += try aligner.push(numbered(480..<960), at: time(480))
    #expect(aligner.isComplete)
    pieces += try aligner.push(numbered(960..<1440), at: time(960))
    #expect(file(pieces) == Array(0..<700))
  }

  @Test func a_pause_is_removed_to_the_sample_even_if_audio_is_late() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    pieces += try aligner.push(numbered(0..<480), at: time(0))
    aligner.end(fileEnd: 1000)
    // The next run begins at 5000, before all audio of the first has arrived.
    pieces += aligner.begin(sourceStart: time(5000), fileStart: 1000)
    for start in stride(from: 480, to: 9600, by: 480) {
      pieces += try aligner.push(numbered(start..<start + 480), at: time(start))
    }
    aligner.end(fileEnd: 2000)
    #expect(aligner.isComplete == true)
    #expect(Array(file(pieces).prefix(2000)) == Array(0..<1000) + Array(5000..<6000))
  }

  @Test func jittering_timestamps_leave_audio_seamless() throws {
    var generator = SeededGenerator(seed: 3)
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    for start in stride(from: 0, to: 96_000, by: 480) {
      let off = start == 0 ? 0 : Int.random(in: -400...400, using: &generator)
      pieces += try aligner.push(numbered(start..<start + 480), at: time(start + off))
    }
    #expect(file(pieces) == Array(0..<96_000))
    #expect(aligner.missing == 0)
  }

  @Test func lost_audio_leaves_a_gap_of_its_duration() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    pieces += try aligner.push(numbered(0..<4800), at: time(0))
    pieces += try aligner.push(numbered(24_000..<28_800), at: time(24_000))
    let samples = file(pieces)
    #expect(samples[4799] == 4799)
    #expect(samples[4800..<24_000].allSatisfy { $0 == -1 })
    #expect(samples[24_000] == 24_000)
    #expect(aligner.missing == 19_200)
  }

  /// Video and audio of one cable end together and come back together.
  @Test func audio_missing_between_runs_is_complete_in_the_next_run() throws {
    var aligner = AudioAligner(format: Self.format)
    var pieces = aligner.begin(sourceStart: time(0), fileStart: 0)
    pieces += try aligner.push(numbered(0..<480), at: time(0))
    aligner.end(fileEnd: 960)
    pieces += aligner.begin(sourceStart: time(960_000), fileStart: 960)
    pieces += try aligner.push(numbered(960_000..<960_480), at: time(960_000))
    #expect(
      file(pieces) == Array(0..<480) + Array(repeating: -1, count: 480) + Array(960_000..<960_480))
    #expect(aligner.missing == 0 && aligner.trimmed == 0)
  }

  @Test func audio_waiting_for_the_first_frame_is_bounded() throws {
    var aligner = AudioAligner(format: Self.format)
    for start in stride(from: 0, to: 480_000, by: 4800) {
      _ = try aligner.push(numbered(start..<start + 4800), at: time(start))
    }
    #expect(aligner.trimmed == 480_000 - 96_000)
    let pieces = aligner.begin(sourceStart: time(470_000), fileStart: 0)
    #expect(file(pieces) == Array(470_000..<480_000))
  }

  @Test(arguments: AudioFormat.SampleFormat.allCases)
  func the_meter_finds_each_channels_peak_in_every_format(_ sampleFormat: AudioFormat.SampleFormat)
    throws
  {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: sampleFormat)
    var bytes = [UInt8](repeating: 0, count: format.bytesPerFrame * 10)
    let width = sampleFormat.byteCount
    bytes[7 * 2 * width + width - 1] = 0x40
    bytes[3 * 2 * width + width + width - 1] = 0x80
    var meter = AudioMeter(channelCount: 2)
    meter.measure(try AudioBuffer(format: format, bytes: bytes))
    #expect(meter.peaks == [0.5, 1])
    #expect(AudioMeter.decibels(0.5).map { ($0 + 6.02).magnitude < 0.01 } == true)
    #expect(AudioMeter.decibels(0) == nil)
  }
}
