import MediaCore
import RecorderControl

/// A take that a channel's recorder has completed, with what the gateway knows of it besides.
struct TakeRecord: Sendable, Hashable, Codable {
  /// Where a job on a take stands.
  enum JobState: String, Sendable, Hashable, Codable {
    /// It waits for its turn, or until nothing is recorded.
    case waiting
    case running
    case done
    case failed
  }

  /// Whether the movies are what they were when they were written.
  struct Verification: Sendable, Hashable, Codable {
    var state: JobState
    /// What `verify` said, once it is done.
    var isValid: Bool?
    /// What was found, or why it failed, in a line.
    var message: String?
  }

  /// Small movies for browsers.
  struct Proxy: Sendable, Hashable, Codable {
    var state: JobState
    /// Why it failed, in a line.
    var message: String?
  }

  /// The ID in addresses. It does not depend on where the movies are, and reveals nothing about them.
  let id: String
  /// As the recorder told it, with folders.
  private(set) var take: RecorderEvent.FinishedTake
  var verification: Verification?
  var proxy: Proxy?

  /// - Parameter recorder: The recorder of the take.
  init(_ take: RecorderEvent.FinishedTake, of recorder: RecorderStatus?) {
    self.take = take
    id = Self.id(ofTake: take.number, of: recorder)
  }

  /// The ID of a take, be it that it is still recorded: FNV-1a of its number and its recorder's session,
  /// which a recorder of an earlier version has no other name for than its process, as 16 hexadecimal
  /// digits.
  static func id(ofTake number: Int, of recorder: RecorderStatus?) -> String {
    let session = recorder?.sessionID ?? recorder.map { "\($0.processID)" } ?? ""
    let hash = "\(session) \(number)".utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The movies lie elsewhere now.
  ///
  /// - Parameter movies: Their paths, in order. Those that are beyond them stay where they are.
  mutating func move(to movies: [String]) {
    // It names the files as they were, and nobody would know their folders any more.
    take.message = take.withoutFolders.message
    let count = min(movies.count, take.movies.count)
    take.movies.replaceSubrange(..<count, with: movies.prefix(count))
    take.path = movies.first ?? take.path
  }

  /// A job that was under way when the gateway ended is no more.
  mutating func forgetJobs() {
    for state in [verification?.state] where state == .waiting || state == .running {
      verification = nil
    }
    if proxy?.state == .waiting || proxy?.state == .running { proxy = nil }
  }

  /// Where the movies lie on the take's timeline.
  var timeline: TakeTimeline { TakeTimeline(take) }

  /// The movie that shows a frame of the take, and where.
  ///
  /// - Parameter frame: Its slot, from 0. In a gap the frame before goes on.
  /// - Returns: The movie, the time in it where the rate is known, and for others the part of its length, from
  ///   0 to 1; nil beyond the end.
  func movie(ofFrame frame: Int64) -> (path: String, place: Double, time: MediaTime?)? {
    let timeline = timeline
    guard let place = timeline.place(of: frame) else { return nil }
    let last = timeline.movies[place.movie].count - 1
    return (
      take.movies[place.movie], last > 0 ? Double(place.slot) / Double(last) : 0,
      timeline.time(ofSlot: place.slot)
    )
  }
}

extension TakeRecord {
  /// The take as the network is told of it.
  struct Document: Encodable {
    let record: TakeRecord

    private enum Key: CodingKey {
      case id, slotCount, verification, proxy
    }

    func encode(to encoder: any Encoder) throws {
      try record.take.withoutFolders.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(record.id, forKey: .id)
      try container.encode(record.timeline.slotCount, forKey: .slotCount)
      try container.encodeIfPresent(record.verification, forKey: .verification)
      try container.encodeIfPresent(record.proxy, forKey: .proxy)
    }
  }
}
