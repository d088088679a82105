import Foundation
import MediaCore
import QuickTime

/// What lies in the job's folder once a movie is joined.
struct JoinRecord: Codable {
  /// The xxHash64 of the plan.
  var plan: String
  /// What the join came to.
  var outcome: MovieJoiner.Outcome

  init(plan: String, outcome: MovieJoiner.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  /// The record of a source's movie; nil where there is none, or it is another plan's.
  init?(of source: Int, _ job: EncodeJob) throws(QuickTimeError) {
    guard let bytes = try SmallFile(path: job.joinRecord(of: source)).read(limit: 1 << 24),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.plan == job.planChecksum
    else { return nil }
    self = record
  }

  /// Writes it where its movie is told to be joined.
  func write(of source: Int, _ job: EncodeJob) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try SmallFile(path: job.joinRecord(of: source)).write([[UInt8](try encoder.encode(self))])
  }
}
