import AssetReader
import MediaCore
import ProRes
import QuickTime

/// Decodes everything in a movie that is not known to be intact, and compares the decoded frames'
/// properties with the index.
///
/// Every sample is decoded once, in index order. Edit lists are ignored, because they only
/// determine which samples are shown, not which are intact.
struct DecodePass {
  let path: String
  let index: MovieIndex
  /// Decides which frames are known to be intact; nil if libavcodec decodes all.
  let opinion: SecondOpinion?
  /// Called with the fraction done, from 0 to 1.
  var onProgress: ((Double) -> Void)?

  /// The frames of the index's video track.
  private final class Frames {
    /// The track's ID in libavformat; nil before its first packet.
    var track: AssetTrack.ID?
    var decoded = 0
    /// The frames that did not have to be decoded.
    var known = 0
    var mismatches = FindingLog()
  }

  /// - Returns: The number of the video track's frames that decode or are known to, and of those
  ///   that libavcodec decoded.
  func run(_ log: inout FindingLog) -> (intact: Int, decoded: Int) {
    let frames = Frames()
    frames.mismatches.startTimecode = log.startTimecode
    do throws(AssetReaderError) {
      let outcome = try decoder(frames).run()
      for finding in outcome.findings {
        let isVideo = frames.track != nil && finding.trackID == frames.track
        log.add(.error, .decode, finding.message, frame: isVideo ? Int(finding.index) : nil)
      }
      if outcome.findingCount > outcome.findings.count {
        log.add(.error, .decode, "\(outcome.findingCount) faults in all; the first are listed")
      }
      let videos = outcome.tracks.filter { $0.track.mediaType == .video }
      let meant = videos.first { $0.id == frames.track }
      if !videos.isEmpty { compareCount(Int(meant?.sampleCount ?? 0), &log) }
    } catch {
      log.add(.error, .decode, error.message)
    }
    for finding in frames.mismatches.sorted {
      log.add(
        finding.severity, finding.check, finding.message, frame: finding.frame,
        count: finding.count)
    }
    return (frames.decoded + frames.known, frames.decoded)
  }

  private func decoder(_ frames: Frames) -> StrictDecoder {
    var decoder = StrictDecoder(path: path)
    decoder.ignoresEdits = true
    let first = index.videoTrack?.samples.first?.offset
    decoder.onPacket = { track, packet in
      // Its position identifies the track if there are several video tracks.
      if frames.track == nil, packet.index == 0, let position = packet.filePosition,
        UInt64(exactly: position) == first
      {
        frames.track = track.id
      }
    }
    if let opinion {
      decoder.isKnown = { track, packet in
        guard track.id == frames.track, let tag = track.codecTag,
          VideoCodecType(rawValue: tag.description).isProRes, !opinion.isWanted(packet)
        else { return false }
        frames.known += 1
        return true
      }
    }
    let frameCount = index.videoTrack?.samples.count ?? 0
    decoder.onFrame = { frame, _ in
      guard frame.trackID == frames.track else { return }
      frames.decoded += 1
      let count = frames.decoded + frames.known
      if frameCount > 0 { onProgress?(min(1, Double(count) / Double(frameCount))) }
      compare(frame, &frames.mismatches)
    }
    return decoder
  }

  private func compare(_ frame: DecodedFrame, _ log: inout FindingLog) {
    guard let expected = index.videoTrack?.video else { return }
    let place = Int(frame.index)
    if frame.dimensions != expected.dimensions {
      log.add(
        .error, .decode,
        "decodes to \(frame.dimensions), the index says \(expected.dimensions)", frame: place)
    }
    // A frame header has no code for some of the colors that a movie can state.
    if let color = expected.color,
      frame.color.with(range: .video).frameHeaderColor != color.frameHeaderColor
    {
      log.add(
        .error, .color,
        "the decoded frame is \(frame.color), the index says \(color)", frame: place)
    }
    if let order = expected.fieldOrder, frame.fieldOrder != order {
      log.add(
        .error, .decode,
        "the decoded frame is \(frame.fieldOrder.displayName), the index says \(order.displayName)",
        frame: place)
    }
  }

  private func compareCount(_ count: Int, _ log: inout FindingLog) {
    guard let track = index.videoTrack, count != track.samples.count else { return }
    let message = "\(count) frames decode, the index has \(track.samples.count)"
    // Frames before the first shown one in a cut movie may refer to frames that were removed.
    if track.hidesMedia, !VideoCodecType(rawValue: track.codec.description).isProRes {
      log.add(
        .note, .decode,
        "\(message); those that the edit list leaves out may refer to frames that were cut off")
    } else {
      log.add(.error, .decode, message)
    }
  }
}

extension MovieIndex.Track {
  /// How much of the media its edit list shows; all of it without an edit list.
  var shownDuration: MediaTime {
    guard !edits.isEmpty else { return mediaDuration }
    return edits.reduce(.zero) { sum, edit in
      guard let start = edit.mediaTime else { return sum }
      return sum + (edit.duration ?? mediaDuration - MediaTime(value: start, timescale: timescale))
    }
  }

  /// True if the edit list shows only part of the media, apart from a rounded end.
  var hidesMedia: Bool {
    guard shownDuration.isNumeric, mediaDuration.isNumeric, let last = samples.last else {
      return false
    }
    return mediaDuration - shownDuration
      > MediaTime(value: Int64(last.duration) / 2, timescale: timescale)
  }
}
