import FoundationEssentials
import MediaCore
import QuickTime

/// The files of a take: which comes next, and what it is called.
///
/// A name that is taken is passed over: a take never ends because of a file that lies there.
struct SegmentFiles {
  /// Makes a file that is not there yet, or, where it may, replaces one.
  typealias MakeFile = @Sendable (URL) throws(QuickTimeError) -> any MovieFile

  let take: URL
  let policy: SegmentPolicy
  let makeFile: MakeFile
  /// The number in the next name.
  private var number = 1
  /// Names that are passed over in a row at most.
  static let mostTakenNames = 10_000

  init(take: URL, policy: SegmentPolicy, makeFile: @escaping MakeFile) {
    self.take = take
    self.policy = policy
    self.makeFile = makeFile
  }

  /// Makes the first file; a name that is taken is an error.
  mutating func first() throws(QuickTimeError) -> any MovieFile {
    let url = policy.url(ofSegment: 1, of: take)
    number = 2
    return try makeFile(url)
  }

  /// Makes the next file.
  mutating func next() throws(QuickTimeError) -> any MovieFile {
    var passed = 0
    while true {
      let url = policy.url(ofSegment: number, of: take)
      number += 1
      do throws(QuickTimeError) {
        return try makeFile(url)
      } catch {
        passed += 1
        guard error.code == .fileExists, passed < Self.mostTakenNames else { throw error }
      }
    }
  }
}
