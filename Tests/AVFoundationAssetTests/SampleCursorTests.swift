import AVFoundationCompat
import TestSupport
import Testing

/// Cursors among a track's samples, compared with the bytes of the file.
@Suite(.timeLimit(.minutes(10)))
struct SampleCursorTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  /// The time of a frame of the movie.
  private static func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }

  private func bytes(of cursor: AVSampleCursor) throws -> [UInt8] {
    let file = try Data(contentsOf: try #require(cursor.currentChunkStorageURL))
    let range: AVSampleCursorStorageRange = cursor.currentSampleStorageRange
    let (start, length) = (Int(range.offset), Int(range.length))
    try #require(start >= 0 && length > 0 && start + length <= file.count)
    return [UInt8](file[start..<start + length])
  }

  @Test func a_cursor_steps_from_frame_to_frame() async throws {
    let asset = try await rig.makeMovie()
    let track = try #require(asset.tracks(withMediaType: .video).first)
    #expect(track.canProvideSampleCursors)
    let cursor = try #require(track.makeSampleCursorAtFirstSampleInDecodeOrder())
    var (frame, total): (Int64, Int64) = (0, 0)
    repeat {
      #expect(cursor.presentationTimeStamp == Self.time(frame))
      #expect(cursor.decodeTimeStamp == cursor.presentationTimeStamp)
      #expect(cursor.currentSampleDuration == Self.time(1))
      // A frame of ProRes begins with its size and `icpf`.
      let bytes = try bytes(of: cursor)
      #expect(bytes[..<4].reduce(0) { $0 << 8 | Int($1) } == bytes.count)
      #expect(bytes[4..<8].elementsEqual("icpf".utf8))
      total += cursor.currentSampleStorageRange.length
      frame += 1
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
    #expect(frame == 20 && total == track.totalSampleDataLength)
    let last = try #require(track.makeSampleCursorAtLastSampleInDecodeOrder())
    #expect(cursor.comparePositionInDecodeOrder(withPositionOf: last) == .orderedSame)
    #expect(cursor.stepInPresentationOrder(byCount: -5) == -5)
    #expect(cursor.comparePositionInDecodeOrder(withPositionOf: last) == .orderedAscending)
    #expect(last.comparePositionInDecodeOrder(withPositionOf: cursor) == .orderedDescending)
    #expect(cursor.stepInDecodeOrder(byCount: .min) == -14)
    #expect(cursor.stepInDecodeOrder(byCount: .max) == 19)
    let copy = try #require(cursor.copy() as? AVSampleCursor)
    #expect(copy.stepInDecodeOrder(byCount: -1) == -1)
    #expect(cursor.presentationTimeStamp == Self.time(19))
    let sync: AVSampleCursorSyncInfo = cursor.currentSampleSyncInfo
    #expect(sync.sampleIsFullSync.boolValue && !sync.sampleIsPartialSync.boolValue)
    #expect(!sync.sampleIsDroppable.boolValue && sync != AVSampleCursorSyncInfo())
    #expect(
      !cursor.samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than: copy))
    #expect(
      !cursor.samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than: copy))
    let description = cursor.copyCurrentSampleFormatDescription()
    #expect(description.mediaSubType == .proRes422HQ && description.dimensions.width == 320)
  }

  @Test func a_cursor_finds_the_sample_at_a_time() async throws {
    let asset = try await rig.makeMovie()
    let track = try #require(asset.tracks(withMediaType: .video).first)
    for (thousandths, frame): (Int64, Int64) in [
      (-10, 0), (0, 0), (39, 0), (40, 1), (79, 1), (799, 19), (800, 19), (9000, 19),
    ] {
      let cursor = track.makeSampleCursor(
        presentationTimeStamp: CMTime(value: thousandths, timescale: 1000))
      #expect(cursor?.presentationTimeStamp == Self.time(frame), "\(thousandths)")
    }
    let never = CMTime(value: .max, timescale: 600)
    #expect(
      track.makeSampleCursor(presentationTimeStamp: never)?.presentationTimeStamp == Self.time(19))
    #expect(track.makeSampleCursor(presentationTimeStamp: .invalid) == nil)
    let cursor = try #require(track.makeSampleCursor(presentationTimeStamp: Self.time(5)))
    var wasPinned: ObjCBool = true
    let half = CMTime(value: 1, timescale: 50)
    #expect(cursor.stepByDecodeTime(half, wasPinned: &wasPinned) == .zero && !wasPinned.boolValue)
    #expect(cursor.stepByPresentationTime(half + Self.time(2), wasPinned: nil) == Self.time(2))
    #expect(cursor.presentationTimeStamp == Self.time(7))
    #expect(cursor.stepByPresentationTime(Self.time(-9), wasPinned: &wasPinned) == Self.time(-7))
    #expect(wasPinned.boolValue && cursor.presentationTimeStamp == .zero)
    #expect(cursor.stepByDecodeTime(Self.time(20), wasPinned: &wasPinned) == Self.time(19))
    #expect(wasPinned.boolValue)
    #expect(cursor.stepByDecodeTime(.invalid, wasPinned: &wasPinned) == .zero)
    #expect(!wasPinned.boolValue && cursor.presentationTimeStamp == Self.time(19))
  }

  @Test func an_audio_sample_is_where_the_cursor_points() async throws {
    let asset = try await rig.makeMovie()
    let track = try #require(asset.tracks(withMediaType: .audio).first)
    var random = SeededGenerator(seed: 44)
    for _ in 0..<50 {
      let number = Int64(random.next() % 38_400)
      let cursor = try #require(
        track.makeSampleCursor(presentationTimeStamp: CMTime(value: number, timescale: 48_000)))
      let value = UInt16(truncatingIfNeeded: number)
      let channel = [UInt8(value & 0xFF), UInt8(value >> 8)]
      #expect(try bytes(of: cursor) == channel + channel)
      #expect(cursor.currentSampleDuration == CMTime(value: 1, timescale: 48_000))
    }
    let last = track.makeSampleCursorAtLastSampleInDecodeOrder()
    #expect(last?.presentationTimeStamp == CMTime(value: 38_399, timescale: 48_000))
  }

  @Test func a_track_with_a_changed_rate_has_no_cursors() async throws {
    let asset = try await rig.makeMovie()
    var bytes = [UInt8](try Data(contentsOf: asset.url))
    let code = Array("elst".utf8)
    let lists = bytes.indices.filter { bytes[$0...].starts(with: code) }
    #expect(!lists.isEmpty)
    for list in lists {
      // After version, flags, count, and the duration and time of the only edit.
      let rate = list + (bytes[list + 4] == 0 ? 20 : 28)
      try #require(bytes[rate..<rate + 4].elementsEqual([0, 1, 0, 0]))
      bytes[rate + 1] = 2
    }
    let url = rig.folder.url("fast.mov")
    try Data(bytes).write(to: url)
    let fast = AVURLAsset(url: url)
    let track = try #require(fast.tracks(withMediaType: .video).first)
    #expect(!track.canProvideSampleCursors)
  }

  @Test func a_composition_track_has_no_cursors() async throws {
    let asset = try await rig.makeMovie()
    let source = try #require(asset.tracks(withMediaType: .video).first)
    let composition = AVMutableComposition()
    let track = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    try track.insertTimeRange(source.timeRange, of: source, at: .zero)
    #expect(!track.canProvideSampleCursors)
    #expect(track.makeSampleCursor(presentationTimeStamp: .zero) == nil)
    #expect(track.makeSampleCursorAtFirstSampleInDecodeOrder() == nil)
    #expect(track.makeSampleCursorAtLastSampleInDecodeOrder() == nil)
  }
}
