// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import MediaCore
public import VideoRecorder

/// Delivers a session's video frames to a program, in the device's pixel format by default.
public typealias AVCaptureVideoDataOutput = CaptureVideoDataOutput
/// Delivers a session's audio to a program.
public typealias AVCaptureAudioDataOutput = CaptureAudioDataOutput

/// Receives video frames from a data output, on the queue set with the delegate.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  /// A frame arrived.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)

  /// A frame arrived and could not be delivered: it was too late, or in a pixel format other than that of
  /// `videoSettings`. The reason is its attachment ``kCMSampleBufferAttachmentKey_DroppedFrameReason``, and in this
  /// package's terms ``kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo``. `droppedSamples` reports frames that
  /// never arrived.
  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}

/// Receives audio from a data output, on the queue set with the delegate.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
  /// An audio buffer arrived.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}

/// A weak reference to a delegate, which is called on its queue.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is never set again, weak references are
/// counted atomically, and only the `SampleHandler` made in `setSampleBufferDelegate(_:queue:)` calls the delegate, on
/// the serial queue that the program set with it.
private struct VideoListener: @unchecked Sendable {
  weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
}

/// A weak reference to an audio delegate, which is called on its queue.
///
/// Unchecked because Apple's delegates need not be `Sendable`: the reference is never set again, weak references are
/// counted atomically, and only the `SampleHandler` made in `setSampleBufferDelegate(_:queue:)` calls the delegate, on
/// the serial queue that the program set with it.
private struct AudioListener: @unchecked Sendable {
  weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
}

extension DropReason {
  /// One of `kCMSampleBufferDroppedFrameReason_…`.
  fileprivate var appleName: String {
    switch dataDroppedReason {
    case .lateData: kCMSampleBufferDroppedFrameReason_FrameWasLate
    case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
    case .none, .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
    }
  }
}

extension CaptureVideoDataOutput {
  /// Delivers the frames to a delegate on a serial queue. The output does not retain the delegate.
  ///
  /// Apple's implementation stops the program for a delegate without a queue. Here the session then fails to start with
  /// that error; a running session drops every frame.
  @_disfavoredOverload
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    guard let delegate else { return setSampleBufferHandler(nil) }
    guard let queue else { return setSampleBufferHandler(nil, refusal: .delegateLacksQueue) }
    let listener = VideoListener(delegate: delegate)
    setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        deliver: { [weak self] sample, connection in
          guard let self else { return }
          listener.delegate?.captureOutput(
            self, didOutput: sample.withOwnNotes(), from: connection)
        },
        drop: { [weak self] drop, connection in
          guard let self, let sample = drop.sampleBuffer?.withOwnNotes() else { return }
          let mode = kCMAttachmentMode_ShouldNotPropagate
          sample.setAttachment(
            drop.reason.appleName, forKey: kCMSampleBufferAttachmentKey_DroppedFrameReason,
            mode: mode)
          sample.setAttachment(
            drop.reason.rawValue, forKey: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo,
            mode: mode)
          listener.delegate?.captureOutput(self, didDrop: sample, from: connection)
        }))
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The requested pixel format; reading it returns that of the current stream. Set only
  /// `kCVPixelBufferPixelFormatTypeKey`; nil or an empty dictionary, the default, means the device's format. If a size
  /// was set, also before a device was connected, a session does not start with a device that delivers another size.
  ///
  /// libswscale converts frames on the delegate's queue. With a dictionary for which ``setVideoSettings(_:)`` throws,
  /// the session fails to start with that error; a running session drops every frame.
  public var videoSettings: [String: Any]! {
    get {
      guard case .video(let video)? = connection(with: .video)?.formatDescription,
        let given = video.pixelFormat
      else { return [:] }
      var settings: [String: Any] = [
        kCVPixelBufferWidthKey: video.dimensions.width,
        kCVPixelBufferHeightKey: video.dimensions.height,
      ]
      let format = conversion?.format ?? pixelFormat ?? given
      let code =
        format.appleName(range: conversion?.range ?? video.color.range)
        ?? format.descriptor.v4l2Codes.first
      if let code { settings[kCVPixelBufferPixelFormatTypeKey] = code.rawValue }
      return settings
    }
    set {
      do throws(AVError) { try setVideoSettings(newValue ?? [:]) } catch {
        refusal = CaptureError(.invalidArgument, error.message)
      }
    }
  }

  /// Sets the requested pixel format.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and the reason; also for a pixel format that is
  ///   neither the connected device's nor one of `FrameConversion.available`, and for a size other than the device's.
  public func setVideoSettings(_ settings: [String: Any]) throws(AVError) {
    let wanted = try PixelBufferAttributes(settings)
    let video: VideoFormatDescription? =
      if case .video(let video)? = connection(with: .video)?.formatDescription { video } else {
        nil
      }
    let size = Size(width: wanted.width, height: wanted.height)
    if let obstacle = obstacle(to: size) { throw AVError(obstacle) }
    guard let format = wanted.format else {
      (pixelFormat, conversion, self.size) = (nil, nil, size)
      return
    }
    let way = FrameConversion(format, range: wanted.range)
    let isOwn = video.map { $0.pixelFormat == format && $0.color.range == wanted.range } ?? false
    if !isOwn, FrameConversion.available.contains(way) {
      (pixelFormat, conversion, self.size) = (nil, way, size)
      return
    }
    guard isOwn || video?.pixelFormat == nil else {
      throw AVError(
        .unsupportedOutputSettings,
        "the device delivers \(video?.pixelFormat?.description ?? "nothing"), which cannot be converted to "
          + "\(format); choose one of availableVideoPixelFormatTypes")
    }
    (pixelFormat, conversion, self.size) = (format, nil, size)
  }

  /// None: frames are delivered uncompressed.
  public var availableVideoCodecTypes: [AVVideoCodecType] { [] }

  /// The code of the connected device's pixel format, if Apple has one for it, and those of the formats to which frames
  /// can be converted; empty without a device.
  public var availableVideoPixelFormatTypes: [OSType] {
    guard case .video(let video)? = connection(with: .video)?.formatDescription else { return [] }
    return video.availableLayouts.map(\.rawValue)
  }

  /// Settings for an asset writer's input that match the current stream; nil without a connection, or if the codec
  /// cannot encode its frames.
  public func recommendedVideoSettings(
    forVideoCodecType codec: AVVideoCodecType, assetWriterOutputFileType fileType: AVFileType
  ) -> [String: Any]? {
    guard let native = fileType.native else { return nil }
    return recommendedVideoSettings(
      forVideoCodecType: codec, assetWriterOutputFileType: native, encoder: .automatic
    )?.dictionary
  }

  /// As ``recommendedVideoSettings(forVideoCodecType:assetWriterOutputFileType:)``, for ProRes 422 HQ in a QuickTime
  /// movie and the first supported codec in any other file type.
  public func recommendedVideoSettingsForAssetWriter(
    writingTo fileType: AVFileType
  ) -> [String: Any]? {
    let codec =
      fileType == .mov
      ? .proRes422HQ : availableVideoCodecTypesForAssetWriter(writingTo: fileType).first
    return codec.flatMap {
      recommendedVideoSettings(forVideoCodecType: $0, assetWriterOutputFileType: fileType)
    }
  }
}

extension CaptureAudioDataOutput {
  /// Delivers the audio to a delegate on a serial queue. The output does not retain the delegate.
  ///
  /// Apple's implementation stops the program for a delegate without a queue. Here the session then fails to start with
  /// that error; a running session drops all audio.
  @_disfavoredOverload
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    guard let delegate else { return setSampleBufferHandler(nil) }
    guard let queue else { return setSampleBufferHandler(nil, refusal: .delegateLacksQueue) }
    let listener = AudioListener(delegate: delegate)
    setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        deliver: { [weak self] sample, connection in
          guard let self else { return }
          listener.delegate?.captureOutput(
            self, didOutput: sample.withOwnNotes(), from: connection)
        }))
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The requested audio format; reading it returns that of the current stream. Linear PCM of 16, 24 or 32 bits or
  /// floats, at any rate, with 1 to 8 channels. Nil or an empty dictionary, the default, means the device's format.
  ///
  /// libswresample converts audio on the delegate's queue. With a dictionary for which ``setAudioSettings(_:)`` throws,
  /// the session fails to start with that error; a running session drops all audio.
  public var audioSettings: [String: Any]! {
    get {
      guard case .audio(let given)? = connection(with: .audio)?.formatDescription else {
        return [:]
      }
      return (conversion?.format(of: given) ?? given).settings()
    }
    set {
      do throws(AVError) { try setAudioSettings(newValue ?? [:]) } catch {
        refusal = CaptureError(.invalidArgument, error.message)
      }
    }
  }

  /// Sets the requested audio format.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and the reason.
  public func setAudioSettings(_ settings: [String: Any]) throws(AVError) {
    guard !settings.isEmpty else {
      conversion = nil
      return
    }
    let wanted = try PlainAudioSettings(settings, of: "a data output")
    if let count = wanted.channelCount, count > 8 {
      throw AVError(
        .unsupportedOutputSettings,
        "audio settings: AVNumberOfChannelsKey: audio can have 1 to 8 channels, not \(count)"
      )
    }
    var conversion = AudioConversion()
    conversion.sampleRate = wanted.sampleRate
    conversion.channelCount = wanted.channelCount
    conversion.sampleFormat = wanted.sampleFormat
    self.conversion = conversion
  }

  /// Settings for an asset writer's input that match the connected device; nil without one. Linear PCM in a QuickTime
  /// movie, `.wav`, `.aiff` and `.caf`; AAC in other file types, or nil for more than two channels.
  public func recommendedAudioSettingsForAssetWriter(
    writingTo fileType: AVFileType
  ) -> [String: Any]? {
    guard let native = fileType.native, var settings = recommendedAudioSettings else { return nil }
    switch native {
    case .mov, .wav, .caf: settings.byteOrder = .little
    case .aiff: settings.byteOrder = .big
    case .mp4, .m4v, .m4a:
      guard settings.format.channelCount <= 2 else { return nil }
      settings.compression = .aac(bitRate: 64_000 * settings.format.channelCount)
    }
    return settings.dictionary
  }
}
