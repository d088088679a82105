import MediaCore
import Testing

@testable import AssetReader

/// Cutting audio whose track has ticks longer than a sample.
@Suite struct AudioCutTests {
  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(value: Int64((seconds * 48_000).rounded()), timescale: 48_000)
  }

  /// A packet of an edit, in ticks; the edit is `seconds` long and begins at `first`.
  private func place(
    _ number: Int, at mediaTime: Int64, timescale: Int32, length: Int64 = 21, from first: Int64,
    _ seconds: Double
  ) -> EditedAudio.Place {
    let ticks = Int64((seconds * Double(timescale)).rounded())
    return EditedAudio.Place(
      part: EditPart(
        start: .zero, end: time(seconds), startTick: 0, media: first..<first + ticks,
        isEmpty: false),
      number: number, mediaTime: mediaTime, length: length, mediaEnd: 100_000, timescale: timescale,
      isOfLastPart: true)
  }

  @Test func audio_on_a_millisecond_clock_is_cut_by_counting_samples() {
    var cut = AudioCut(rate: 48_000)
    // Packets of 1024 samples last 21.33 ms; the edit begins at millisecond 107.
    var pieces: [AudioCut.Piece] = []
    for number in 5..<8 {
      let begin = Int64((Double(number) * 1024 / 48).rounded())
      let packet = place(number, at: begin, timescale: 1000, from: 107, 0.05)
      cut.send(packet)
      pieces += cut.pieces(ofSamples: 1024, at: packet.time)
    }
    #expect(pieces.map(\.samples) == [16..<1024, 0..<1024, 0..<368])
    #expect(pieces.map(\.time.value) == [0, 1008, 2032])
  }

  @Test func a_clock_at_half_the_rate_counts_two_samples_per_tick() {
    var cut = AudioCut(rate: 48_000)
    // HE-AAC: the decoder returns twice as many samples as the track declares.
    let packet = place(3, at: 3072, timescale: 24_000, length: 1024, from: 3100, 1)
    cut.send(packet)
    let piece = cut.pieces(ofSamples: 2048, at: packet.time).first
    #expect(piece?.samples == 56..<2048 && piece?.time == .zero)
  }

  @Test func runs_from_one_packet_are_contiguous() {
    var cut = AudioCut(rate: 48_000)
    let packet = place(0, at: 0, timescale: 48_000, length: 3000, from: 1000, 0.02)
    cut.send(packet)
    let runs: [(count: Int, stamp: Int64?)] = [
      (600, packet.time), (600, nil), (1200, nil), (600, nil),
    ]
    let pieces = runs.map { cut.pieces(ofSamples: $0.count, at: $0.stamp).first?.samples }
    #expect(pieces == [nil, 400..<600, 0..<760, nil])
  }

  @Test func delayed_runs_are_matched_to_their_packets() {
    var cut = AudioCut(rate: 48_000)
    let packets = (0..<4).map {
      place($0, at: Int64($0) * 1000, timescale: 48_000, length: 1000, from: 1500, 0.04)
    }
    for packet in packets { cut.send(packet) }
    // The first packet is not heard, and the decoder dropped the first hundred samples of the last
    // one.
    let runs: [(count: Int, stamp: Int64)] = [
      (1000, packets[1].time), (1000, packets[2].time), (900, packets[3].time + 100),
    ]
    let pieces = runs.map { cut.pieces(ofSamples: $0.count, at: $0.stamp).first }
    #expect(pieces.map { $0?.samples } == [500..<1000, 0..<1000, 0..<320])
    #expect(pieces.map { $0?.time.value } == [0, 500, 1600])
  }
}
