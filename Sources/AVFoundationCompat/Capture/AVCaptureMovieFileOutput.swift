// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AssetWriter
public import Foundation
public import MediaCore
public import VideoRecorder

/// Records a session's video and audio into a ProRes movie.
public typealias AVCaptureMovieFileOutput = CaptureMovieFileOutput

/// Receives the progress of a recording in order, on the output's own queue.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
  /// The first frame was recorded.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// The first frame was recorded, with its time. If a delegate implements this method, the one without a time is not
  /// called.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection])

  /// Recording has ended, and the file is being completed.
  func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?)

  /// The recording was paused.
  func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// The recording was resumed.
  func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// The file is complete or could not be made.
  ///
  /// - Parameters:
  ///   - output: The output that recorded.
  ///   - outputFileURL: The file.
  ///   - connections: The recorded connections.
  ///   - error: Nil if the recording ended on request, otherwise an ``AVError``. If its
  ///     ``AVError/recordingSuccessfullyFinished`` is true, the file is good.
  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?)
}

extension AVCaptureFileOutputRecordingDelegate {
  /// Calls the method without a time.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection]
  ) {
    fileOutput(output, didStartRecordingTo: fileURL, from: connections)
  }
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {}
}

extension CaptureFileOutput {
  /// Starts a recording and reports its progress to the delegate, which is retained until the end. A recording that
  /// cannot start is reported as finished with an error.
  public func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    startRecording(to: outputFileURL, recordingDelegate: RecordingListener(delegate))
  }
}

/// Forwards the output's callbacks to an AVFoundation delegate.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is never set again, and only these
/// functions call the delegate; the output calls them on its serial `delegateQueue`.
final class RecordingListener: CaptureFileOutputRecordingDelegate, @unchecked Sendable {
  private let delegate: any AVCaptureFileOutputRecordingDelegate

  init(_ delegate: any AVCaptureFileOutputRecordingDelegate) { self.delegate = delegate }

  func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {
    delegate.fileOutput(output, didStartRecordingTo: fileURL, from: connections)
  }

  func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: MediaTime,
    from connections: [CaptureConnection]
  ) {
    delegate.fileOutput(
      output, didStartRecordingTo: fileURL, startPTS: startPTS, from: connections)
  }

  func fileOutput(
    _ output: CaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    delegate.fileOutput(
      output, willFinishRecordingTo: fileURL, from: connections, error: error.map { AVError($0) })
  }

  func fileOutput(
    _ output: CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {
    delegate.fileOutput(output, didPauseRecordingTo: fileURL, from: connections)
  }

  func fileOutput(
    _ output: CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {
    delegate.fileOutput(output, didResumeRecordingTo: fileURL, from: connections)
  }

  func fileOutput(
    _ output: CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    delegate.fileOutput(
      output, didFinishRecordingTo: outputFileURL, from: connections,
      error: error.map { AVError($0) })
  }
}

extension CaptureMovieFileOutput {
  /// Sets how a connection is recorded; an empty dictionary means the defaults.
  ///
  /// Apple's implementation stops the program if a key is unknown, a value has the wrong type, or the settings cannot
  /// be met. Here the next recording fails to start, with an ``AVError/Code/unsupportedOutputSettings`` that names the
  /// key, until valid settings are set. ``outputSettings(_:for:)`` throws it immediately.
  ///
  /// If only a codec is given, it applies to the format that is active when the recording starts; width and height must
  /// be those of the format.
  public func setOutputSettings(_ settings: [String: Any]?, for connection: AVCaptureConnection) {
    do throws(CaptureError) {
      switch try outputSettings(settings, for: connection) {
      case .video(let video) where settings?.keys.allSatisfy { $0 == AVVideoCodecKey } == true:
        try setVideoCodec(video.codec, for: connection)
      case .video(let video): try setOutputSettings(video, for: connection)
      case .audio(let audio): try setOutputSettings(audio, for: connection)
      }
    } catch {
      refuseRecording(from: connection, because: error)
    }
  }

  /// The typed form of a settings dictionary for a connection.
  public enum OutputSettings: Sendable, Hashable {
    /// Video settings.
    case video(VideoOutputSettings)
    /// Audio settings.
    case audio(AudioOutputSettings)
  }

  /// The typed form of a settings dictionary for a connection, without setting it.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument`, with the key and the reason.
  public func outputSettings(
    _ settings: [String: Any]?, for connection: AVCaptureConnection
  ) throws(CaptureError) -> OutputSettings {
    guard let settings else {
      throw CaptureError(
        .invalidArgument,
        "nil output settings would write the device's data unchanged; name a codec")
    }
    do throws(AVError) {
      switch connection.formatDescription {
      case .video(let video)?:
        let named = settings.isEmpty ? [AVVideoCodecKey: AVVideoCodecType.proRes422HQ] : settings
        return .video(
          try VideoOutputSettings(
            dictionary: named, source: video, frameRate: connection.frameRate))
      case .audio(let audio)?:
        let named = settings.isEmpty ? [AVFormatIDKey: kAudioFormatLinearPCM] : settings
        let settings = try AudioOutputSettings(dictionary: named, source: audio)
        guard settings.byteOrder != .big else {
          throw AVError(
            .unsupportedOutputSettings,
            "audio settings: AVLinearPCMIsBigEndianKey must be false: a movie's samples are little-endian"
          )
        }
        return .audio(settings)
      case .timecode?, .metadata?, nil:
        throw AVError(.unsupportedDeviceActiveFormat, "\(connection.device) has no current format")
      }
    } catch { throw CaptureError(.invalidArgument, error.message) }
  }

  /// How a connection is recorded; empty if it cannot be recorded.
  public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
    chosenSettings(for: connection)?.dictionary
      ?? audioOutputSettings(for: connection)?.dictionary ?? [:]
  }

  /// The keys that ``setOutputSettings(_:for:)`` accepts for a connection.
  public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] {
    connection.mediaType == .audio
      ? [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey]
      : [
        AVVideoCodecKey, AVVideoWidthKey, AVVideoHeightKey, AVVideoCompressionPropertiesKey,
        AVVideoColorPropertiesKey, AVVideoPixelAspectRatioKey, AVVideoCleanApertureKey,
      ]
  }
}

extension CaptureMovieFileOutput {
  /// Metadata for movies started from now on; nil for none. If a movie cannot store an item, recordings fail to start
  /// until valid items are set.
  public var metadata: [AVMetadataItem]? {
    get {
      let items = AVMetadataItem.items(options.metadata)
      return items.isEmpty ? nil : items
    }
    set {
      do throws(AVError) { setMetadata(.success(try MovieMetadata(newValue ?? []))) } catch {
        setMetadata(.failure(CaptureError(.invalidArgument, error.message)))
      }
    }
  }
}
