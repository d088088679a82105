import AssetReader
import MediaCore
import ProRes
import QuickTime

/// Decodes all of a movie that is not known to be sound, and compares what the decoder says of the pictures
/// with the index.
///
/// Every sample is decoded once, in the order of the index. Edit lists say which of them are shown, and not
/// which are sound.
struct DecodePass {
  let path: String
  let index: MovieIndex
  /// What says which frames are known to be sound; nil where libavcodec decodes all.
  let opinion: SecondOpinion?
  /// Called with a share from 0 to 1.
  var onProgress: ((Double) -> Void)?

  /// The pictures of the video track that the index means.
  private final class Pictures {
    /// The track's number at libavformat; nil before its first packet.
    var track: AssetTrack.ID?
    var decoded = 0
    /// Those that did not have to be decoded.
    var known = 0
    var mismatches = FindingLog()
  }

  /// - Returns: Pictures of the video track that decode or are known to, and those that libavcodec decoded.
  func run(_ log: inout FindingLog) -> (sound: Int, decoded: Int) {
    let pictures = Pictures()
    pictures.mismatches.startTimecode = log.startTimecode
    do throws(AssetReaderError) {
      let outcome = try decoder(pictures).run()
      for finding in outcome.findings {
        let isPicture = pictures.track != nil && finding.trackID == pictures.track
        log.add(.error, .decode, finding.message, frame: isPicture ? Int(finding.index) : nil)
      }
      if outcome.findingCount > outcome.findings.count {
        log.add(.error, .decode, "\(outcome.findingCount) faults in all; the first are listed")
      }
      let videos = outcome.tracks.filter { $0.track.mediaType == .video }
      let meant = videos.first { $0.id == pictures.track }
      if !videos.isEmpty { compareCount(Int(meant?.sampleCount ?? 0), &log) }
    } catch {
      log.add(.error, .decode, error.message)
    }
    for finding in pictures.mismatches.sorted {
      log.add(
        finding.severity, finding.check, finding.message, frame: finding.frame,
        count: finding.count)
    }
    return (pictures.decoded + pictures.known, pictures.decoded)
  }

  private func decoder(_ pictures: Pictures) -> StrictDecoder {
    var decoder = StrictDecoder(path: path)
    decoder.ignoresEdits = true
    let first = index.videoTrack?.samples.first?.offset
    decoder.onPacket = { track, packet in
      // Its bytes tell which of several tracks of pictures it is.
      if pictures.track == nil, packet.index == 0, let position = packet.filePosition,
        UInt64(exactly: position) == first
      {
        pictures.track = track.id
      }
    }
    if let opinion {
      decoder.isKnown = { track, packet in
        guard track.id == pictures.track, let tag = track.codecTag,
          VideoCodecType(rawValue: tag.description).isProRes, !opinion.isWanted(packet)
        else { return false }
        pictures.known += 1
        return true
      }
    }
    let frameCount = index.videoTrack?.samples.count ?? 0
    decoder.onPicture = { picture, _ in
      guard picture.trackID == pictures.track else { return }
      pictures.decoded += 1
      let count = pictures.decoded + pictures.known
      if frameCount > 0 { onProgress?(min(1, Double(count) / Double(frameCount))) }
      compare(picture, &pictures.mismatches)
    }
    return decoder
  }

  private func compare(_ picture: DecodedPicture, _ log: inout FindingLog) {
    guard let expected = index.videoTrack?.video else { return }
    let place = Int(picture.index)
    if picture.dimensions != expected.dimensions {
      log.add(
        .error, .decode,
        "decodes to \(picture.dimensions), the index says \(expected.dimensions)", frame: place)
    }
    // A frame header has no code for some of the colors that a movie's can name.
    if let color = expected.color,
      picture.color.with(range: .video).frameHeaderColor != color.frameHeaderColor
    {
      log.add(
        .error, .color,
        "the decoded frame is \(picture.color), the index says \(color)", frame: place)
    }
    if let order = expected.fieldOrder, picture.fieldOrder != order {
      log.add(
        .error, .decode,
        "the decoded frame is \(picture.fieldOrder.displayName), the index says \(order.displayName)",
        frame: place)
    }
  }

  private func compareCount(_ count: Int, _ log: inout FindingLog) {
    guard let track = index.videoTrack, count != track.samples.count else { return }
    let message = "\(count) frames decode, the index has \(track.samples.count)"
    // What a cut leaves before the first frame that is shown may refer to frames that are gone.
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
  /// How much of the media its edit list shows; all of it where there is none.
  var shownDuration: MediaTime {
    guard !edits.isEmpty else { return mediaDuration }
    return edits.reduce(.zero) { sum, edit in
      guard let start = edit.mediaTime else { return sum }
      return sum + (edit.duration ?? mediaDuration - MediaTime(value: start, timescale: timescale))
    }
  }

  /// True where the edit list shows less than there is; a rounded end leaves nothing out.
  var hidesMedia: Bool {
    guard shownDuration.isNumeric, mediaDuration.isNumeric, let last = samples.last else {
      return false
    }
    return mediaDuration - shownDuration
      > MediaTime(value: Int64(last.duration) / 2, timescale: timescale)
  }
}
