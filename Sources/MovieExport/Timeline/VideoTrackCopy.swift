import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime

/// Copies the frames of a timeline's video track.
final class VideoTrackCopy: TimelineTrackCopy {
  private let track: MovieTimeline.Track
  private let description: VideoTrackDescription
  private let timecode: TimelineTimecode
  private(set) var frameCount = 0

  private var id = TrackID(rawValue: 0)
  private var waiting: ArraySlice<MovieTimeline.Clip>
  private var frames: ClipFrames?
  /// The last frame, not yet written because a gap may follow it.
  private var last: ClipFrames.Frame?
  /// The end of the last written frame, in units of the track.
  private var position: Int64 = 0
  private var gaps: [ExportNote] = []
  private var timescale: Int32 { description.timescale }

  /// The time grid without a frame rate: 1/1200000 s, which gives every usual frame rate whole
  /// frame durations.
  private static let fineGrid = FrameRate(1_200_000)

  init(_ track: MovieTimeline.Track) throws(AssetReaderError) {
    self.track = track
    waiting = track.clips[...]
    guard let first = track.clips.first else {
      throw AssetReaderError(.invalidArgument, "the video track has no clips")
    }
    for clip in track.clips { try Self.check(clip, against: first) }
    guard let grid = track.frameRate ?? Self.fineGrid else {
      throw AssetReaderError(.unsupported, "no time scale fits the frames' times")
    }
    description = try Self.description(track, first, rate: grid)
    timecode = TimelineTimecode(track, rate: track.frameRate)
  }

  // MARK: What the track says

  private static func codec(_ clip: MovieTimeline.Clip) -> VideoCodecType? {
    guard clip.track.codecName == "prores", let tag = clip.track.codecTag else { return nil }
    return VideoCodecType.allProRes.first { $0.rawValue == tag.description }
  }

  private static func check(
    _ clip: MovieTimeline.Clip, against first: MovieTimeline.Clip
  ) throws(AssetReaderError) {
    let name = clip.location.displayName
    guard let codec = codec(clip), let video = clip.track.video else {
      throw AssetReaderError(
        .unsupported,
        "\(name) is \(clip.track.codecName): only ProRes frames, which are independent of each other, can be copied; encode it"
      )
    }
    guard let other = Self.codec(first), let wanted = first.track.video else { return }
    let differences = [
      codec == other ? nil : "\(codec.displayName), not \(other.displayName)",
      video.dimensions == wanted.dimensions ? nil : "\(video.dimensions), not \(wanted.dimensions)",
      video.color == wanted.color ? nil : "of other colors",
      video.fieldOrder == wanted.fieldOrder ? nil : "of another field order",
      video.pixelAspectRatio == wanted.pixelAspectRatio ? nil : "of another pixel shape",
      clip.track.hasAlpha == first.track.hasAlpha ? nil : "different in alpha",
    ].compactMap(\.self)
    guard differences.isEmpty else {
      throw AssetReaderError(
        .unsupported,
        "\(name) is \(differences.joined(separator: ", ")) as in \(first.location.displayName): frames "
          + "of one track must be alike to be copied")
    }
  }

  private static func description(
    _ track: MovieTimeline.Track, _ first: MovieTimeline.Clip, rate: FrameRate
  ) throws(AssetReaderError) -> VideoTrackDescription {
    guard let codec = codec(first), let video = first.track.video else {
      throw AssetReaderError(.unsupported, "\(first.location.displayName) is not ProRes")
    }
    let facts = first.track.sideData
    var description = VideoTrackDescription(
      codec: codec, dimensions: video.dimensions, frameRate: rate, color: video.color,
      fieldOrder: video.fieldOrder, pixelAspectRatio: video.pixelAspectRatio,
      cleanAperture: CleanAperture.stored(in: first.location, first.track)
        ?? CleanAperture(video.dimensions),
      hasAlpha: first.track.hasAlpha,
      masteringDisplay: facts.masteringDisplay.map(MasteringDisplayColorVolume.init),
      contentLightLevel: facts.contentLight.map(ContentLightLevel.init),
      name: first.track.title ?? "")
    description.quarterTurns = track.quarterTurns
    description.language = track.language
    return description
  }

  // MARK: Frames

  var notes: [ExportNote] { timecode.notes + lightNotes + gaps }

  private var lightNotes: [ExportNote] {
    let lights = track.clips.map(\.track.sideData)
    guard
      let first = lights.first,
      lights.contains(where: {
        $0.masteringDisplay != first.masteringDisplay || $0.contentLight != first.contentLight
      })
    else { return [] }
    return [
      ExportNote(
        .changed, "light",
        "clips differ in mastering display or light level; the movie has the first one's")
    ]
  }

  var time: MediaTime { MediaTime(value: position, timescale: timescale) }

  func addTrack(to writer: MovieWriter) throws(QuickTimeError) {
    id = try writer.addVideoTrack(description)
    if let start = timecode.start {
      _ = try writer.addTimecodeTrack(
        TimecodeTrackDescription(start: start, reelName: timecode.reelName), for: id)
    }
  }

  func writeNext(to writer: MovieWriter) throws -> Bool {
    while true {
      if let frame = try frames?.next() {
        try take(frame, writer)
        return true
      }
      guard let clip = waiting.popFirst() else { break }
      frames = try ClipFrames(clip)
    }
    guard let frame = last else { return false }
    last = nil
    try write(frame, until: units(frame.target.end), to: writer)
    return true
  }

  /// Writes the previous frame, whose duration is now known.
  ///
  /// Readers treat empty edits inside a track differently, so a frame is extended through a gap. An
  /// empty edit before the first frame is understood by all.
  private func take(_ frame: ClipFrames.Frame, _ writer: MovieWriter) throws(QuickTimeError) {
    defer { last = frame }
    let start = frame.target.start
    guard let before = last else {
      position = units(start)
      if position > 0 { try writer.delayStart(of: id, by: start) }
      return
    }
    if units(start) > units(before.target.end) {
      gaps.append(.gap(from: before.target.end, to: start))
    }
    try write(before, until: units(start), to: writer)
  }

  private func write(
    _ frame: ClipFrames.Frame, until end: Int64, to writer: MovieWriter
  ) throws(QuickTimeError) {
    guard end > position else { return }
    var failure: QuickTimeError?
    frame.packet.withUnsafeBytes { bytes in
      do throws(QuickTimeError) {
        try writer.appendVideo(bytes, to: id, duration: end - position)
      } catch { failure = error }
    }
    if let failure { throw failure }
    frameCount += 1
    position = end
  }

  private func units(_ time: MediaTime) -> Int64 {
    time.converted(toTimescale: timescale, rounding: .roundHalfAwayFromZero).value
  }
}

extension ExportNote {
  /// A note on a gap in the video.
  static func gap(from start: MediaTime, to end: MediaTime) -> ExportNote {
    ExportNote(
      .changed, "gap",
      "from \(start.seconds.text(decimals: 3)) s to \(end.seconds.text(decimals: 3)) s the timeline is empty: the frame before is held"
    )
  }
}
