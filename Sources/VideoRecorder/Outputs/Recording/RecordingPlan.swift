import AssetWriter
import CaptureDevices
import FoundationEssentials
package import MediaCore
import ProRes
import QuickTime
import TakeReports

/// Everything about a recording that is known before its first frame.
package struct RecordingPlan: Sendable {
  /// One audio source.
  struct Audio: Sendable {
    var connection: CaptureConnection
    var format: AudioFormat
    var settings: AudioOutputSettings
  }

  var url: URL
  var options: RecordingOptions
  var connection: CaptureConnection
  /// True if frames come whether or not there is room for them.
  var isRealTime: Bool
  var video: VideoFormatDescription
  var tier: FormatTier
  package var rate: FrameRate
  var settings: VideoOutputSettings
  var audio: [Audio]
  var fileSize: FileSizeLimit
  var audioPatience: AudioPatience
  var makeEncoder: VideoPreparation.MakeEncoder
  /// The identifier that the movies of the take share.
  package var takeIdentifier: String

  /// Bytes that a file may have beside `url`, and in the second folder.
  func fileSizeLimit(at url: URL) -> Int64? {
    let folders = [url.deletingLastPathComponent().path, options.secondFolder].compactMap(\.self)
    return (folders.map(fileSize.bytes) + [options.segments.fileSizeLimit]).compactMap(\.self).min()
  }

  /// The slot at which the recording is full; nil where it may go on for ever.
  var frameLimit: Int64? {
    let byCount = options.maxRecordedFrameCount.map { Int64(max($0, 1)) }
    let byTime = rate.frameIndex(nearest: options.maxRecordedDuration).map { max($0, 1) }
    // A limit beyond any take's length counts as none.
    return [byCount, byTime].compactMap { $0 }.min().flatMap { $0 < 1 << 50 ? $0 : nil }
  }

  /// Bytes per second at the codec's target rate, including audio.
  var targetBytesPerSecond: Double {
    let frame = ProResProfile(settings.codec)?.targetFrameBytes(
      width: settings.width, height: settings.height)
    return audio.reduce(Double(frame ?? 0) * rate.framesPerSecond) { total, source in
      total + Double(source.settings.format.bytesPerFrame)
        * Double(source.settings.format.sampleRate)
    }
  }

  /// The facts that the output knows of the movie, under those that the user gave.
  ///
  /// - Parameters:
  ///   - label: What the take is called.
  ///   - identifier: What its movies have in common.
  ///   - unixTime: When the recording began, in seconds since 1970 UTC.
  func metadata(
    label: TakeLabel, identifier: String, began unixTime: Double
  ) -> MovieMetadata {
    var metadata = options.metadata
    let device = connection.device
    if metadata.make == nil, !device.manufacturer.isEmpty { metadata.make = device.manufacturer }
    if metadata.model == nil {
      metadata.model = device.modelID.isEmpty ? device.localizedName : device.modelID
    }
    if metadata.creationDate == nil {
      metadata.creationDate = JSONDocument.date(unixTime: Int64(unixTime.rounded(.down)))
    }
    if metadata.software == nil { metadata.software = "recordctl" }
    metadata["com.prores-recorder.input.device"] = .text(device.uniqueID)
    metadata["com.prores-recorder.input.format"] = .text(source.format)
    metadata["com.prores-recorder.input.tier"] = .text("\(tier.rawValue)")
    metadata["com.prores-recorder.input.tier-name"] = .text(tier.displayName)
    metadata["com.prores-recorder.take-id"] = .text(identifier)
    for (key, value) in label.metadata { metadata[key] = .text(value) }
    return metadata
  }

  /// The source of the video, for the report.
  var source: RecordingReport.Source {
    RecordingReport.Source(
      deviceID: connection.device.uniqueID, deviceName: connection.device.localizedName,
      format: "\(connection.device.activeFormat ?? .init(formatDescription: .video(video)))",
      tier: tier, tierName: tier.displayName)
  }

  /// A writer that is set up for the recording; nothing is on the disk yet.
  func makeWriter() throws(CaptureError) -> (
    writer: AssetWriter, video: AssetWriterInput.SampleBufferReceiver,
    audio: [AssetWriterInput.SampleBufferReceiver]
  ) {
    do throws(AssetWriterError) {
      var configuration = AssetWriter.Configuration()
      configuration.overwritePolicy = options.overwritesExistingFile ? .replace : .refuse
      // The recording's timeline decides whether time has jumped. However long the disk was stuck, what arrives
      // afterwards is written.
      configuration.maximumGap = 1e9
      configuration.movieFragmentInterval = options.movieFragmentInterval
      configuration.synchronizesFragments = options.synchronizesFragments
      configuration.segments = options.segments
      configuration.segments.fileSizeLimit = fileSizeLimit(at: url)
      configuration.secondFolder = options.secondFolder
      configuration.reelName = options.label.reel ?? ""
      configuration.takesChecksums = options.writesSidecar
      configuration.threads = options.threads
      configuration.writesTimecode = options.timecodeSource != .none
      let writer = try AssetWriter(
        outputURL: url, configuration: configuration, makeEncoder: makeEncoder)
      let videoInput = AssetWriterInput(
        mediaType: .video, outputSettings: settings, sourceFormatHint: video)
      videoInput.expectsMediaDataInRealTime = true
      let receiver = try writer.inputReceiver(for: videoInput)
      var receivers: [AssetWriterInput.SampleBufferReceiver] = []
      for source in audio {
        let input = AssetWriterInput(mediaType: .audio, outputSettings: source.settings)
        input.expectsMediaDataInRealTime = true
        receivers.append(try writer.inputReceiver(for: input))
      }
      return (writer, receiver, receivers)
    } catch {
      throw CaptureError(error)
    }
  }
}

extension RecordingReport.End {
  /// The end of a recording after a failure of writing, whoever notices it first.
  init(writingFailure error: CaptureError) {
    self = error.code == .diskFull ? .diskFull : .writingFailed
  }
}

extension CaptureError {
  /// A writer's error as an error of this module.
  init(_ error: AssetWriterError) {
    let code: Code =
      switch error.code {
      case .encoderUnavailable, .codecUnavailable: .codecUnavailable
      case .formatMismatch: .formatChanged
      case .fileExists: .fileAlreadyExists
      case .diskFull: .diskFull
      case .invalidSettings: .invalidArgument
      case .invalidStatus, .cancelled, .inputFinished: .invalidState
      default: .outputFailed
      }
    self.init(code, from: error)
    recordingSuccessfullyFinished = error.recordingSuccessfullyFinished
  }
}
