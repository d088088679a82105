import MediaCore

/// A track that is being written: what is in the file, and what waits for the next fragment.
final class TrackState {
  /// What a track carries, and how it was described.
  enum Content {
    case video(VideoTrackDescription)
    case audio(AudioTrackDescription)
    /// A timecode, and the place of the video track that it belongs to.
    case timecode(TimecodeTrackDescription, video: Int)
    /// Facts, captions or timecode with their times, which come in any fragment.
    case data(DataTrackState)
    /// Chapters, which come with the end of the movie.
    case companion
  }

  let content: Content
  /// What the movie atom says, with the samples that are in whole fragments.
  var record: TrackRecord
  /// Media for the next fragment, but for frames that are placed.
  let buffer: FragmentBuffer
  /// True where the frames of the open fragment are written at once, each at a place of its own.
  var isPlaced = false
  /// Where each waiting frame lies in the file, where they are placed.
  var offsets: [UInt64] = []
  /// Bytes of each waiting sample, or block of PCM.
  var sizes: [UInt32] = []
  /// Units that each waiting sample, or block of PCM, lasts.
  var durations: [UInt32] = []
  /// Units that all waiting samples last.
  var pendingDuration: Int64 = 0
  /// Checksums of what was appended, if wanted; for audio, of what is in complete fragments.
  var checksums: MovieChecksums.Track
  /// When the waiting samples begin, where that is not where the last one ended.
  var baseTime: Int64?

  init(content: Content, record: TrackRecord, buffer: FragmentBuffer) {
    self.content = content
    self.record = record
    self.buffer = buffer
    self.checksums = MovieChecksums.Track(id: TrackID(rawValue: record.id))
  }

  /// Seconds of a take whose tables have their memory from the start. Those of a longer one grow by
  /// doubling, a dozen times in a day. Much more would be wasted on takes that are cut into segments:
  /// freed memory of many sizes is what an allocator keeps.
  static let reservedSeconds = 300.0

  /// As many fragments as that time may have: one may be closed by its size long before its interval
  /// is over.
  static func reservedFragments(_ interval: Double) -> Int {
    Int(reservedSeconds / min(max(interval, 0.05), 0.1))
  }

  /// Takes memory for the tables' first minutes, so that none is taken while frames come.
  func reserveTables(fragments: Int, checksums wantsChecksums: Bool) {
    if wantsChecksums { reserveChecksums(fragments: fragments) }
    switch content {
    case .video(let video):
      let frames = Self.reservedFrames(video)
      record.samples.reserve(chunks: frames, sizes: frames)
      sizes.reserveCapacity(64)
      durations.reserveCapacity(64)
      offsets.reserveCapacity(64)
    case .audio: record.samples.reserve(chunks: fragments, sizes: 0)
    case .timecode, .data, .companion: break
    }
  }

  private static func reservedFrames(_ video: VideoTrackDescription) -> Int {
    Int(min(reservedSeconds * video.expectedFramesPerSecond, 1e5))
  }

  private func reserveChecksums(fragments: Int) {
    switch content {
    case .video(let video):
      checksums.frames.reserveCapacity(Self.reservedFrames(video))
    case .audio: checksums.runs.reserveCapacity(fragments)
    case .timecode, .data, .companion: break
    }
  }

  /// Takes a checksum of the audio that waits.
  func sumAudio() {
    guard case .audio = content else { return }
    checksums.runs.append(
      MovieChecksums.Run(
        sampleCount: Int(pendingDuration), value: XXHash64.digest(buffer.bytes)))
  }

  /// True for a track whose samples have checksums of their own.
  var isSummed: Bool {
    switch content {
    case .video, .audio: true
    case .timecode, .data, .companion: false
    }
  }

  /// The checksums of what is in the table: all of it, unless fragments were given up.
  var committedChecksums: MovieChecksums.Track? {
    guard isSummed else { return nil }
    var kept = checksums
    if kept.frames.count > record.samples.count {
      kept.frames.removeLast(kept.frames.count - record.samples.count)
    }
    var count = kept.runs.reduce(0) { $0 + $1.sampleCount }
    while count > record.samples.count, let last = kept.runs.popLast() { count -= last.sampleCount }
    return kept
  }

  /// PCM samples in one block of a fragment. A finished movie counts PCM one by one; in fragments
  /// that would cost readers an entry for each.
  static let blockFrames = 4096

  var isEmpty: Bool { pendingDuration == 0 && sizes.isEmpty && buffer.count == 0 }

  /// The length of everything appended, in the track's time scale.
  var duration: Int64 { record.samples.duration + pendingDuration }

  /// What the fragment says about the waiting samples.
  func run() -> FragmentRun {
    FragmentRun(
      trackID: record.id, baseTime: baseTime ?? record.samples.duration, sizes: sizes,
      durations: durations, offsets: offsets, byteCount: buffer.count, sampleEntry: newSampleEntry)
  }

  /// The sample entry, where what the file says of it is no longer all.
  private var newSampleEntry: [UInt8] {
    if case .data(let data) = content, data.hasNewEntry { record.sampleEntry } else { [] }
  }

  /// Bytes of a track run of one placed frame: header, count, offset, duration, size.
  static let placedRunSize = 28
  /// Bytes of an entry of a track run: duration, size.
  static let runEntrySize = 8

  /// The most bytes that the fragment's header takes for this track as things stand.
  var headerLimit: Int {
    let entries: Int
    switch content {
    case .audio: entries = Int(pendingDuration) / Self.blockFrames + 1
    case .video: entries = isPlaced ? 0 : sizes.count
    case .companion: entries = sizes.count
    case .data(let data): entries = sizes.count + data.entryLimit
    case .timecode: entries = 1
    }
    // traf, tfhd, tfdt and one trun without its entries, at their largest.
    return 8 + 20 + 20 + 20 + entries * Self.runEntrySize + offsets.count * Self.placedRunSize
      + newSampleEntry.count
  }

  /// Splits waiting PCM into blocks.
  func makeBlocks() {
    guard case .audio(let description) = content else { return }
    sizes.removeAll(keepingCapacity: true)
    durations.removeAll(keepingCapacity: true)
    var left = Int(pendingDuration)
    while left > 0 {
      let frames = min(left, Self.blockFrames)
      sizes.append(UInt32(frames * description.format.bytesPerFrame))
      durations.append(UInt32(frames))
      left -= frames
    }
  }

  /// Takes the waiting samples into the table: those that have no place of their own lie from
  /// `offset` on.
  func commit(at offset: UInt64) -> Bool {
    let placed: Bool
    if let baseTime {
      if case .data(let data) = content {
        record.beginData(at: baseTime)
        data.didTellEntry()
      } else {
        record.samples.extendLastSample(to: baseTime)
      }
    }
    if case .audio(let description) = content {
      placed =
        record.samples.appendChunk(
          offset: offset, count: Int(pendingDuration),
          size: UInt32(description.format.bytesPerFrame))
        && record.samples.appendTimes(count: Int(pendingDuration), duration: 1)
    } else {
      var timed = true
      if isPlaced {
        for (offset, size) in zip(offsets, sizes) where timed {
          timed = record.samples.appendChunk(offset: offset, sizes: CollectionOfOne(size))
        }
      } else {
        timed = record.samples.appendChunk(offset: offset, sizes: sizes)
      }
      for duration in durations where timed {
        timed = record.samples.appendTimes(count: 1, duration: duration)
      }
      placed = timed
    }
    discard()
    return placed
  }

  /// Forgets the waiting samples and keeps the memory.
  func discard() {
    buffer.removeAll()
    sizes.removeAll(keepingCapacity: true)
    durations.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    isPlaced = false
    pendingDuration = 0
    baseTime = nil
  }
}
