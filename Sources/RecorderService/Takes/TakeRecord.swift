import MediaCore
import RecorderControl

/// A completed take, with what the gateway has found out about it.
struct TakeRecord: Sendable, Hashable, Codable {
  /// The state of a job on a take.
  enum JobState: String, Sendable, Hashable, Codable {
    /// It waits for its turn, or until nothing is recorded.
    case waiting
    case running
    case done
    case failed
  }

  /// Whether the movies are still as they were written.
  struct Verification: Sendable, Hashable, Codable {
    var state: JobState
    /// The result of `verify`, once it is done.
    var isValid: Bool?
    /// The first finding, or why the job failed, in a line.
    var message: String?
  }

  /// Proxies for browsers.
  struct Proxy: Sendable, Hashable, Codable {
    var state: JobState
    /// Why it failed, in a line.
    var message: String?
  }

  /// The name in URLs. It stays the same if the movies are moved, and reveals nothing of them.
  let id: String
  /// The recorder's description, with folders.
  private(set) var take: RecorderEvent.FinishedTake
  var verification: Verification?
  var proxy: Proxy?

  /// - Parameter recorder: The recorder of the take.
  init(_ take: RecorderEvent.FinishedTake, of recorder: RecorderStatus?) {
    self.take = take
    id = Self.id(ofTake: take.number, of: recorder)
  }

  /// The ID of a take, which may still be in progress: FNV-1a of its number and its recorder's session, as 16
  /// hexadecimal digits. A recorder of an earlier version has no session; its process number is used.
  static func id(ofTake number: Int, of recorder: RecorderStatus?) -> String {
    let session = recorder?.sessionID ?? recorder.map { "\($0.processID)" } ?? ""
    let hash = "\(session) \(number)".utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Notes that the movies were moved.
  ///
  /// - Parameter movies: Their new paths, in order. Movies beyond the end of this list stay where they are.
  mutating func move(to movies: [String]) {
    // The message contains the old paths, whose folders could not be recognized and removed later.
    take.message = take.withoutFolders.message
    let count = min(movies.count, take.movies.count)
    take.movies.replaceSubrange(..<count, with: movies.prefix(count))
    take.path = movies.first ?? take.path
  }

  /// Forgets jobs that were under way when the gateway ended.
  mutating func forgetJobs() {
    if verification?.state.isUnderWay == true { verification = nil }
    if proxy?.state.isUnderWay == true { proxy = nil }
  }

  /// The positions of the movies on the take's timeline.
  var timeline: TakeTimeline { TakeTimeline(take) }

  /// The movie that shows a frame of the take, and the frame's position in it.
  ///
  /// - Parameter frame: Its slot, from 0. In a gap it is the last frame before.
  /// - Returns: The movie, the position as a part of its length from 0 to 1, and the time in it if the rate
  ///   is known; nil beyond the end.
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
  /// The take as the network sees it.
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
