// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import MediaCore
public import VideoRecorder

/// Gives a program the pictures of a session, in the device's own layout.
public typealias AVCaptureVideoDataOutput = CaptureVideoDataOutput
/// Gives a program the sound of a session.
public typealias AVCaptureAudioDataOutput = CaptureAudioDataOutput

/// Takes pictures from a data output, on the queue that was given with it.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  /// A picture.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)

  /// A picture that came and could not be given: too late, or in another layout than `videoSettings`
  /// want. Why is its attachment ``kCMSampleBufferAttachmentKey_DroppedFrameReason``, and in this
  /// package's words ``kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo``. What never came is told of
  /// by `droppedSamples`.
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

/// Takes sound from a data output, on the queue that was given with it.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
  /// A run of sound.
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

/// A delegate on its way to its queue, and no owner of it.
///
/// Unchecked because Apple's delegates need not be `Sendable`: nobody sets the reference again, weak references
/// are counted atomically, and only the `SampleHandler` made in `setSampleBufferDelegate(_:queue:)` calls the
/// delegate, on the serial queue that its program gave with it.
private struct VideoListener: @unchecked Sendable {
  weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
}

/// A delegate for sound on its way to its queue, and no owner of it.
///
/// Unchecked because Apple's delegates need not be `Sendable`: nobody sets the reference again, weak references
/// are counted atomically, and only the `SampleHandler` made in `setSampleBufferDelegate(_:queue:)` calls the
/// delegate, on the serial queue that its program gave with it.
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
  /// Has the pictures given to a delegate on a serial queue. The output does not keep the delegate.
  ///
  /// Apple's stops the program for a delegate without a queue. Here the session does not start then, for that error;
  /// one that runs has every picture dropped.
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
  /// The layout that is wanted, and that of what flows. Set it with `kCVPixelBufferPixelFormatTypeKey`
  /// alone; nil or an empty dictionary, as at first, stands for whatever the device gives. A session does not start
  /// whose device gives pictures of another size than was set, before it was connected too.
  ///
  /// Pictures are brought to the layout on the delegate's queue, by libswscale. With a dictionary that
  /// ``setVideoSettings(_:)`` throws at, the session does not start, for that error; one that runs has every
  /// picture dropped.
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

  /// Chooses the layout that is wanted.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it: also for
  ///   a layout that is neither the connected device's nor one of `PictureConversion.available`, and for
  ///   another size than the device's.
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
    let way = PictureConversion(format, range: wanted.range)
    let isOwn = video.map { $0.pixelFormat == format && $0.color.range == wanted.range } ?? false
    if !isOwn, PictureConversion.available.contains(way) {
      (pixelFormat, conversion, self.size) = (nil, way, size)
      return
    }
    guard isOwn || video?.pixelFormat == nil else {
      throw AVError(
        .unsupportedOutputSettings,
        "the device gives \(video?.pixelFormat?.description ?? "nothing"), and pictures are not converted to "
          + "\(format); choose one of availableVideoPixelFormatTypes")
    }
    (pixelFormat, conversion, self.size) = (format, nil, size)
  }

  /// None: pictures are given uncompressed.
  public var availableVideoCodecTypes: [AVVideoCodecType] { [] }

  /// The codes of the layout that the connected device gives, where Apple has one for it, and of those that
  /// pictures are converted to; empty without a device.
  public var availableVideoPixelFormatTypes: [OSType] {
    guard case .video(let video)? = connection(with: .video)?.formatDescription else { return [] }
    return video.availableLayouts.map(\.rawValue)
  }

  /// Settings for an asset writer's input that suit what flows; nil without a connection, or where its
  /// pictures cannot feed the codec.
  public func recommendedVideoSettings(
    forVideoCodecType codec: AVVideoCodecType, assetWriterOutputFileType fileType: AVFileType
  ) -> [String: Any]? {
    guard let native = fileType.native else { return nil }
    return recommendedVideoSettings(
      forVideoCodecType: codec, assetWriterOutputFileType: native, encoder: .automatic
    )?.dictionary
  }

  /// As ``recommendedVideoSettings(forVideoCodecType:assetWriterOutputFileType:)``, for ProRes 422 HQ in a
  /// QuickTime movie and for the first codec that another file takes.
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
  /// Has the sound given to a delegate on a serial queue. The output does not keep the delegate.
  ///
  /// Apple's stops the program for a delegate without a queue. Here the session does not start then, for that error;
  /// one that runs has all sound dropped.
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
  /// The sound that is wanted, and that of what flows: linear PCM of 16, 24 or 32 bits or of floats, at any
  /// rate, of 1 to 8 channels. Nil or an empty dictionary, as at first, stands for whatever the device gives.
  ///
  /// Sound is brought to it on the delegate's queue, by libswresample. With a dictionary that
  /// ``setAudioSettings(_:)`` throws at, the session does not start, for that error; one that runs has all sound
  /// dropped.
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

  /// Chooses the sound that is wanted.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  public func setAudioSettings(_ settings: [String: Any]) throws(AVError) {
    guard !settings.isEmpty else {
      conversion = nil
      return
    }
    let wanted = try PlainSoundSettings(settings, of: "a data output")
    if let count = wanted.channelCount, count > 8 {
      throw AVError(
        .unsupportedOutputSettings,
        "audio settings: AVNumberOfChannelsKey: sound is brought to 1 to 8 channels, not to \(count)"
      )
    }
    var conversion = SoundConversion()
    conversion.sampleRate = wanted.sampleRate
    conversion.channelCount = wanted.channelCount
    conversion.sampleFormat = wanted.sampleFormat
    self.conversion = conversion
  }

  /// Settings for an asset writer's input that suit the connected device; nil without one. Linear PCM in a
  /// QuickTime movie, `.wav`, `.aiff` and `.caf`, AAC in other files, which is nil for more than two channels.
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
