import MediaCore
import ProRes
import Testing

@testable import AssetWriter

/// The report's counts.
@Suite struct AccountTests {
  private func account() -> VideoAccount {
    VideoAccount(
      VideoTrackForm(
        VideoEncoderConfiguration(
          profile: .standard, dimensions: VideoDimensions(width: 1920, height: 1080),
          frameRate: .fps25, color: .bt709, threadCount: 1)),
      encoder: "test", queue: FramesInFlight(depth: 50, encoderDepth: 10))
  }

  @Test func copies_that_fill_gaps_are_counted_as_repeats() {
    var account = account()
    account.didAppend(inFlight: 3)
    account.didAppend(inFlight: 1)
    account.didWrite(copies: 3, bytes: 10, isFirst: true)
    account.didWrite(copies: 2, bytes: 10, isFirst: false)
    let summary = account.summary
    #expect(summary.framesWritten == 5 && summary.framesRepeated == 4 && summary.bytes == 50)
    #expect(summary.longestQueue == 3 && summary.queueDuration == 2)
  }

  @Test func frames_lost_by_a_file_are_not_counted() {
    var account = account()
    account.didWrite(copies: 8, bytes: 10, isFirst: true)
    account.settle(.init(samples: 3, bytes: 30))
    #expect(account.summary.framesWritten == 3 && account.summary.framesRepeated == 3)
    #expect(account.summary.bytes == 30)
  }

  @Test func frames_outside_the_session_are_trimmed_and_not_in_flight() {
    var account = account()
    account.didAppendOutside()
    account.didAppend(inFlight: 1)
    account.didTrim()
    #expect(account.summary.framesAppended == 2 && account.summary.framesTrimmed == 2)
    #expect(account.flow.framesAwaitingEncoder == 0)
  }

  @Test func silence_after_the_end_is_not_counted_as_trimmed() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    let buffer = try AudioBuffer(format: format, bytes: [UInt8](repeating: 0, count: 200))
    let piece = AudioTrackState.Piece(buffer: buffer, silence: 50, skipped: 0)
    var account = AudioAccount()
    account.didAppend(100, trimmed: 0, waiting: 150)
    account.didWrite(20, of: piece, bytesPerFrame: 2)
    account.didTrim(piece, after: 20)
    let summary = account.summary
    #expect(summary.samplesWritten == 20 && summary.samplesOfSilence == 20 && summary.bytes == 40)
    #expect(summary.samplesTrimmed == 100)
  }
}
