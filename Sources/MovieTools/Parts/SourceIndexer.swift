import AssetReader
import Foundation
import MediaCore

/// Finds all pictures of a source without decoding more than its beginning.
struct SourceIndexer {
  let location: AssetLocation

  /// A packet.
  struct Entry {
    var time: MediaTime
    var duration: MediaTime
    var isSync: Bool
  }

  /// Pictures that are decoded to see whether packets and pictures agree.
  private static let probeLength = 16

  /// The index of all packets.
  ///
  /// - Parameter opening: The source, of which some more pictures are decoded.
  /// - Throws: `AssetReaderError`; ``EncodeJobError/Code/notDivisible`` where packets do not tell what
  ///   the pictures are.
  func index(_ packets: [Entry], _ opening: JobOpening) throws -> SourceIndex {
    var entries = packets.sorted { $0.time < $1.time }
    for (one, next) in zip(entries, entries.dropFirst()) where one.time == next.time {
      throw refusal("two of its packets have the time \(one.time.seconds) s")
    }
    try leaveOutWhatDoesNotDecode(&entries, opening)
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

  /// All packets of pictures.
  ///
  /// - Parameter reader: The source, of which nothing was read.
  /// - Throws: As ``index(_:_:)``.
  func entries(_ reader: AssetReader) throws -> [Entry] {
    guard let track = reader.videoTrack else {
      throw AssetReaderError(.noSuchTrack, "\(location.displayName) contains no video")
    }
    try reader.select([track.id])
    let entries = try read(reader)
    guard !entries.isEmpty else {
      throw AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
    }
    return entries
  }

  private func read(_ reader: AssetReader) throws -> [Entry] {
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
  private func leaveOutWhatDoesNotDecode(
    _ entries: inout [Entry], _ opening: JobOpening
  ) throws {
    let first = opening.first.sampleBuffer.presentationTimeStamp
    var known = [first]
    while known.count < Self.probeLength, let sample = try opening.reader.nextSample() {
      known.append(sample.sampleBuffer.presentationTimeStamp)
    }
    guard let start = entries.firstIndex(where: { $0.time == first }) else {
      throw refusal("its first picture has another time than its packets")
    }
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
