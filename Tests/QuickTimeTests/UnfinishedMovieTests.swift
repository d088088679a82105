import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// A take at every moment of its making: killed, truncated, or after a power cut.
@Suite struct UnfinishedMovieTests {
  /// The file of a take, with the calls that made it.
  private static func traced(_ take: Take = Take()) throws -> TraceFile {
    let file = TraceFile()
    try take.record(into: file)
    return file
  }

  /// Frames of the fragments that are whole in the first `size` bytes.
  private static func frames(wholeBefore size: Int, _ calls: [TraceFile.Call]) -> Int {
    var frames = 0
    for (number, call) in calls.enumerated() {
      guard case .write(let offset, let bytes) = call, number > 0, Self.isFragment(bytes),
        Int(offset) + Self.size(ofFragment: bytes) <= size
      else { continue }
      frames += Self.videoFrames(inFragment: Array(bytes.prefix(4096)))
    }
    return frames
  }

  private static func isFragment(_ bytes: [UInt8]) -> Bool {
    bytes.count > 16 && bytes[4..<8].elementsEqual("moof".utf8)
  }

  /// The bytes of a fragment and its media, from the headers at its start.
  private static func size(ofFragment bytes: [UInt8]) -> Int {
    func number(at index: Int) -> Int { bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return number(at: 0) + number(at: number(at: 0))
  }

  /// The sample count of a fragment's first track, over all its runs.
  private static func videoFrames(inFragment bytes: [UInt8]) -> Int {
    let data = Data(bytes)
    let track = Data("traf".utf8)
    guard let first = data.range(of: track) else { return 0 }
    let end = data.range(of: track, in: first.upperBound..<data.endIndex)?.lowerBound
    var frames = 0
    var rest = first.upperBound..<(end ?? data.endIndex)
    while let run = data.range(of: Data("trun".utf8), in: rest) {
      frames += data[(run.lowerBound + 8)..<(run.lowerBound + 12)].reduce(0) { $0 << 8 | Int($1) }
      rest = run.upperBound..<rest.upperBound
    }
    return frames
  }

  @Test func the_order_of_calls_is_safe() throws {
    let calls = try Self.traced().calls.filter { $0 != .preallocate }
    // The header, synced together with its name.
    guard case .write(0, let beginning) = calls[0] else {
      Issue.record("first call \(calls[0])")
      return
    }
    #expect(beginning[4..<12].elementsEqual("ftypqt  ".utf8))
    #expect(beginning[20..<28].elementsEqual([0, 0, 0, 16] + Array("free".utf8)))
    #expect(Array(calls[1...2]) == [.synchronize, .synchronizeParentDirectory])
    // Every fragment is followed by a sync, and so is the index, which is truncated first.
    var end = UInt64(beginning.count)
    for (number, call) in calls.enumerated().dropFirst() {
      guard case .write(let offset, let bytes) = call else { continue }
      let next = calls[number + 1]
      if offset == 20 {
        #expect(20 + bytes.count <= 512, "the switch is one write within the first sector")
        #expect(calls[number - 1] == .synchronize)
        #expect(Array(calls[(number + 1)...]) == [.synchronize, .close])
      } else if case .write(let header, let first) = next, Self.isFragment(first) {
        #expect(header == end && header + UInt64(first.count) == offset, "media, then their header")
      } else if Self.isFragment(bytes) {
        #expect(offset == end, "nothing is written twice")
        end = offset + UInt64(Self.size(ofFragment: bytes))
        #expect(next == .synchronize)
      } else {
        #expect(offset == end, "nothing is written twice")
        end = offset + UInt64(bytes.count)
        #expect(next == .truncate(end) || next == .synchronize)
      }
    }
  }

  /// Frames are in the file before the header that names them, and none of their blocks is written
  /// twice.
  @Test func placed_frames_come_before_their_header() throws {
    let calls = try Self.traced(Take().with(.placed)).calls
    var end: UInt64 = 0
    var headerRoom = 0
    var frames = 0
    for (number, call) in calls.enumerated().dropFirst() {
      guard case .write(let offset, let bytes) = call, offset != 20 else { continue }
      if Self.isFragment(bytes) {
        #expect(bytes.count <= headerRoom, "the header ends before the first frame")
        #expect(
          Int(offset) + Self.size(ofFragment: bytes) == Int(end), "the media precede their header")
        #expect(calls[number + 1] == .synchronize)
        headerRoom = 0
        continue
      }
      #expect(offset >= end, "nothing is written twice")
      if bytes[4..<8].elementsEqual("icpf".utf8) {
        frames += 1
        #expect(offset % 4096 == 0 && bytes.count % 4096 == 0)
        if headerRoom == 0 { headerRoom = Int(offset - end) }
      }
      end = offset + UInt64(bytes.count)
    }
    #expect(frames == 60)
  }

  @Test func finishing_writes_little_more_than_the_index() throws {
    let take = Take()
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let summary = try writer.finish()
    let last = try #require(
      file.calls.lastIndex {
        if case .write(_, let bytes) = $0 { Self.isFragment(bytes) } else { false }
      })
    let index = file.calls[(last + 1)...].reduce(0) {
      if case .write(_, let bytes) = $1 { $0 + bytes.count } else { $0 }
    }
    #expect(index > 1000 && index < 4000, "\(index) bytes to finish 60 frames")
    #expect(file.content.count == Int(summary.fileSize))
  }

  @Test(.tags(.slow, .judges), arguments: Take.Placement.allCases)
  func every_prefix_of_the_writes_is_a_movie_of_its_complete_fragments(
    placement: Take.Placement
  ) throws {
    let take = Take(frameCount: 30).with(placement)
    let trace = try Self.traced(take)
    let folder = try TemporaryFolder()
    let path = folder.path("state.mov")
    var content: [UInt8] = []
    var expected = 0
    for (number, call) in trace.calls.enumerated() {
      switch call {
      case .write(let offset, let bytes):
        if number > 0, Self.isFragment(bytes) {
          expected += Self.videoFrames(inFragment: Array(bytes.prefix(4096)))
        }
        TraceFile.apply(bytes, at: offset, to: &content)
      case .truncate(let size): content.removeLast(max(0, content.count - Int(size)))
      default: continue
      }
      let index = try MovieIndex(TraceFile(content))
      #expect(index.videoTrack?.samples.count == expected)
      #expect(take.faults(in: content, index) == [])
      // The judges are programs, which take most of the time.
      guard TestRun.isThorough || number % 3 == 0 || expected == 30 else { continue }
      try Data(content).write(to: URL(fileURLWithPath: path))
      #expect(try Judges.videoFrameCount(path) == expected, "after call \(number)")
      if expected > 0 { #expect(try Judges.strictDecode(path) == "", "after call \(number)") }
    }
    #expect(expected == 30)
  }

  @Test(.tags(.slow, .judges), arguments: Take.Placement.allCases)
  func a_file_truncated_anywhere_keeps_every_complete_fragment(placement: Take.Placement) throws {
    let take = Take().with(placement)
    let trace = try Self.traced(take)
    let writes = trace.calls.compactMap { call -> Int? in
      if case .write(let offset, let bytes) = call { Int(offset) + bytes.count } else { nil }
    }
    // As before the index was written: the recorder was killed.
    let media = try #require(writes.dropLast(2).max())
    var content = Array(trace.content[..<media])
    content.replaceSubrange(20..<36, with: [0, 0, 0, 16] + Array("freetake".utf8) + [0, 0, 0, 1])
    let beginning = try #require(writes.first)
    var random = SeededGenerator(seed: 1)
    var sizes = (0..<(TestRun.isThorough ? 2_000 : 40)).map { _ in
      Int.random(in: beginning...media, using: &random)
    }
    sizes += writes.dropLast(2).flatMap { [$0 - 1, $0, min($0 + 1, media), min($0 + 9, media)] }
    sizes = sizes.filter { $0 >= beginning }
    let folder = try TemporaryFolder()
    for (number, size) in sizes.enumerated() {
      let cut = Array(content[..<size])
      let expected = Self.frames(wholeBefore: size, trace.calls)
      let index = try MovieIndex(TraceFile(cut))
      #expect(index.completion == .unfinished)
      #expect(index.videoTrack?.samples.count == expected, "cut at \(size)")
      #expect(take.faults(in: cut, index) == [])
      let file = TraceFile(cut)
      file.keepsCalls = false
      if expected == 0 {
        #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(file) }
        #expect(file.content == cut)
      } else {
        let outcome = try MovieRecovery.recover(file)
        #expect(outcome.wasRecovered && outcome.droppedFragmentCount == 0)
        let recovered = try MovieIndex(file)
        #expect(recovered.completion == .finished && !recovered.isTruncated)
        #expect(recovered.videoTrack?.samples.count == expected)
        #expect(recovered.timecodeTrack?.timecode?.start == take.timecode)
        #expect(take.faults(in: file.content, recovered) == [])
      }
      guard number % 12 == 0 else { continue }
      let path = folder.path("cut.mov")
      try Data(cut).write(to: URL(fileURLWithPath: path))
      // FFmpeg also counts frames of a truncated fragment.
      #expect(try Judges.videoFrameCount(path) >= expected, "cut at \(size)")
      guard expected > 0 else { continue }
      try Data(file.content).write(to: URL(fileURLWithPath: path))
      #expect(try Judges.videoFrameCount(path) == expected, "recovered after a cut at \(size)")
      #expect(try Judges.strictDecode(path) == "", "recovered after a cut at \(size)")
      #expect(try Judges.mediaInfo(path, "General", "%IsTruncated%") == "")
    }
  }

  @Test(arguments: Take.Placement.allCases)
  func a_truncated_finished_movie_is_recovered(placement: Take.Placement) throws {
    let take = Take().with(placement)
    let trace = try Self.traced(take)
    var random = SeededGenerator(seed: 2)
    for _ in 0..<60 {
      let size = Int.random(in: 2000..<trace.content.count, using: &random)
      let file = TraceFile(Array(trace.content[..<size]))
      let expected = Self.frames(wholeBefore: size, trace.calls)
      guard expected > 0 else { continue }
      #expect(try MovieIndex(file).completion == .lostIndex)
      #expect(try MovieIndex(file).isTruncated)
      try MovieRecovery.recover(file)
      let index = try MovieIndex(file)
      #expect(index.completion == .finished && !index.isTruncated)
      #expect(index.videoTrack?.samples.count == expected)
      #expect(take.faults(in: file.content, index) == [])
    }
  }

  /// After a power cut, any page written since the last sync may be missing, in any order, and the
  /// file may have its new size or its old one.
  @Test(arguments: Take.Placement.allCases)
  func a_power_cut_loses_no_synced_data(placement: Take.Placement) throws {
    let take = Take().with(placement)
    let trace = try Self.traced(take)
    var random = SeededGenerator(seed: 3)
    var durable: [UInt8] = []
    var durableFrames = 0
    var epoch: [(offset: UInt64, bytes: [UInt8])] = []
    var epochFrames = 0
    var states = 0
    for call in trace.calls {
      switch call {
      case .write(let offset, let bytes):
        epoch.append((offset, bytes))
        if Self.isFragment(bytes) {
          epochFrames += Self.videoFrames(inFragment: Array(bytes.prefix(4096)))
        }
      case .synchronize:
        for _ in 0..<12 where durableFrames > 0 && !epoch.isEmpty {
          let state = Self.afterPowerCut(durable, epoch, using: &random)
          states += 1
          let file = TraceFile(state)
          file.keepsCalls = false
          try MovieRecovery.recover(file)
          let index = try MovieIndex(file)
          let count = index.videoTrack?.samples.count ?? 0
          #expect(count >= durableFrames && count <= durableFrames + epochFrames)
          #expect(index.completion == .finished && !index.isTruncated)
          let firstLost = take.faults(in: file.content, index).filter { $0.hasPrefix("frame") }
          #expect(firstLost == [])
        }
        for write in epoch { TraceFile.apply(write.bytes, at: write.offset, to: &durable) }
        epoch = []
        durableFrames += epochFrames
        epochFrames = 0
      default: break
      }
    }
    #expect(durableFrames == take.frameCount && states > 80)
  }

  private static func afterPowerCut(
    _ durable: [UInt8], _ epoch: [(offset: UInt64, bytes: [UInt8])],
    using random: inout SeededGenerator
  ) -> [UInt8] {
    var state = durable
    let keep = Double.random(in: 0...1, using: &random)
    let grows = Bool.random(using: &random)
    for write in epoch {
      let end = Int(write.offset) + write.bytes.count
      if grows, state.count < end {
        state += [UInt8](repeating: 0, count: end - state.count)
      }
      var from = 0
      while from < write.bytes.count {
        // Up to the file's next page.
        let page = 4096 - (Int(write.offset) + from) % 4096
        let to = min(from + page, write.bytes.count)
        let fits = Int(write.offset) + to <= state.count
        if fits, Double.random(in: 0...1, using: &random) < keep {
          TraceFile.apply(
            Array(write.bytes[from..<to]), at: write.offset + UInt64(from), to: &state)
        }
        from = to
      }
    }
    return state
  }

  @Test func each_frame_can_be_synced_before_the_next() throws {
    var take = Take(frameCount: 10)
    take.configuration.syncPolicy = .eachFrame
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    for frame in 0..<10 {
      try writer.append(Packets.standard.frames[frame], to: ids[0])
      #expect(file.calls.last == .synchronize)
      #expect(try MovieIndex(TraceFile(file.content)).videoTrack?.samples.count == frame + 1)
    }
  }

  @Test func only_finishing_syncs_if_syncs_are_off() throws {
    var take = Take()
    take.configuration.syncPolicy = .off
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    #expect(!file.calls.contains(.synchronize))
    _ = try writer.finish()
    #expect(file.calls.filter { $0 == .synchronize }.count == 3)
  }

  @Test func a_fragment_ends_at_its_byte_limit() throws {
    var take = Take(frameCount: 60, audio: nil)
    take.configuration.fragmentInterval = 100
    take.configuration.fragmentByteLimit = 40_000
    let file = TraceFile()
    try take.record(into: file)
    let fragments = file.calls.compactMap { call -> Int? in
      guard case .write(_, let bytes) = call, Self.isFragment(bytes) else { return nil }
      return Self.size(ofFragment: bytes)
    }
    #expect(fragments.count > 3)
    #expect(fragments.allSatisfy { $0 < 42_000 })
    #expect(take.faults(in: file.content, try MovieIndex(file)) == [])
  }
}

/// Takes with other tracks than video, audio and timecode.
@Suite struct OtherTakeTests {
  @Test(.tags(.judges)) func audio_alone_is_recorded_and_recovered() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sound.mov")
    let format = AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int24)
    let file = TraceFile()
    let writer = try MovieWriter(file: file, configuration: Take.shortFragments)
    let id = try writer.addAudioTrack(AudioTrackDescription(format: format))
    try writer.start()
    for block in 0..<100 {
      let bytes = pcm(frames: 1000, from: block * 1000, channels: 2, bytes: 3)
      try writer.appendAudio(bytes, frames: 1000, to: id)
    }
    let killed = file.content
    #expect(try writer.finish().tracks[0].sampleCount == 100_000)
    try Data(file.content).write(to: URL(fileURLWithPath: path))
    #expect(try Judges.strictDecode(path) == "")
    // Fragments of 12 blocks: the last whole one ends at 96.
    let recovered = TraceFile(killed)
    #expect(try MovieRecovery.recover(recovered).summary.tracks[0].sampleCount == 96_000)
    try Data(recovered.content).write(to: URL(fileURLWithPath: path))
    #expect(try Judges.entries(path, "a:0", "stream=duration_ts") == ["duration_ts=96000"])
  }

  @Test func a_frame_above_the_fragment_limit_gets_its_own_fragment() throws {
    var configuration = Take.shortFragments
    configuration.fragmentByteLimit = 100_000
    let file = TraceFile()
    let writer = try MovieWriter(file: file, configuration: configuration)
    let id = try writer.addVideoTrack(Take().video)
    try writer.start()
    let frames = [1000, 400_000, 1000, 99_000, 1_000_000, 1].map { size in
      (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ size) }
    }
    for frame in frames { try writer.append(frame, to: id) }
    _ = try writer.finish()
    let samples = try #require(try MovieIndex(file).videoTrack?.samples)
    #expect(samples.map { Int($0.size) } == frames.map(\.count))
    for (sample, frame) in zip(samples, frames) {
      let start = Int(sample.offset)
      #expect(Array(file.content[start..<(start + frame.count)]) == frame)
    }
  }
}
