// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AssetWriter
public import Foundation
public import MediaCore
public import VideoRecorder

/// Records a session's pictures and sound into a ProRes movie.
public typealias AVCaptureMovieFileOutput = CaptureMovieFileOutput

/// Hears how a recording goes, on a queue of the output's own, in order.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
  /// The first frame was recorded.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// The first frame was recorded, with its time. A delegate that has this form is not told by the other
  /// one.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection])

  /// No frame is recorded any more, and the file is being completed.
  func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?)

  /// Frames are left out from now on.
  func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// Frames are recorded again.
  func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection])

  /// The file is complete, or there is none.
  ///
  /// - Parameters:
  ///   - output: The output that recorded.
  ///   - outputFileURL: The file.
  ///   - connections: What was recorded.
  ///   - error: Nil for a recording that ended on request, else an ``AVError``. Where its
  ///     ``AVError/recordingSuccessfullyFinished`` is true the file is good.
  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?)
}

extension AVCaptureFileOutputRecordingDelegate {
  /// Calls the form without a time.
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
  /// Begins a recording, and tells the delegate, which is kept until the end, how it goes. One that
  /// cannot begin is told of as one that finished with an error.
  public func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    startRecording(to: outputFileURL, recordingDelegate: RecordingListener(delegate))
  }
}

/// Hands what the output says to a delegate of Apple's kind.
///
/// Unchecked because Apple's delegates need not be `Sendable`: nobody sets the reference again, and only these
/// functions call the delegate, which the output does on its serial `delegateQueue`.
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
  /// Chooses how a connection is recorded; an empty dictionary stands for the defaults.
  ///
  /// Apple's stops the program where a key is unknown, a value has the wrong type, or the settings
  /// cannot be met. Here the next recording ends before it begins, its delegate told of an
  /// ``AVError/Code/unsupportedOutputSettings`` that names the key, until better settings are given.
  /// ``outputSettings(_:for:)`` throws it at once.
  ///
  /// A codec alone goes with the format that is active when the recording begins; width and height
  /// have to be its own.
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

  /// What a dictionary of settings comes to for a connection.
  public enum OutputSettings: Sendable, Hashable {
    /// How pictures are recorded.
    case video(VideoOutputSettings)
    /// How sound is recorded.
    case audio(AudioOutputSettings)
  }

  /// What a dictionary of settings comes to for a connection, without setting it.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument`, with the key and what is wrong.
  public func outputSettings(
    _ settings: [String: Any]?, for connection: AVCaptureConnection
  ) throws(CaptureError) -> OutputSettings {
    guard let settings else {
      throw CaptureError(
        .invalidArgument,
        "output settings of nil would write what the device gives as it is; name a codec")
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
            "audio settings: AVLinearPCMIsBigEndianKey is to be false: a movie's samples are little-endian"
          )
        }
        return .audio(settings)
      case .timecode?, .metadata?, nil:
        throw AVError(.unsupportedDeviceActiveFormat, "\(connection.device) has no format now")
      }
    } catch { throw CaptureError(.invalidArgument, error.message) }
  }

  /// How a connection is recorded; empty where nothing can be recorded from it.
  public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
    chosenSettings(for: connection)?.dictionary
      ?? audioOutputSettings(for: connection)?.dictionary ?? [:]
  }

  /// The keys that ``setOutputSettings(_:for:)`` takes for a connection.
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
  /// Facts for the movies that are begun from now on; nil for none. With an item that a movie has no place for, the
  /// next recording ends before it begins, until better ones are set.
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
