import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import VideoRecorder

/// The audio of a recording.
extension RecordingSetup {
  /// Sets the output up for the audio.
  ///
  /// - Parameter part: What was being set up when it throws.
  func configureAudio(choosing part: inout RecordingSelection.Part) throws(CaptureError) {
    let audio = request.preset.audio
    part = .channelLayout
    if audio.channelLayout != nil, selection.audioDevice == nil {
      throw CaptureError(
        .invalidArgument,
        "there is no audio for a channel layout; choose an audio device, or leave the "
          + "channel layout out")
    }
    for connection in output.connections where connection.mediaType == .audio {
      guard var settings = output.audioOutputSettings(for: connection) else { continue }
      // The movie never claims more bits than the device gives.
      if audio.sampleFormat.bitDepth < settings.format.sampleFormat.bitDepth {
        settings.format.sampleFormat = audio.sampleFormat
      }
      settings.trackLayout = audio.layout == .mono ? .mono : .poly
      part = .channelLayout
      settings.channelLayout = try channelLayout(of: settings.format)
      part = .audio
      try output.setOutputSettings(settings, for: connection)
    }
  }

  /// Bytes per second of the audio, as in the settings.
  var audioBytesPerSecond: Double {
    output.connections.filter { $0.mediaType == .audio }
      .compactMap { output.audioOutputSettings(for: $0)?.format }
      .reduce(0) { $0 + Double($1.bytesPerFrame) * Double($1.sampleRate) }
  }

  /// The channel layout of the audio, if one was given.
  private func channelLayout(
    of format: AudioFormat
  ) throws(CaptureError) -> AudioChannelLayout? {
    guard let layout = request.preset.audio.channelLayout else { return nil }
    guard layout.channelCount == format.channelCount else {
      throw CaptureError(
        .invalidArgument,
        "the channel layout \(layout.name ?? "") has \(layout.channelCount) channels, the audio of "
          + "\(selection.audioDevice?.localizedName ?? "the device") has \(format.channelCount); "
          + "choose a layout or a device with as many")
    }
    return layout
  }
}
