import AssetReader
import Foundation
import MediaCore
import MovieExport

/// Finds all frames of a source in one read, decoding only its beginning.
final class SourceIndexer {
  private let location: AssetLocation
  private var entries: [Entry] = []
  /// The damage marks of packets, in the file's order.
  private(set) var marks: [PacketMark] = []
  /// Frames after the first one that failed to decode.
  private(set) var undecoded: [Undecoded] = []

  init(location: AssetLocation) { self.location = location }

  /// A packet.
  struct Entry {
    var time: MediaTime
    var duration: MediaTime
    var isSync: Bool
    /// True if decoding from the sync frame gives all later frames exactly.
    var isFresh: Bool
  }

  /// A frame that failed to decode.
  struct Undecoded {
    var time: MediaTime
    /// The time of the last decodable frame before it.
    var timeBefore: MediaTime
  }

  /// The beginning of the source, as decoded.
  private struct Probe {
    /// The times of the decoded frames.
    var known: [MediaTime]
    /// The frames among them that the decoder rejected.
    var refused = RefusedFrames()

    /// The number of frames to decode, which is `count` unless some were rejected.
    func length(unless count: Int) -> Int {
      guard refused.count > 0 else { return count }
      // Frames before a rejected one may still come.
      let isOpen = (refused.latest ?? .negativeInfinity) > known[known.count - 1]
      return isOpen ? SourceIndexer.longProbe : SourceIndexer.usualProbe
    }
  }

  /// Records a packet, decoded or not.
  func note(_ packet: CompressedPacket) {
    if let mark = PacketMark(packet, video: packet.trackID) { marks.append(mark) }
    guard !packet.isDiscarded else { return }
    entries.append(
      Entry(
        time: packet.presentationTimeStamp, duration: packet.duration,
        isSync: packet.isKeyFrame, isFresh: packet.isFreshStart))
  }

  /// The fewest frames decoded to compare frames with packets. Fields in separate packets, and
  /// packets without a frame, show among the first two or three.
  private static let shortProbe = 4
  /// The most frames decoded, and the number once a frame was rejected.
  private static let usualProbe = 16
  /// The number while frames before a rejected one may still come.
  private static let longProbe = 64
  /// One frame in 200 is decoded: half a percent of decoding the source.
  private static let probeShare = 200

  /// The number of frames to decode of a track, unless one is rejected.
  ///
  /// - Returns: 4 to 16, depending on the track's length; 16 if unknown.
  static func probeLength(of track: AssetTrack) -> Int {
    var count = track.sampleCount
    if count == nil, track.duration.isNumeric, let rate = track.frameRate {
      count = rate.frameIndex(nearest: track.duration).map { Int(clamping: $0) }
    }
    return count.map { min(max($0 / probeShare, shortProbe), usualProbe) } ?? usualProbe
  }

  /// Makes the index of all packets.
  ///
  /// - Parameter opening: The source, whose packets were recorded. It is read to its end.
  /// - Throws: `AssetReaderError`; ``EncodeJobError/Code/notDivisible`` if the frames cannot be
  ///   determined from packets.
  func index(_ opening: JobOpening) throws -> SourceIndex {
    let probe = try probe(opening)
    try readOn(opening.reader)
    guard !entries.isEmpty else {
      throw AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
    }
    if let place = entries.firstIndex(where: { !$0.time.isNumeric }) {
      throw refusal("packet \(place) has no time")
    }
    entries.sort { $0.time < $1.time }
    for (one, next) in zip(entries, entries.dropFirst()) where one.time == next.time {
      throw refusal("two of its packets have the time \(one.time.seconds.text(decimals: 6)) s")
    }
    try leaveOutWhatDoesNotDecode(probe)
    let timescale = entries[0].time.timescale
    func value(_ time: MediaTime) -> Int64 {
      time.isNumeric ? time.converted(toTimescale: timescale).value : 0
    }
    let durations = entries.map { value($0.duration) }
    let areEqual = durations.allSatisfy { $0 == durations[0] }
    return SourceIndex(
      timescale: timescale, times: entries.map { value($0.time) },
      durations: areEqual ? [durations[0]] : durations,
      syncs: entries.indices.filter { entries[$0].isSync },
      openSyncs: entries.indices.filter { entries[$0].isSync && !entries[$0].isFresh })
  }

  /// Decodes the first frames.
  private func probe(_ opening: JobOpening) throws(AssetReaderError) -> Probe {
    var probe = Probe(known: [opening.first.sampleBuffer.presentationTimeStamp])
    let length = Self.probeLength(of: opening.track)
    while probe.known.count < probe.length(unless: length) {
      do throws(AssetReaderError) {
        guard let sample = try opening.reader.nextSample() else { break }
        probe.known.append(sample.sampleBuffer.presentationTimeStamp)
      } catch {
        guard error.code == .decodeFailed else { throw error }
        if error.isUnseen {
          marks.append(PacketMark(unseen: error, of: opening.track.id))
        } else {
          probe.refused.take(error)
        }
      }
    }
    return probe
  }

  /// Records the packets of the rest of the source.
  private func readOn(_ reader: AssetReader) throws {
    if ["yuv4mpegpipe", "rawvideo"].contains(reader.containerName) { return try readFrames() }
    while let packet = try reader.nextUnreadPacket() { note(packet) }
  }

  /// Reads all frames of a source without packets.
  private func readFrames() throws {
    let reader = try AssetReader(location)
    while let sample = try reader.nextSample() {
      let buffer = sample.sampleBuffer
      entries.append(
        Entry(
          time: buffer.presentationTimeStamp, duration: buffer.duration,
          isSync: sample.isKeyFrame, isFresh: sample.isKeyFrame))
    }
  }

  /// Compares the first packets with the decoded frames. Removes frames before the first one that
  /// decodes, and others that the decoder rejects, like `encode` does.
  private func leaveOutWhatDoesNotDecode(_ probe: Probe) throws(EncodeJobError) {
    let known = probe.known
    guard let start = entries.firstIndex(where: { $0.time == known[0] }) else {
      throw refusal("the time of its first frame matches no packet")
    }
    entries.removeFirst(start)
    var lost: [Int] = []
    var next = 0
    for (number, frame) in known.enumerated() {
      while next < entries.count, entries[next].time < frame,
        undecoded.count < probe.refused.count
      {
        undecoded.append(Undecoded(time: entries[next].time, timeBefore: known[number - 1]))
        lost.append(next)
        next += 1
      }
      guard next < entries.count else { throw refusal("it has more frames than packets") }
      guard entries[next].time == frame else {
        throw refusal(
          "its frames and its packets have different times near "
            + "\(frame.seconds.text(decimals: 6)) s")
      }
      next += 1
    }
    for place in lost.reversed() { entries.remove(at: place) }
  }

  private func refusal(_ reason: String) -> EncodeJobError {
    EncodeJobError(
      .notDivisible,
      "\(location.displayName) cannot be cut exactly: \(reason); encode it in one piece")
  }
}
