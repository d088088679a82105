import Foundation
import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// Checksums computed while a movie is written, compared with those of the finished file.
@Suite struct ChecksumTests {
  // MARK: The hash

  /// Test vectors come from `xxhsum` itself; see the judge below.
  @Test func pieces_give_the_same_checksum_as_the_whole() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0..<500)).map { _ in UInt8.random(in: .min ... .max) }
      var sum = XXHash64()
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
        sum.update(piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(sum.digest == bytes.withUnsafeBytes { XXHash64.digest($0) })
    }
  }

  @Test func a_stripe_connects_any_two_hash_states() {
    for _ in 0..<200 {
      var (one, other) = (XXHash64(), XXHash64())
      let count = 32 * Int.random(in: 1...9)
      one.update((0..<count).map { _ in UInt8.random(in: .min ... .max) })
      other.update((0..<count + 32).map { _ in UInt8.random(in: .min ... .max) })
      let stripe = XXHash64.stripe(from: one.lanes, to: other.lanes)
      one.update(stripe)
      #expect(one.lanes == other.lanes)
      #expect(one.digest == other.digest)
      // Any other stripe leads to another state.
      var changed = stripe
      changed[Int.random(in: 0..<32)] ^= 1 << UInt8.random(in: 0..<8)
      var third = XXHash64(after: UInt64(count), lanes: one.lanes)
      third.update(changed)
      #expect(third.digest != other.digest)
    }
  }

  // MARK: The movie

  /// The checksum of all bytes between the header and the index that are neither video nor audio.
  private func rest(
    _ checksums: MovieChecksums, _ index: MovieIndex, _ content: [UInt8]
  ) -> UInt64 {
    var sum = XXHash64()
    var place = Int(checksums.head.byteCount)
    let samples = index.tracks.filter { [.video, .audio].contains($0.mediaType) }
      .flatMap { $0.samples.byteRanges(of: 0..<$0.samples.count) }
      .sorted { $0.lowerBound < $1.lowerBound }
    for range in samples {
      sum.update(content[place..<Int(range.lowerBound)])
      place = Int(range.upperBound)
    }
    sum.update(content[place..<Int(checksums.index.offset)])
    return sum.digest
  }

  /// The faults in a movie's checksums, by its bytes.
  private func faults(_ checksums: MovieChecksums, in content: [UInt8]) throws -> [String] {
    var faults: [String] = []
    func sum(_ offset: UInt64, _ count: UInt64) -> UInt64 {
      content.withUnsafeBytes {
        XXHash64.digest(UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset + count)]))
      }
    }
    if checksums.file != sum(0, UInt64(content.count)) { faults.append("file") }
    for region in [checksums.head, checksums.index]
    where region.value != sum(region.offset, region.byteCount) { faults.append("\(region)") }
    let index = try MovieIndex(TraceFile(content))
    if checksums.rest != rest(checksums, index, content) { faults.append("rest") }
    for track in index.tracks where track.mediaType != .timecode {
      guard let sums = checksums.tracks.first(where: { $0.id == track.id }) else {
        faults.append("track \(track.id)")
        continue
      }
      if track.mediaType == .video {
        let frames = track.samples.map { sum($0.offset, UInt64($0.size)) }
        if frames != sums.frames { faults.append("frames of \(track.id)") }
        continue
      }
      var first = 0
      for run in sums.runs {
        var hash = XXHash64()
        for range in track.samples.byteRanges(of: first..<first + run.sampleCount) {
          hash.update(content[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        if hash.digest != run.value { faults.append("sound from \(first)") }
        first += run.sampleCount
      }
      if first != track.samples.count { faults.append("\(first) samples of sound") }
    }
    return faults
  }

  @Test(arguments: Take.Placement.allCases)
  func checksums_computed_while_writing_match_the_file(placement: Take.Placement) throws {
    for count in [1, 2, 7, 8, 23, 60] {
      for hasAudio in [true, false] {
        var take = Take().with(placement)
        take.frameCount = count
        if !hasAudio { take.audio = nil }
        let file = TraceFile()
        let summary = try take.record(into: file)
        let checksums = try #require(summary.checksums)
        #expect(try faults(checksums, in: file.content).isEmpty, "\(count) frames")
        #expect(take.faults(in: file.content, try MovieIndex(file)).isEmpty)
      }
    }
  }

  /// Frames of any size, large and small alternating, at any offset within a stripe.
  @Test func frames_of_any_size_have_correct_checksums() throws {
    var random = SeededGenerator(seed: .random(in: 0...UInt64.max))
    for _ in 0..<15 {
      var take = Take()
      take.configuration.placedFrameSize = 3000
      take.configuration.fragmentInterval = Double.random(in: 0.05...0.4)
      let file = TraceFile()
      let (writer, ids) = try take.begin(file)
      for _ in 0..<Int.random(in: 1...40) {
        let size = Bool.random() ? Int.random(in: 1...9000) : 4096 * Int.random(in: 1...2)
        try writer.append(random.bytes(size), to: ids[0])
        let samples = Int.random(in: 0...3000)
        try writer.appendAudio(random.bytes(samples * 6), frames: samples, to: ids[1])
      }
      let checksums = try #require(try writer.finish().checksums)
      #expect(try faults(checksums, in: file.content).isEmpty)
    }
  }

  /// A take of random frames, each in its own blocks.
  private func placed(
    _ frames: [[UInt8]], checksum: (_ frame: Int) -> FrameChecksum? = { _ in nil }
  ) throws -> (content: [UInt8], checksums: MovieChecksums) {
    var take = Take()
    take.configuration.placedFrameSize = 1
    take.audio = nil
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    for (number, frame) in frames.enumerated() {
      try frame.withUnsafeBytes {
        try writer.appendVideo($0, to: ids[0], checksum: checksum(number))
      }
    }
    let checksums = try #require(try writer.finish().checksums)
    return (file.content, checksums)
  }

  /// The blocks of each frame.
  private func blocks(_ content: [UInt8]) throws -> [(bytes: [UInt8], frameSize: Int)] {
    let samples = try #require(try MovieIndex(TraceFile(content)).videoTrack).samples
    return samples.map { sample in
      let start = Int(sample.offset)
      let end = start + (Int(sample.size) + 4095) / 4096 * 4096
      return (Array(content[start..<end]), Int(sample.size))
    }
  }

  private static let frames = (0..<40).map { number in
    (0..<5000 + 97 * number).map { _ in UInt8.random(in: .min ... .max) }
  }

  @Test func placed_frames_begin_at_the_checksums_initial_state() throws {
    let content = try placed(Self.frames).content
    let samples = try #require(try MovieIndex(TraceFile(content)).videoTrack).samples
    #expect(samples.count == Self.frames.count)
    for (number, sample) in samples.enumerated() {
      var sum = XXHash64()
      sum.update(content[..<Int(sample.offset)])
      #expect(sum.lanes == XXHash64.initialLanes, "frame \(number)")
    }
  }

  @Test func a_frames_padding_gives_the_state_of_its_checksum() throws {
    for (frame, block) in zip(Self.frames, try blocks(placed(Self.frames).content)) {
      let taken = frame.withUnsafeBytes { FrameChecksum($0) }
      func known(_ value: UInt64, _ bytes: [UInt8]) -> FrameChecksum {
        bytes.withUnsafeBytes { FrameChecksum(value, ofFrame: block.frameSize, in: $0) }
      }
      #expect(taken.lanes != nil && known(taken.value, block.bytes) == taken)
      // Neither damaged padding nor another frame's checksum is accepted.
      var damaged = block.bytes
      damaged[Int.random(in: block.frameSize..<damaged.count)] ^= 1
      #expect(known(taken.value, damaged).lanes == nil)
      #expect(known(taken.value ^ 1, block.bytes).lanes == nil)
      #expect(known(taken.value, frame).lanes == nil)
    }
  }

  @Test func known_frame_checksums_give_the_same_movie() throws {
    let first = try placed(Self.frames)
    let blocks = try blocks(first.content)
    for isRead in [true, false] {
      let again = try placed(Self.frames) { number in
        let (bytes, size) = blocks[number]
        // The frame without its padding is not enough.
        return bytes.prefix(isRead ? bytes.count : size).withUnsafeBytes {
          FrameChecksum(first.checksums.tracks[0].frames[number], ofFrame: size, in: $0)
        }
      }
      #expect(again.content == first.content)
      #expect(again.checksums == first.checksums)
      #expect(try faults(again.checksums, in: again.content).isEmpty)
    }
  }

  @Test(arguments: Take.Placement.allCases)
  func movies_saved_from_a_full_disk_have_checksums(placement: Take.Placement) throws {
    var take = Take().with(placement)
    take.configuration.preallocation = 0
    let whole = TraceFile()
    try take.record(into: whole)
    var saved = 0
    for capacity in stride(from: 1000, to: whole.content.count, by: whole.content.count / 37) {
      let file = TraceFile()
      file.capacity = UInt64(capacity)
      let writer = try MovieWriter(file: file, configuration: take.configuration)
      do {
        let ids = try take.begin(writer)
        try take.append(to: writer, ids)
        _ = try writer.finish()
        continue
      } catch {
        guard let summary = try? writer.finishAfterFailure() else { continue }
        saved += 1
        let checksums = try #require(summary.checksums)
        #expect(try faults(checksums, in: file.content).isEmpty, "\(capacity) bytes")
      }
    }
    #expect(saved > 15)
  }

  @Test func no_checksums_are_computed_unless_requested() throws {
    var take = Take()
    take.configuration.takesChecksums = false
    let summary = try take.record(into: TraceFile())
    #expect(summary.checksums == nil)
  }

  @Test(
    .tags(.judges),
    .enabled(if: (try? Judges.run("xxhsum", ["--version"]))?.status == 0, "xxhsum is not installed")
  )
  func xxhsum_prints_the_same_checksum() throws {
    for placement in Take.Placement.allCases {
      let folder = try TemporaryFolder()
      let path = folder.path("a.mov")
      let summary = try Take().with(placement).record(
        into: PosixMovieFile(path: path, mode: .create))
      let checksums = try #require(summary.checksums)
      let printed = try Judges.run("xxhsum", ["-H64", path]).output
      #expect(printed.hasPrefix(XXHash64.text(checksums.file) + " "))
    }
  }
}
