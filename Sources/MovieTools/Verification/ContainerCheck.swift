import MediaCore
package import QuickTime

/// Checks a movie's index, but not the frames themselves.
package struct ContainerCheck {
  let index: MovieIndex

  package init(index: MovieIndex) { self.index = index }

  package func run(_ log: inout FindingLog) {
    switch index.completion {
    case .finished: break
    case .unfinished:
      log.add(
        .error, .container, "the take was never finished; recover it")
    case .lostIndex:
      log.add(
        .error, .container, "the end of the file with its index is missing; recover it")
    case .fragmented:
      log.add(
        .warning, .container, "the movie is fragmented, which some players refuse", rule: .apple)
    }
    if index.isTruncated {
      log.add(.error, .container, "the file is shorter than its index says; copy it again")
    }
    guard let track = index.videoTrack else {
      log.add(.error, .container, "no video track")
      return
    }
    video(track, &log)
    timecode(track, &log)
  }

  /// False if the index lists more frames, or larger ones, than the file can hold, so that no file
  /// can make verification read endlessly.
  package func isPlausible(_ log: inout FindingLog) -> Bool {
    // Each frame's size takes four bytes of the index; audio samples share one. Few frames share
    // their bytes.
    let hostile = index.tracks.first { track in
      (track.mediaType != .audio && UInt64(track.samples.count) > index.fileSize / 4)
        || track.samples.byteCount / 64 > index.fileSize
    }
    guard let hostile else { return true }
    log.add(
      .error, .container,
      "the index names \(hostile.samples.count) \(hostile.mediaType == .audio ? "samples" : "frames") "
        + "of \(hostile.samples.byteCount) bytes in all "
        + "for track \(hostile.id), more than the file can hold; they are not checked")
    return false
  }

  private func video(_ track: MovieIndex.Track, _ log: inout FindingLog) {
    guard let video = track.video else { return }
    let codec = VideoCodecType(rawValue: track.codec.description)
    if codec.isProRes, video.compressorName != codec.displayName {
      log.add(
        .warning, .container,
        "the compressor is called '\(video.compressorName)'; Apple calls it "
          + "'\(codec.displayName)'", rule: .apple)
    }
    switch video.colorType {
    case "nclc":
      if video.color == nil {
        log.add(
          .warning, .color,
          "the index has unknown color codes "
            + video.colorCodes.map(String.init).joined(separator: "-"), rule: .standard
        )
      } else if video.colorCodes.contains(2) {
        // This may be deliberate: there are colors that QuickTime has no code for.
        log.add(.note, .color, "the index leaves the color unspecified; players guess")
      }
    case nil:
      log.add(.warning, .color, "the index has no color description; players guess", rule: .apple)
    case let type?:
      log.add(
        .warning, .color, "color is given by '\(type)'; QuickTime movies use 'nclc'", rule: .apple)
    }
    if video.hasGamma {
      log.add(
        .warning, .color, "a 'gama' atom accompanies the color description", rule: .apple)
    }
    if track.hidesMedia {
      log.add(
        .note, .timing,
        "the edit list shows \(track.shownDuration.seconds.text(decimals: 3)) s of "
          + "\(track.mediaDuration.seconds.text(decimals: 3)) s; all frames are checked")
    }
    if let scale = track.frameRate?.denominator, scale == 1001,
      ![24000, 30000, 48000, 60000, 120_000].contains(track.timescale)
    {
      log.add(
        .warning, .timing, "a 1001-based rate with a time scale of \(track.timescale)", rule: .apple
      )
    }
  }

  private func timecode(_ video: MovieIndex.Track, _ log: inout FindingLog) {
    guard let track = index.timecodeTrack else {
      log.add(.note, .timecode, "no timecode track")
      return
    }
    guard let facts = track.timecode, let format = facts.format else {
      log.add(.error, .timecode, "the timecode track is invalid")
      return
    }
    if let rate = video.frameRate, format.frameRate != rate {
      log.add(
        .error, .timecode, "the timecode counts \(format.frameRate), the video runs at \(rate)")
    }
    if Int(facts.framesPerSecond) != format.framesPerSecond {
      log.add(
        .error, .timecode,
        "the timecode counts \(facts.framesPerSecond) frames per second at \(format.frameRate)")
    }
    if facts.start == nil {
      log.add(.error, .timecode, "the first frame's timecode cannot be read")
    }
    if !(video.references["tmcd"] ?? []).contains(track.id) {
      log.add(.error, .timecode, "the video track does not refer to the timecode track")
    }
    if let gap = difference(track.duration, video.duration),
      abs(gap) > frameSeconds(video)
    {
      log.add(
        .warning, .timecode,
        "the timecode track is \(Self.seconds(abs(gap))) \(gap > 0 ? "longer" : "shorter") than the video"
      )
    }
  }

  /// Checks an audio track, and compares its duration with the video's.
  package func audio(
    _ track: MovieIndex.Track, _ log: inout FindingLog
  ) -> VerificationReport.Audio {
    let excess = index.videoTrack.flatMap { difference(track.duration, $0.duration) } ?? 0
    let halfFrame = index.videoTrack.map { frameSeconds($0) / 2 } ?? .infinity
    if abs(excess) > halfFrame * 1.0001 {
      log.add(
        .warning, .audio,
        "audio track \(track.id.rawValue) is \(Self.seconds(abs(excess))) "
          + (excess > 0 ? "longer" : "shorter") + " than the video: more than half a frame")
    }
    if track.audio == nil {
      log.add(.note, .audio, "audio track \(track.id.rawValue) is '\(track.codec)', not PCM")
    } else if track.codec == "lpcm", track.audio?.channelLayout == nil {
      log.add(
        .warning, .audio,
        "audio track \(track.id.rawValue) lacks a channel layout ('chan')", rule: .apple)
    }
    return VerificationReport.Audio(
      codec: track.codec.description, sampleRate: track.audio?.sampleRate ?? 0,
      channelCount: track.audio?.channelCount ?? 0, bitDepth: track.audio?.bitsPerChannel ?? 0,
      duration: track.duration.isNumeric ? track.duration.seconds : 0, excess: excess)
  }

  private func difference(_ first: MediaTime, _ second: MediaTime) -> Double? {
    first.isNumeric && second.isNumeric ? (first - second).seconds : nil
  }

  private func frameSeconds(_ track: MovieIndex.Track) -> Double {
    track.frameRate.map { 1 / $0.framesPerSecond } ?? 0.04
  }

  private static func seconds(_ value: Double) -> String {
    "\((value * 10_000).rounded() / 10) ms"
  }
}
