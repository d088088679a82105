import AssetReader
import Foundation
import MediaCore

/// Finds all pictures of a source, which is opened and read once, without decoding more than its beginning.
final class SourceIndexer {
  private let location: AssetLocation
  private var entries: [Entry] = []
  /// What the packets say of damage, in the file's order.
  private(set) var marks: [PacketMark] = []

  init(location: AssetLocation) { self.location = location }

  /// A packet.
  struct Entry {
    var time: MediaTime
    var duration: MediaTime
    var isSync: Bool
    /// True where nothing behind a sync frame refers to what lies before it.
    var isFresh: Bool
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

  /// Pictures that are decoded to see whether packets and pictures agree.
  private static let probeLength = 16

  /// The index of all packets.
  ///
  /// - Parameter opening: The source, whose packets were noted, and which is read to its end.
  /// - Throws: `AssetReaderError`; ``EncodeJobError/Code/notDivisible`` where packets do not tell what
  ///   the pictures are.
  func index(_ opening: JobOpening) throws -> SourceIndex {
    let known = try probe(opening)
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
    try leaveOutWhatDoesNotDecode(known)
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

  /// The times of the first pictures, as the decoder gives them.
  private func probe(_ opening: JobOpening) throws -> [MediaTime] {
    var known = [opening.first.sampleBuffer.presentationTimeStamp]
    while known.count < Self.probeLength, let sample = try opening.reader.nextSample() {
      known.append(sample.sampleBuffer.presentationTimeStamp)
    }
    return known
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

  /// Compares the beginning with what the decoder gives. Pictures before the first one that decodes
  /// are left out, as `encode` leaves them out.
  private func leaveOutWhatDoesNotDecode(_ known: [MediaTime]) throws {
    guard let start = entries.firstIndex(where: { $0.time == known[0] }) else {
      throw refusal("its first picture has another time than its packets")
    }
    entries.removeFirst(start)
    for (picture, entry) in zip(known, entries) where picture != entry.time {
      throw refusal(
        "its pictures and its packets have different times near \(picture.seconds.text(decimals: 6)) s"
      )
    }
    guard known.count <= entries.count else {
      throw refusal("it has more pictures than packets")
    }
  }

  private func refusal(_ reason: String) -> EncodeJobError {
    EncodeJobError(
      .notDivisible,
      "\(location.displayName) cannot be cut exactly: \(reason); encode it in one piece")
  }
}
