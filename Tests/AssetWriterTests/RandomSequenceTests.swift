import AssetWriter
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Whatever is appended in whatever order, every sample is written or refused by name, and the
/// movie is good.
@Suite(.tags(.judges)) struct RandomSequenceTests {
  @Test(.tags(.slow), arguments: 0..<(TestRun.isThorough ? 12 : 5))
  func random_appends_lose_nothing_silently(_ seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    writer.configuration.interleavingLimit = 2
    var settings = Recording.settings(
      .proRes422Proxy, encoder: seed % 2 == 0 ? .native : .automatic)
    settings.gapPolicy = Bool.random(using: &random) ? .repeatPreviousFrame : .extendPreviousFrame
    settings.queueDepth = Int.random(in: 3...8, using: &random)
    let video = AssetWriterInput(outputSettings: settings)
    video.expectsMediaDataInRealTime = Bool.random(using: &random)
    let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24))
    try writer.add(video)
    try writer.add(audio)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)

    var expected = Expected()
    let frame = try TestMedia.frame(seed)
    for _ in 0..<120 {
      if Bool.random(using: &random) {
        let slot = expected.lastSlot + Int.random(in: -1...4, using: &random)
        await append(
          try TestMedia.video(slot, frame: frame), to: video, &expected.refused
        ) {
          if slot < 0 { expected.trimmed += 1 } else { expected.slots.append(slot) }
          expected.lastSlot = slot
        }
      } else {
        let first = expected.samples + Int.random(in: -2000...2000, using: &random)
        let count = Int.random(in: 0...3000, using: &random)
        await append(
          try TestMedia.audio(from: max(first, 0), count: count), to: audio, &expected.refused
        ) { expected.samples = max(first, 0) + count }
      }
    }
    guard !expected.slots.isEmpty else {
      writer.cancelWriting()
      return
    }
    let report = try await writer.finishWriting()

    let track = try #require(report.video.first)
    let audioTrack = try #require(report.audio.first)
    #expect(track.framesAppended == expected.slots.count + expected.trimmed)
    #expect(
      track.refusals.values.reduce(0, +) + audioTrack.refusals.values.reduce(0, +)
        == expected.refused)
    let span = (expected.slots.last ?? 0) - (expected.slots.first ?? 0) + 1
    let packets = try Judges.packets(path, stream: "v:0")
    #expect(packets.compactMap(\.duration).reduce(0, +) == Int64(span * 1000))
    #expect(
      packets.count == (settings.gapPolicy == .repeatPreviousFrame ? span : expected.slots.count))
    #expect(track.framesWritten == packets.count)
    #expect(try Judges.strictDecode(path) == "")
    let samples = try Judges.packets(path, stream: "a:0").compactMap(\.duration).reduce(0, +)
    #expect(samples == audioTrack.samplesWritten)
    // Buffers that overlap slightly again and again lose the excess.
    #expect(
      audioTrack.samplesAppended + audioTrack.samplesOfSilence == audioTrack.samplesWritten
        + audioTrack.samplesTrimmed)
  }

  private struct Expected {
    var slots: [Int] = []
    var lastSlot = -1
    var trimmed = 0
    var samples = 0
    var refused = 0
  }

  /// Appends, and waits if there is no room, as a patient client does.
  private func append(
    _ sample: SampleBuffer, to input: AssetWriterInput, _ refused: inout Int,
    _ taken: () -> Void
  ) async {
    for _ in 0..<50 {
      do throws(AssetWriterError) {
        try input.append(sample)
        taken()
        return
      } catch {
        refused += 1
        #expect([.notReady, .timeNotIncreasing, .trackTooFarAhead].contains(error.code))
        guard error.code == .notReady else { return }
        try? await input.waitUntilReadyForMoreMediaData()
      }
    }
    Issue.record("an input was never ready")
  }
}
