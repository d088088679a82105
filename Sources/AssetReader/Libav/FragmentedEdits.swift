import CFFmpeg
import MediaCore
import QuickTime

/// The edit list of a track in a fragmented file, applied to its packets.
///
/// libavformat delivers all packets of such a track in the order of the media. It subtracts the
/// start of the list from their times, but leaves nothing out. If some frames are shown before
/// their decode time (negative offsets, as in CMAF), it also shows all frames later by the largest
/// such difference. Parts that repeat media or step back in it cannot be applied to packets that
/// are read once and in order.
struct FragmentedEdits {
  /// How a packet is presented.
  struct Place {
    /// The presentation time in the movie, in the track's time scale.
    let time: Int64
    let isShown: Bool
    /// The audio that is played of it; nil for video.
    let heard: EditedAudio.Place?
  }

  /// The parts that show anything, in the order of both movie and media.
  private let parts: [EditPart]
  /// The media time at libavformat's time 0, in the track's time scale.
  private let origin: Int64
  /// The media's decode time at libavformat's time 0.
  private let decodeOrigin: Int64
  private let isVideo: Bool
  private let samples: SampleTable
  /// The decode time of the first sample in the table, which counts from 0.
  private let tableStart: Int64
  private let mediaEnd: Int64
  private let timescale: Int32
  private var count = 0

  /// True if the last part ends where the media do.
  private let isOpen: Bool
  /// Stands for the end of the media, in seconds.
  private static let openEnd: Int64 = 1 << 28
  /// Times beyond this many seconds are not calculated with.
  private static let limit: Int64 = 1 << 29
  /// The most parts, each of which is tried for each packet.
  private static let partLimit = 10_000
  /// Of a frame that an edit cuts, at least half must be shown, or half of this many seconds.
  private static let longestCut = 1.0 / 24

  /// Nil if there is nothing to apply, or if the list cannot be applied.
  init?(of track: MovieIndex.Track) {
    // Packets that the movie atom lists have been edited by libavformat.
    guard track.timescale > 0, track.fragments.listedDuration == 0,
      track.mediaType == .video || track.mediaType == .audio,
      !track.edits.isEmpty || track.fragments.leastOffset < 0,
      let parts = Self.parts(track)
    else { return nil }
    let (edits, timescale) = (track.edits, track.timescale)
    let gap =
      edits.first.flatMap { $0.mediaTime == nil ? $0.duration : nil }?
      .converted(toTimescale: track.timescale).value ?? 0
    let first = edits.first?.mediaTime == nil ? edits.dropFirst().first : edits.first
    let delay = track.mediaType == .video ? Int64(track.fragments.leastOffset) : 0
    decodeOrigin = (first?.mediaTime ?? 0) &- gap
    origin = decodeOrigin &+ delay
    tableStart = track.fragments.start ?? 0
    mediaEnd = track.samples.duration &+ tableStart
    guard [origin, decodeOrigin, tableStart, mediaEnd].allSatisfy({ Self.isUsual($0, timescale) })
    else { return nil }
    samples = track.samples
    isOpen = edits.last { $0.mediaTime != nil }.map { $0.duration == nil } ?? true
    isVideo = track.mediaType == .video
    self.timescale = timescale
    self.parts = parts
  }

  /// The parts that show anything; nil if they do not follow each other in the media.
  private static func parts(_ track: MovieIndex.Track) -> [EditPart]? {
    let all = MovieEdit(mediaTime: 0, duration: nil)
    let edits = (track.edits.isEmpty ? [all] : track.edits).map { edit in
      guard edit.duration == nil, let start = edit.mediaTime else { return edit }
      let rest = (Int64(track.timescale) * openEnd).subtractingReportingOverflow(start)
      return MovieEdit(
        mediaTime: start,
        duration: MediaTime(
          value: rest.overflow ? 0 : max(rest.partialValue, 0), timescale: track.timescale),
        rate: edit.rate)
    }
    guard let found = EditPart.parts(edits, timescale: track.timescale) else { return nil }
    let parts = found.filter { !$0.isEmpty && !$0.media.isEmpty }
    // The movie's clock may put the end of a part a tick after the start of the next one.
    let slack = edits.lazy.compactMap { $0.duration?.timescale }.min()
      .map { Int64(track.timescale / max($0, 1)) + 1 }
    guard !parts.isEmpty, parts.count <= partLimit,
      parts.allSatisfy({ $0.media.upperBound < limit * Int64(track.timescale) }),
      parts.allSatisfy({ $0.end.seconds < Double(limit) }),
      zip(parts, parts.dropFirst()).allSatisfy({
        $0.media.upperBound <= $1.media.lowerBound + (slack ?? 0)
      })
    else { return nil }
    return parts
  }

  /// The duration of the media after the end of the list; zero if less than a frame or packet. For
  /// reordered frames it is short by the time that they are held back.
  var restAfterEnd: MediaTime {
    guard !isOpen, let last = parts.last, let sample = samples.last else { return .zero }
    let rest = mediaEnd - last.media.upperBound
    let least = max(Int64(sample.duration), Int64(Double(timescale) * Self.longestCut))
    return rest > least ? MediaTime(value: rest, timescale: timescale) : .zero
  }

  /// The duration in the movie; nil if it is that of the media.
  var duration: MediaTime? {
    isOpen ? nil : parts.last.flatMap { last in parts.first.map { last.end - $0.start } }
  }

  /// When a track begins whose first packet libavformat gives this time.
  func start(_ time: Int64) -> Int64 {
    guard Self.isUsual(time, timescale) else { return time }
    let media = time + origin
    guard let part = parts.first(where: { $0.media.upperBound > media }) else { return time }
    return max(part.place(of: media), part.startTick)
  }

  /// libavformat's time of the media that the movie shows at a time.
  func storedTime(of time: Int64) -> Int64 {
    guard Self.isUsual(time, timescale), let part = parts.last(where: { $0.startTick <= time })
    else { return time }
    return part.media.lowerBound + time - part.startTick - origin
  }

  private static func isUsual(_ time: Int64, _ timescale: Int32) -> Bool {
    (time / Int64(timescale)).magnitude < limit
  }

  /// The place of a packet with libavformat's times; nil if it has no usual time.
  mutating func place(_ packet: AVPacket) -> Place? {
    defer { count += 1 }
    guard Self.isUsual(packet.pts, timescale) else { return nil }
    let media = packet.pts + origin
    let stated = packet.duration > 0 ? packet.duration : storedDuration(of: packet) ?? 0
    let length = min(stated, Int64(timescale) * Self.limit)
    return isVideo ? frame(at: media, length) : audio(at: media, length)
  }

  /// The duration of a packet that libavformat gives none, such as one of ALAC.
  private func storedDuration(of packet: AVPacket) -> Int64? {
    guard Self.isUsual(packet.dts, timescale), packet.size > 0,
      case let time = packet.dts + decodeOrigin - tableStart,
      let first = samples.index(at: time), let sample = samples[first], sample.time == time,
      sample.size > 0, Int(packet.size) % Int(sample.size) == 0
    else { return nil }
    let end = first + Int(packet.size) / Int(sample.size)
    return max((samples[end]?.time ?? samples.duration) - time, 0)
  }

  private func frame(at media: Int64, _ length: Int64) -> Place {
    let least = min(length, Int64(Double(timescale) * Self.longestCut))
    for part in parts {
      let shown = min(media + length, part.media.upperBound) - max(media, part.media.lowerBound)
      guard length > 0 ? shown > 0 && shown * 2 >= least : part.media.contains(media) else {
        continue
      }
      // The frame in which a part starts is shown from there on, and so is one that comes less
      // than half a frame later.
      let time = part.place(of: media)
      let isFirst = (time - part.startTick) * 2 <= least
      return Place(time: isFirst ? part.startTick : time, isShown: true, heard: nil)
    }
    let next = parts.first { $0.media.upperBound > media } ?? parts[parts.count - 1]
    return Place(time: next.place(of: media), isShown: false, heard: nil)
  }

  private func audio(at media: Int64, _ length: Int64) -> Place {
    let heard = parts.filter {
      $0.media.upperBound >= media && $0.media.lowerBound <= media + length
    }
    let last = parts[parts.count - 1]
    let part = heard.first ?? parts.first { $0.media.lowerBound > media } ?? last
    let place = EditedAudio.Place(
      part: part, otherParts: Array(heard.dropFirst()), number: count, mediaTime: media,
      length: length, mediaEnd: mediaEnd, timescale: timescale,
      isOfLastPart: (heard.last ?? part) == last)
    return Place(time: place.time, isShown: place.isHeard, heard: place)
  }
}
