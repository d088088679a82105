import AssetReader
import Foundation
import MediaCore

/// Finds all pictures of a source without decoding more than its beginning.
struct SourceIndexer {
  let location: AssetLocation

  private struct Entry {
    var time: MediaTime
    var duration: MediaTime
    var isSync: Bool
  }

  /// Pictures that are decoded to see whether packets and pictures agree.
  private static let probeLength = 40

  /// - Throws: `AssetReaderError`; ``EncodeJobError/Code/notDivisible`` where packets do not tell what
  ///   the pictures are.
  func index() throws -> SourceIndex {
    var entries = try self.entries()
    guard !entries.isEmpty else {
      throw AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
    }
    entries.sort { $0.time < $1.time }
    for (one, next) in zip(entries, entries.dropFirst()) where one.time == next.time {
      throw refusal("two of its packets have the time \(one.time.seconds) s")
    }
    try leaveOutWhatDoesNotDecode(&entries)
    let timescale = entries[0].time.timescale
    func value(_ time: MediaTime) -> Int64 {
      time.isNumeric ? time.converted(toTimescale: timescale).value : 0
    }
    let durations = entries.map { value($0.duration) }
    let areEqual = durations.allSatisfy { $0 == durations[0] }
    return SourceIndex(
      timescale: timescale, times: entries.map { value($0.time) },
      durations: areEqual ? [durations[0]] : durations,
      syncs: entries.indices.filter { entries[$0].isSync })
  }

  private func reader() throws -> (AssetReader, AssetTrack) {
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) contains no video")
    }
    try reader.select([track.id])
    return (reader, track)
  }

  private func entries() throws -> [Entry] {
    let (reader, _) = try reader()
    var entries: [Entry] = []
    if ["yuv4mpegpipe", "rawvideo"].contains(reader.containerName) {
      while let sample = try reader.nextSample() {
        let buffer = sample.sampleBuffer
        entries.append(
          Entry(
            time: buffer.presentationTimeStamp, duration: buffer.duration,
            isSync: sample.isKeyFrame))
      }
      return entries
    }
    while let packet = try reader.nextPacket() {
      guard !packet.isDiscarded else { continue }
      guard packet.presentationTimeStamp.isNumeric else {
        throw refusal("packet \(packet.index) has no time")
      }
      entries.append(
        Entry(
          time: packet.presentationTimeStamp, duration: packet.duration,
          isSync: packet.isKeyFrame))
    }
    return entries
  }

  /// Compares the beginning with what the decoder gives. Pictures before the first one that decodes
  /// are left out, as `encode` leaves them out.
  private func leaveOutWhatDoesNotDecode(_ entries: inout [Entry]) throws {
    let (reader, _) = try reader()
    var known: [MediaTime] = []
    while known.count < Self.probeLength {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { break }
        known.append(sample.sampleBuffer.presentationTimeStamp)
      } catch {
        guard error.code == .decodeFailed, known.isEmpty else { throw error }
      }
    }
    guard let first = known.first, let start = entries.firstIndex(where: { $0.time == first })
    else { throw refusal("its first picture has another time than its packets") }
    entries.removeFirst(start)
    for (picture, entry) in zip(known, entries) where picture != entry.time {
      throw refusal("its pictures and its packets have different times near \(picture.seconds) s")
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
