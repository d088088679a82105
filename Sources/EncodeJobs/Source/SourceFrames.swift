import AssetReader
import MediaCore
import MovieExport

/// The decoded frames of a source, starting at a given frame, with their indices in the source
/// index.
///
/// Decoding starts at the last sync frame at or before the first frame, if later frames decode
/// exactly from there; otherwise at the sync frame before that. If seeking lands elsewhere, an
/// earlier place is tried, and finally the beginning. Nothing is decoded beyond the last frame, except
/// what precedes it in decode order.
final class SourceFrames {
  private let index: SourceIndex
  private let opening: JobOpening
  private var name: String { opening.session.location.displayName }
  private var reader: AssetReader
  /// The source's first frame, if decoding continues after it.
  private var first: AssetSample?
  /// True until the opening's reader is used.
  private var isFresh = true
  private var next: Int
  private let end: Int
  /// The packets that are decoded after seeking; nil if the source is read from its beginning.
  private var wanted: WantedPackets?
  private var hasBegun = false
  /// The places still to try for starting to decode: indices of the index's sync frames; nil for
  /// the source's beginning, which is the last one.
  private var beginnings: [Int?]
  /// The number of frames decoded and dropped before the first one.
  private(set) var passedCount = 0
  /// The number of undecodable frames before the first one that it may refer to.
  private(set) var damageBefore = 0

  /// - Parameters:
  ///   - first: The first frame.
  ///   - end: The last frame, at least `first`.
  ///   - opening: The source, opened for these frames or to its end. Its reader is used.
  init(_ index: SourceIndex, from first: Int, through end: Int, _ opening: JobOpening) throws {
    self.index = index
    self.opening = opening
    self.end = end
    next = first
    beginnings = Self.beginnings(index, from: first)
    reader = opening.reader
    try begin()
  }

  /// True if frames are read from the source's beginning, without seeking.
  static func areFromBeginning(_ index: SourceIndex, from first: Int) -> Bool {
    beginnings(index, from: first).first == .some(nil)
  }

  /// The sync frames to start at, best first, and the source's beginning.
  private static func beginnings(_ index: SourceIndex, from first: Int) -> [Int?] {
    guard let sync = index.sync(for: first) else { return [nil] }
    let steps = (index.isClosed(sync) ? [0] : []) + [1, 4, 16]
    return steps.prefix { $0 < sync }.map { sync - $0 } + [nil]
  }

  /// The first frame's sync frame, as an index of the index's sync frames, if the first frame
  /// certainly decodes exactly from there.
  private var closedSync: Int? {
    index.sync(for: next).flatMap { index.isClosed($0) ? $0 : nil }
  }

  /// Moves to the next place to try.
  private func begin() throws {
    damageBefore = 0
    while !beginnings.isEmpty {
      guard let sync = beginnings.removeFirst() else {
        wanted = nil
        if isFresh { first = opening.first } else { reader = try opening.open() }
        isFresh = false
        return
      }
      if !isFresh { reader = try opening.open() }
      isFresh = false
      let wanted = WantedPackets(index, next...end, sync: index.syncs[closedSync ?? sync])
      self.wanted = wanted
      reader.endDecoding(of: opening.track.id) { wanted.take($0) }
      if reader.seek(opening.track.id, to: index.time(index.syncs[sync])) { return }
    }
  }

  /// True for a failure at or after the sync frame, which the first frame may refer to.
  private func concernsFirst(_ error: AssetReaderError) -> Bool {
    guard let sync = index.sync(for: next), let times = error.times else { return true }
    return times.upperBound >= index.time(index.syncs[sync])
  }

  /// The next frame; nil after the last one.
  ///
  /// - Throws: ``EncodeJobError/Code/pictureMissing`` if one is missing, `AssetReaderError`.
  func nextPicture() throws -> (place: Int, sample: AssetSample)? {
    guard next < index.count else { return nil }
    while true {
      let sample: AssetSample?
      do throws(AssetReaderError) {
        if let known = first {
          sample = known
          first = nil
        } else {
          sample = try reader.nextSample()
        }
      } catch {
        // Frames before the first wanted one may lack their references. A wanted one is detected as
        // missing below.
        guard error.code == .decodeFailed else { throw error }
        if !hasBegun, concernsFirst(error) { damageBefore += 1 }
        continue
      }
      let place = sample.flatMap { index.picture(at: $0.sampleBuffer.presentationTimeStamp) }
      // HEVC decoders output frames even if seeking landed after the sync frame that they refer to.
      if let sample, let place, place == next, hasBegun || wanted?.hasSync != false {
        hasBegun = true
        next += 1
        return (place, sample)
      }
      if let place, place < next {
        passedCount += 1
        continue
      }
      if sample != nil, place == nil { continue }
      // After the wanted frame, or at the end.
      guard !hasBegun, !beginnings.isEmpty else {
        throw EncodeJobError(
          .pictureMissing,
          "\(name): the frame at \(index.time(next).seconds.text(decimals: 6)) s cannot be decoded; "
            + "encode the source in one piece, which leaves out such frames and reports them")
      }
      try begin()
    }
  }
}
