import AssetReader
import Foundation
import MediaCore
import MovieExport

/// Finds all pictures of a source, which is opened and read once, without decoding more than its beginning.
final class SourceIndexer {
  private let location: AssetLocation
  private var entries: [Entry] = []
  /// What the packets say of damage, in the file's order.
  private(set) var marks: [PacketMark] = []
  /// Pictures behind the first one that were found not to decode.
  private(set) var undecoded: [Undecoded] = []

  init(location: AssetLocation) { self.location = location }

  /// A packet.
  struct Entry {
    var time: MediaTime
    var duration: MediaTime
    var isSync: Bool
    /// True where nothing behind a sync frame refers to what lies before it.
    var isFresh: Bool
  }

  /// A picture that does not decode.
  struct Undecoded {
    var time: MediaTime
    /// When the last picture before it is shown that decodes.
    var timeBefore: MediaTime
  }

  /// The beginning as the decoder gives it.
  private struct Probe {
    /// The times of the pictures.
    var known: [MediaTime]
    /// Those among them that it refused.
    var refused = RefusedPictures()

    /// The number of pictures to decode, which is `count` unless some were refused.
    func length(unless count: Int) -> Int {
      guard refused.count > 0 else { return count }
      // Pictures may still come that are shown before one that was refused.
      let isOpen = (refused.latest ?? .negativeInfinity) > known[known.count - 1]
      return isOpen ? SourceIndexer.longProbe : SourceIndexer.usualProbe
    }
  }

  /// Takes a packet, whether it is decoded or not.
  func note(_ packet: CompressedPacket) {
    if let mark = PacketMark(packet, pictures: packet.trackID) { marks.append(mark) }
    guard !packet.isDiscarded else { return }
    entries.append(
      Entry(
        time: packet.presentationTimeStamp, duration: packet.duration,
        isSync: packet.isKeyFrame, isFresh: packet.isFreshStart))
  }

  /// The fewest pictures that are decoded to compare pictures with packets. Fields in packets of their own, and
  /// packets without a picture, show among the first two or three.
  private static let shortProbe = 4
  /// The most, and the number once a picture has been refused.
  private static let usualProbe = 16
  /// The number while pictures may still come that are shown before a refused one.
  private static let longProbe = 64
  /// One picture in 200 is decoded, which is half a percent of decoding the source.
  private static let probeShare = 200

  /// The number of pictures to decode of a track unless one of them is refused.
  ///
  /// - Returns: 4 to 16, by the track's length; 16 if that is not known.
  static func probeLength(of track: AssetTrack) -> Int {
    var count = track.sampleCount
    if count == nil, track.duration.isNumeric, let rate = track.frameRate {
      count = rate.frameIndex(nearest: track.duration).map { Int(clamping: $0) }
    }
    return count.map { min(max($0 / probeShare, shortProbe), usualProbe) } ?? usualProbe
  }

  /// The index of all packets.
  ///
  /// - Parameter opening: The source, whose packets were noted, and which is read to its end.
  /// - Throws: `AssetReaderError`; ``EncodeJobError/Code/notDivisible`` where packets do not tell what
  ///   the pictures are.
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

  /// Decodes the first pictures.
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

  /// Notes the packets of the rest of the source.
  private func readOn(_ reader: AssetReader) throws {
    if ["yuv4mpegpipe", "rawvideo"].contains(reader.containerName) { return try readPictures() }
    while let packet = try reader.nextUnreadPacket() { note(packet) }
  }

  /// All pictures of a source that has no packets.
  private func readPictures() throws {
    let reader = try AssetReader(location)
    while let sample = try reader.nextSample() {
      let buffer = sample.sampleBuffer
      entries.append(
        Entry(
          time: buffer.presentationTimeStamp, duration: buffer.duration,
          isSync: sample.isKeyFrame, isFresh: sample.isKeyFrame))
    }
  }

  /// Compares the beginning with what the decoder gives. Pictures before the first one that decodes, and
  /// others that it refuses, are left out, as `encode` leaves them out.
  private func leaveOutWhatDoesNotDecode(_ probe: Probe) throws(EncodeJobError) {
    let known = probe.known
    guard let start = entries.firstIndex(where: { $0.time == known[0] }) else {
      throw refusal("its first picture has another time than its packets")
    }
    entries.removeFirst(start)
    var lost: [Int] = []
    var next = 0
    for (number, picture) in known.enumerated() {
      while next < entries.count, entries[next].time < picture,
        undecoded.count < probe.refused.count
      {
        undecoded.append(Undecoded(time: entries[next].time, timeBefore: known[number - 1]))
        lost.append(next)
        next += 1
      }
      guard next < entries.count else { throw refusal("it has more pictures than packets") }
      guard entries[next].time == picture else {
        throw refusal(
          "its pictures and its packets have different times near "
            + "\(picture.seconds.text(decimals: 6)) s")
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
