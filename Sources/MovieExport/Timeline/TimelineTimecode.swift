import AssetReader
package import MediaCore

/// The timecode of a timeline's video track: the first clip's, from where it is cut.
package struct TimelineTimecode: Sendable {
  /// The timecode of the first frame; nil if there is none.
  package private(set) var start: Timecode?
  /// The first clip's reel name; empty if it has none.
  package private(set) var reelName = ""
  /// Notes on timecode of the clips that the movie does not keep.
  package private(set) var notes: [ExportNote] = []

  /// Reads the timecode of a track's clips.
  ///
  /// - Parameters:
  ///   - frameRate: The movie's frame rate; nil if durations follow from frame times.
  ///   - begin: The time of the movie's first frame; nil for the start of the first clip.
  package init(
    _ track: MovieTimeline.Track, rate frameRate: FrameRate?, from begin: MediaTime? = nil
  ) {
    let clips = track.clips
    guard let first = clips.first, let shot = Self.address(first) else {
      if clips.contains(where: { $0.track.timecode != nil }) {
        notes = [ExportNote(.dropped, "timecode", "timecode dropped: the first clip has none")]
      }
      return
    }
    guard let rate = frameRate, rate == shot.format.frameRate else {
      notes = [
        ExportNote(
          .dropped, "timecode",
          "timecode dropped: the clips are not all cut between frames at the timecode's rate")
      ]
      return
    }
    let origin = rate.frameIndex(nearest: begin ?? first.target.start) ?? 0
    let lead = (rate.frameIndex(nearest: first.target.start) ?? 0) - origin
    let address = shot.advanced(by: -lead)
    start = address
    reelName = first.track.metadata.first { $0.key.lowercased() == "reel_name" }?.value ?? ""
    let isBroken = clips.contains { clip in
      guard let frame = rate.frameIndex(nearest: clip.target.start) else { return true }
      return Self.address(clip) != address.advanced(by: frame - origin)
    }
    if isBroken {
      notes = [
        ExportNote(
          .changed, "timecode",
          "timecode continues from \(shot), where the first clip begins; the clips' own jumps")
      ]
    }
  }

  /// The timecode of a clip's first frame.
  private static func address(_ clip: MovieTimeline.Clip) -> Timecode? {
    guard let timecode = clip.track.timecode,
      let frame = timecode.format.frameRate.frameIndex(
        nearest: clip.source.start - clip.trackStart)
    else { return nil }
    return timecode.advanced(by: frame)
  }
}

extension MovieTimeline.Clip {
  /// The start of the track in its file.
  var trackStart: MediaTime { track.startTime.isNumeric ? track.startTime : .zero }
}

extension MovieTimeline.Track {
  /// The frame rate of all clips, if each begins and ends at a frame boundary, aligned with the
  /// timeline's frames; nil if durations follow from frame times.
  package var frameRate: FrameRate? {
    guard let rate = clips.first?.track.frameRate else { return nil }
    func isOnGrid(_ time: MediaTime) -> Bool {
      rate.frameIndex(nearest: time).map { rate.time(ofFrame: $0) == time } ?? false
    }
    let fits = clips.allSatisfy { clip in
      clip.track.frameRate == rate && clip.keepsSpeed && isOnGrid(clip.target.start)
        && isOnGrid(clip.source.start - clip.trackStart) && isOnGrid(clip.source.duration)
    }
    return fits ? rate : nil
  }
}
