import AssetWriter
import CaptureDevices
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization

/// From connections and settings to the plan of a recording.
extension CaptureMovieFileOutput {
  func makePlan(_ url: URL) throws(CaptureError) -> RecordingPlan {
    guard let connection = connection(with: .video) else {
      throw CaptureError(
        .invalidState, "the movie output has no video; add a video input to the session")
    }
    guard connection.isActive else {
      let device = connection.device
      guard device.isConnected else {
        throw CaptureError(
          .deviceDisconnected, "\(device) is gone; connect it and start the session again")
      }
      throw CaptureError(
        .invalidState,
        "no video flows from \(device) to the movie output; start the session first")
    }
    let (refusals, metadataRefusal) = state.withLock { ($0.refusals, $0.metadataRefusal) }
    if let metadataRefusal { throw metadataRefusal }
    for connection in connections {
      if let refusal = refusals[ObjectIdentifier(connection)] { throw refusal }
    }
    guard case .video(let video)? = connection.formatDescription,
      var settings = outputSettings(for: connection), let tier = connection.tier
    else {
      throw CaptureError(.formatUnavailable, "\(connection.device) delivers no video now")
    }
    try options.checkHighRange(of: video.color)
    try checkCodec(settings.codec, of: connection, encoder: settings.encoder)
    try checkSize(settings.dimensions, of: connection)
    guard let rate = settings.frameRate ?? connection.frameRate else {
      throw CaptureError(
        .invalidArgument,
        "\(connection.device) does not report its frame rate; set it in the output settings")
    }
    var planned = options
    planned.timecodeSource = try timecodeSource(at: rate)
    settings.frameRate = rate
    settings.gapPolicy = options.gapPolicy
    return RecordingPlan(
      url: url, options: planned, connection: connection, isRealTime: connection.isRealTime,
      video: video, tier: tier, rate: rate,
      settings: settings, audio: audioPlans(), fileSize: fileSizeLimit,
      audioPatience: audioPatience,
      makeEncoder: makeEncoder,
      takeIdentifier: options.takeIdentifier ?? UUID().uuidString)
  }

  /// None at rates that a movie's timecode cannot count. A timecode that was asked for is refused there.
  private func timecodeSource(
    at rate: FrameRate
  ) throws(CaptureError) -> RecordingOptions.TimecodeSource {
    let most = TimecodeTrackDescription.mostFramesPerSecond
    guard rate.nominalFramesPerSecond > most else { return options.timecodeSource }
    switch options.timecodeSource {
    case .none, .timeOfDay, .source: return .none
    case .start, .running:
      throw CaptureError(
        .invalidArgument,
        "a movie's timecode counts up to \(most) frames per second, the input has \(rate); leave the "
          + "timecode out")
    }
  }

  private func audioPlans() -> [RecordingPlan.Audio] {
    // A source that has ended already becomes silence, and the report says so.
    connections.filter { $0.mediaType == .audio && $0.isWanted }.compactMap { connection in
      guard case .audio(let format)? = connection.formatDescription,
        var settings = audioOutputSettings(for: connection)
      else { return nil }
      // Audio arrives placed to the sample, so a gap in it is real.
      settings.gapTolerance = 0
      let layout = connection.metadata.channelLayout
      if settings.channelLayout == nil, layout?.channelCount == settings.format.channelCount {
        settings.channelLayout = layout
      }
      return RecordingPlan.Audio(connection: connection, format: format, settings: settings)
    }
  }

  func check(
    _ connection: CaptureConnection, carries mediaType: MediaType
  ) throws(CaptureError) {
    guard connections.contains(connection), connection.mediaType == mediaType else {
      throw CaptureError(
        .invalidArgument, "the connection does not carry \(mediaType) to this output")
    }
  }

  func checkCodec(
    _ codec: VideoCodecType, of connection: CaptureConnection, encoder: EncoderChoice
  ) throws(CaptureError) {
    let available = try availableCodecs(of: connection, encoder: encoder)
    guard !available.contains(codec) else { return }
    let names = available.map(\.shortName).joined(separator: ", ")
    throw CaptureError(
      .codecUnavailable,
      "\(codec) cannot be encoded from the format of \(connection.device); "
        + (names.isEmpty ? "encoder \(encoder) not found" : "choose one of \(names)"))
  }

  /// Refuses any size but that of the video. The message lists the sizes that the device offers.
  func checkSize(
    _ size: VideoDimensions, of connection: CaptureConnection
  ) throws(CaptureError) {
    guard case .video(let video)? = connection.formatDescription, video.dimensions != size else {
      return
    }
    let sizes = Set(connection.device.formats.map(\.dimensions))
    let remedy =
      sizes.contains(size)
      ? "make a format of \(size) active"
      : "choose one of "
        + sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }.map(\.description)
        .joined(separator: ", ")
    throw CaptureError(
      .invalidArgument,
      "output settings of \(size) do not fit \(connection.device), which delivers "
        + "\(video.dimensions), and video is not scaled; leave the size out or \(remedy)")
  }

  /// The codecs that a connection can feed, or why there are none.
  func availableCodecs(
    of connection: CaptureConnection, encoder: EncoderChoice
  ) throws(CaptureError) -> [VideoCodecType] {
    guard case .video(let video)? = connection.formatDescription, let tier = connection.tier else {
      throw CaptureError(.formatUnavailable, "\(connection.device) delivers no video now")
    }
    guard allowedTiers.contains(tier) else {
      throw CaptureError(
        .formatUnavailable,
        "\(connection.device) delivers tier \(tier.rawValue) (\(tier.displayName)), not 10-bit 4:2:2; "
          + "choose another active format or allow the fallback to tier \(tier.rawValue)")
    }
    guard video.pixelFormat != nil else {
      throw CaptureError(
        .formatUnavailable,
        "\(connection.device) delivers compressed video (\(video.mediaSubType)); choose an "
          + "uncompressed format")
    }
    return EncoderCapabilities.current.codecs(for: video, encoder: encoder)
  }
}
