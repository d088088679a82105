import Foundation
import MediaCore
import QuickTime

/// The record in the job's folder of a joined movie.
struct JoinRecord: Codable {
  /// The xxHash64 of the plan.
  var plan: String
  /// The result of the join.
  var outcome: MovieJoiner.Outcome

  init(plan: String, outcome: MovieJoiner.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  /// Reads the record of a source's movie; nil if there is none or it belongs to another plan.
  init?(of source: Int, _ job: EncodeJob) throws(QuickTimeError) {
    guard let bytes = try SmallFile(path: job.joinRecord(of: source)).read(limit: 1 << 24),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.plan == job.planChecksum
    else { return nil }
    self = record
  }

  /// Writes the record, which marks its movie as joined.
  func write(of source: Int, _ job: EncodeJob) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try SmallFile(path: job.joinRecord(of: source)).write([[UInt8](try encoder.encode(self))])
  }
}
