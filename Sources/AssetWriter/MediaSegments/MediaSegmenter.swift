import CFFmpeg
import FoundationEssentials
import MediaCore
import QuickTime

/// Cuts packets into segments: holds back those behind a boundary until all tracks have reached it.
///
/// The first video track, or else the first audio track, sets the boundaries: each at its first packet after one
/// that needs none before it.
final class MediaSegmenter {
  private let output: MediaSegmentOutput
  private let muxer: MovieMuxer
  private let sessionStart: MediaTime
  private var tracks: [Track] = []
  private var initialization = Data()
  /// The number of the segment that is filled; nil before the first packet.
  private var number: Int64?
  /// Where it ends, from the session's start, and the number behind; nil while that is unknown.
  private var cut: (time: MediaTime, number: Int64)?
  /// True once no packet comes any more.
  private var isEnding = false

  private struct Track {
    let mediaType: MediaType
    let timeBase: AVRational
    var waiting = FIFO<Packet>()
    /// What the segment has of it; nil for nothing.
    var content: Content?

    func time(_ value: Int64) -> MediaTime {
      MediaTime(value: value * Int64(timeBase.num), timescale: timeBase.den)
    }
  }

  private struct Content {
    var start: MediaTime
    var end: MediaTime
    var first: (time: MediaTime, isSync: Bool)
  }

  /// A packet of ours, and where it belongs.
  private final class Packet {
    let packet: UnsafeMutablePointer<AVPacket>
    let time: MediaTime
    let end: MediaTime
    let isSync: Bool
    let number: Int64

    init(
      _ source: UnsafeMutablePointer<AVPacket>, of track: Track, in output: MediaSegmentOutput
    ) throws(QuickTimeError) {
      guard let packet = av_packet_clone(source) else { throw EncoderContext.outOfMemory }
      self.packet = packet
      time = track.time(packet.pointee.pts)
      end = track.time(packet.pointee.pts + max(packet.pointee.duration, 0))
      isSync = cffmpeg_packet_is_key(packet) != 0
      number = output.number(at: time)
    }

    deinit {
      var owned: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&owned)
    }
  }

  init(_ output: MediaSegmentOutput, _ muxer: MovieMuxer, sessionStart: MediaTime) {
    self.output = output
    self.muxer = muxer
    self.sessionStart = sessionStart
    output.begin(sessionStart: sessionStart)
  }

  /// A track's packets will come, in the order of the muxer's streams.
  func addTrack(_ mediaType: MediaType, timeBase: AVRational) {
    tracks.append(Track(mediaType: mediaType, timeBase: timeBase))
  }

  // MARK: Packets

  /// Takes a packet, which stays the caller's.
  func take(
    _ packet: UnsafeMutablePointer<AVPacket>, track: Int
  ) throws(QuickTimeError) {
    tracks[track].waiting.append(try Packet(packet, of: tracks[track], in: output))
    try advance()
  }

  /// Gives the last segment away.
  func finish() throws(QuickTimeError) {
    isEnding = true
    try advance()
    for track in tracks.indices { try pass(track) { _ in true } }
    if tracks.contains(where: { $0.content != nil }) { try endSegment() }
  }

  /// The track that says where segments end.
  private var leader: Int { tracks.firstIndex { $0.mediaType == .video } ?? 0 }

  private func advance() throws(QuickTimeError) {
    let leader = leader
    while true {
      if cut == nil {
        try pass(leader) { [self] packet in
          let filled = number ?? packet.number
          number = filled
          if packet.isSync, packet.number > filled { cut = (packet.time, packet.number) }
          return cut == nil
        }
      }
      for track in tracks.indices where track != leader {
        try pass(track) { [self] packet in
          cut.map { packet.time < $0.time } ?? (packet.number <= number ?? 0)
        }
      }
      guard let reached = cut, isComplete(reached) else { return }
      try endSegment()
      output.didEnd(at: reached.time)
      (number, cut) = (reached.number, nil)
    }
  }

  /// True where all tracks have reached a segment, or a whole one waits for those that have not: a finished track never
  /// will.
  private func isComplete(_ cut: (time: MediaTime, number: Int64)) -> Bool {
    if isEnding || tracks.allSatisfy({ !$0.waiting.isEmpty }) { return true }
    let waiting = tracks[leader].waiting
    return (0..<waiting.count).contains { index in
      waiting[index].map {
        $0.isSync && $0.number > cut.number && $0.time - cut.time >= Self.patience
      } ?? false
    }
  }

  /// How far a track may be behind before it counts as finished: an audio encoder holds back half a second.
  private static let patience = MediaTime(value: 2, timescale: 1)

  /// Hands packets of a track to the muxer as long as they belong to the segment.
  private func pass(_ track: Int, while belongs: (Packet) -> Bool) throws(QuickTimeError) {
    while let packet = tracks[track].waiting.first, belongs(packet) {
      _ = tracks[track].waiting.popFirst()
      note(packet, track)
      try muxer.write(packet.packet, track: track)
    }
  }

  private func note(_ packet: Packet, _ track: Int) {
    var content =
      tracks[track].content
      ?? Content(start: packet.time, end: packet.end, first: (packet.time, packet.isSync))
    content.start = min(content.start, packet.time)
    content.end = max(content.end, packet.end)
    tracks[track].content = content
  }

  // MARK: Segments

  private func endSegment() throws(QuickTimeError) {
    if initialization.isEmpty {
      // The index waits for the first packets, and comes alone.
      try muxer.endFragment()
      initialization = output.stream.take()
      output.handler(
        MediaSegment(
          kind: .initialization, data: initialization,
          tracks: tracks.indices.map { index in
            MediaSegment.Track(
              id: Int32(index + 1), mediaType: tracks[index].mediaType,
              earliestPresentationTime: .invalid, duration: .invalid)
          }))
    }
    try muxer.endFragment()
    let data = output.stream.take()
    guard !data.isEmpty else { return }
    output.handler(MediaSegment(kind: .media, data: data, tracks: report(data)))
    for track in tracks.indices { tracks[track].content = nil }
  }

  /// What the tracks have in a segment.
  private func report(_ data: Data) -> [MediaSegment.Track] {
    let index = try? MovieIndex(MediaSegmentBytes(initialization, data))
    return tracks.indices.compactMap { number in
      guard let content = tracks[number].content else { return nil }
      var track = MediaSegment.Track(
        id: Int32(number + 1), mediaType: tracks[number].mediaType,
        earliestPresentationTime: sessionStart + content.start,
        duration: content.end - content.start)
      if track.mediaType == .video, let index, index.tracks.indices.contains(number),
        let sample = index.tracks[number].samples.first, sample.offset >= initialization.count
      {
        track.firstFrame = MediaSegment.Frame(
          presentationTime: sessionStart + content.first.time,
          offset: Int(sample.offset) - initialization.count, byteCount: Int(sample.size),
          isSync: content.first.isSync)
      }
      return track
    }
  }
}

/// A segment behind its initialization segment: a movie for those who read one.
private final class MediaSegmentBytes: MovieByteSource {
  let name = "a media segment"
  private let parts: [Data]

  init(_ initialization: Data, _ segment: Data) { parts = [initialization, segment] }

  func size() throws(QuickTimeError) -> UInt64 { UInt64(parts.reduce(0) { $0 + $1.count }) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    var (skipped, filled) = (Int(clamping: offset), 0)
    for part in parts {
      let first = min(skipped, part.count)
      skipped -= first
      let count = min(part.count - first, buffer.count - filled)
      part.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first..<first + count]))
      }
      filled += count
    }
    return filled
  }
}
