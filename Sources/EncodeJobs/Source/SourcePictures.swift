import AssetReader
import MediaCore
import MovieExport

/// The decoded pictures of a source from one on, each told by its place in the index.
///
/// Decoding begins with the sync frame at the first picture or before it, where nothing behind that one refers
/// to what lies before it; else with the sync frame before that one. Where the container leads somewhere else,
/// an earlier place is tried, and the beginning at last.
final class SourcePictures {
  private let index: SourceIndex
  private let opening: JobOpening
  private var name: String { opening.session.location.displayName }
  private var reader: AssetReader
  /// The source's first picture, where decoding goes on behind it.
  private var first: AssetSample?
  /// True until the opening's reader has been made use of.
  private var isFresh = true
  private var next: Int
  private var hasBegun = false
  /// Where decoding may begin, of the tries that are left: places in the index's sync frames; nil for the
  /// source's beginning, which is the last one.
  private var beginnings: [Int?]
  /// Pictures that were decoded on the way to the first one, and left out.
  private(set) var passedCount = 0
  /// Pictures that did not decode on the way, and that the first one may refer to.
  private(set) var damageBefore = 0

  /// - Parameter opening: The source, whose reader is read on.
  init(_ index: SourceIndex, from first: Int, _ opening: JobOpening) throws {
    self.index = index
    self.opening = opening
    next = first
    beginnings = Self.beginnings(index, from: first)
    reader = opening.reader
    try begin()
  }

  /// True where the pictures are read from the source's beginning on, without searching it.
  static func areFromBeginning(_ index: SourceIndex, from first: Int) -> Bool {
    beginnings(index, from: first).first == .some(nil)
  }

  /// The sync frames to begin with, best first, and the source's beginning.
  private static func beginnings(_ index: SourceIndex, from first: Int) -> [Int?] {
    guard let sync = index.sync(for: first) else { return [nil] }
    let steps = (index.isClosed(sync) ? [0] : []) + [1, 4, 16]
    return steps.prefix { $0 < sync }.map { sync - $0 } + [nil]
  }

  /// Opens the source at the next place to try.
  private func begin() throws {
    damageBefore = 0
    while !beginnings.isEmpty {
      guard let sync = beginnings.removeFirst() else {
        if isFresh { first = opening.first } else { reader = try opening.open() }
        isFresh = false
        return
      }
      if !isFresh { reader = try opening.open() }
      isFresh = false
      if reader.seek(opening.track.id, to: index.time(index.syncs[sync])) { return }
    }
  }

  /// True for a failure behind the sync frame from which on pictures may refer to it.
  private func concernsFirst(_ error: AssetReaderError) -> Bool {
    guard let sync = index.sync(for: next), let times = error.times else { return true }
    return times.upperBound >= index.time(index.syncs[sync])
  }

  /// The next picture; nil behind the last one.
  ///
  /// - Throws: ``EncodeJobError/Code/pictureMissing`` where one does not come, `AssetReaderError`.
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
        // Those before the first one that is wanted may lack what they refer to; one that is wanted
        // is missed below.
        guard error.code == .decodeFailed else { throw error }
        if !hasBegun, concernsFirst(error) { damageBefore += 1 }
        continue
      }
      let place = sample.flatMap { index.picture(at: $0.sampleBuffer.presentationTimeStamp) }
      if let sample, let place, place == next {
        hasBegun = true
        next += 1
        return (place, sample)
      }
      if let place, place < next {
        passedCount += 1
        continue
      }
      if sample != nil, place == nil { continue }
      // Behind it, or at the end.
      guard !hasBegun, !beginnings.isEmpty else {
        throw EncodeJobError(
          .pictureMissing,
          "\(name): the picture at \(index.time(next).seconds.text(decimals: 6)) s cannot be decoded; "
            + "encode the source in one piece, which leaves such pictures out and says so")
      }
      try begin()
    }
  }
}
