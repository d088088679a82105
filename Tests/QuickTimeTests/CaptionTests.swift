import MediaCore
import QuickTime
import Testing

/// A movie's captions, as stored in its CEA-608 track.
@Suite struct CaptionTests {
  private let file = TraceFile()

  private func caption(_ frame: Int64, _ value: UInt8, _ second: UInt8? = nil) -> CaptionSample {
    CaptionSample(
      start: MediaTime(value: frame * 1001, timescale: 30_000), firstField: [value, value],
      secondField: second.map { [$0, $0] } ?? [])
  }

  /// A movie with captions, each appended `lag` frames after its frame.
  private func begin(
    _ captions: [(frame: Int64, sample: CaptionSample)], lag: Int64 = 0, frames: Int = 20,
    _ placement: Take.Placement = .packed
  ) throws -> (MovieWriter, TrackID) {
    let take = Take(frameCount: frames, audio: nil, timecode: nil).with(placement)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let track = try writer.addCaptionTrack(for: video)
    try writer.start()
    var waiting = captions[...]
    for frame in 0..<frames {
      while let next = waiting.first, next.frame + lag <= frame {
        try writer.appendCaptions(next.sample, to: track)
        waiting.removeFirst()
      }
      try writer.append(Packets.standard.frames[frame % Packets.standard.frames.count], to: video)
    }
    for next in waiting { try writer.appendCaptions(next.sample, to: track) }
    return (writer, track)
  }

  private var captionTrack: MovieIndex.Track? {
    get throws { try MovieIndex(file).tracks.first { $0.codec == "c608" } }
  }

  /// The track's samples: the types and byte pairs of their atoms, and the number of frames they
  /// last.
  private var samples: [String] {
    get throws {
      (try captionTrack?.samples.map { $0 } ?? []).map { sample in
        let bytes = file.content[Int(sample.offset)..<Int(sample.offset) + Int(sample.size)]
        let text = bytes.dropFirst(4).map { byte in
          byte == 0x80 ? "-" : (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : ""
        }
        return "\(text.joined()) \((Int64(sample.duration) + 500) / 1001)"
      }
    }
  }

  @Test(arguments: [-30, 0, 9, 50]) func captions_last_until_the_next_ones(lag: Int64) throws {
    let (writer, _) = try begin(
      [(3, caption(3, 65)), (4, caption(4, 66, 67)), (12, caption(12, 68))], lag: lag)
    _ = try writer.finish()
    #expect(try samples == ["cdat-- 3", "cdatAA 1", "cdatBBcdt2CC 8", "cdatDD 8"])
    #expect(try captionTrack?.edits.count ?? 0 <= 1)
  }

  @Test func a_movie_without_captions_has_no_caption_track() throws {
    let (writer, _) = try begin([(30, caption(30, 65)), (30, caption(40, 65))])
    let summary = try writer.finish()
    #expect(try captionTrack == nil && summary.tracks.count == 1)
  }

  @Test(arguments: [0, 9]) func captions_at_the_same_time_form_one_sample(lag: Int64) throws {
    let (writer, _) = try begin(
      [(0, caption(0, 65, 66)), (lag, caption(0, 67)), (lag, caption(0, 68, 69))])
    _ = try writer.finish()
    #expect(try samples == ["cdatAACCDDcdt2BBEE 20"])
  }

  @Test(arguments: Take.Placement.allCases)
  func a_killed_take_has_the_captions_of_all_its_frames(placement: Take.Placement) throws {
    let captions = (0..<60).map { (frame: Int64($0), sample: caption(Int64($0), 65 + UInt8($0))) }
    _ = try begin(captions, frames: 60, placement)
    let unfinished = try #require(try captionTrack?.samples.count)
    #expect(try MovieIndex(file).videoTrack?.samples.count == unfinished)
    #expect(try MovieRecovery.recover(file).wasRecovered)
    let frames = try #require(try MovieIndex(file).videoTrack?.samples.count)
    #expect(frames > 50 && frames == unfinished)
    let found = try samples
    #expect(found.count == frames && found.allSatisfy { $0.hasSuffix(" 1") })
    #expect(found.prefix(3) == ["cdatAA 1", "cdatBB 1", "cdatCC 1"])
  }

  @Test func captions_out_of_order_are_refused() throws {
    let (writer, track) = try begin([(4, caption(4, 65))])
    let error = #expect(throws: QuickTimeError.self) {
      try writer.appendCaptions(caption(3, 66), to: track)
    }
    #expect(error?.code == .invalidArgument && writer.state == .writing)
    _ = try writer.finish()
    #expect(try samples == ["cdat-- 4", "cdatAA 16"])
  }
}
