import AssetReader
package import MediaCore

/// The timecode of a timeline's track of pictures: the first clip's, from where it is cut.
package struct TimelineTimecode: Sendable {
  /// The address of the first frame; nil where none can be told.
  package private(set) var start: Timecode?
  /// The name of the first clip's reel; empty for none.
  package private(set) var reelName = ""
  /// What of the clips' timecode is not kept.
  package private(set) var notes: [ExportNote] = []

  /// Reads the timecode of a track's clips.
  ///
  /// - Parameters:
  ///   - frameRate: The movie's; nil where its frames last as long as their times say.
  ///   - begin: The time of the movie's first frame; nil for where the first clip begins.
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
          "timecode dropped: clips are not cut between frames of one rate, by which it counts")
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
          "timecode counts on from \(shot), where the first clip begins; the clips' own jumps")
      ]
    }
  }

  /// The address of the frame that a clip begins with.
  private static func address(_ clip: MovieTimeline.Clip) -> Timecode? {
    guard let timecode = clip.track.timecode,
      let frame = timecode.format.frameRate.frameIndex(
        nearest: clip.source.start - clip.trackStart)
    else { return nil }
    return timecode.advanced(by: frame)
  }
}

extension MovieTimeline.Clip {
  /// Where the track begins in its file.
  var trackStart: MediaTime { track.startTime.isNumeric ? track.startTime : .zero }
}

extension MovieTimeline.Track {
  /// The rate of all clips, where each of them begins and ends with a frame, on a frame of the
  /// timeline; nil where frames last as long as their times say.
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
