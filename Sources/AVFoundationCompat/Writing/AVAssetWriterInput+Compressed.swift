import AssetWriter
import MediaCore
import Synchronization

/// Compressed frames, which an input without settings writes unchanged.
extension AVAssetWriterInput {
  /// The format of compressed frames that the input takes; nil for an input that compresses.
  var carriedFormat: VideoFormatDescription? {
    state.withLock { state in
      guard case .video(let settings)? = state.outputSettings,
        settings.carriedConfiguration != nil, case .video(let format)? = state.hint
      else { return nil }
      return format
    }
  }

  /// Appends a compressed frame.
  ///
  /// - Returns: False on failure; the writer's `error` says why.
  func append(_ image: CompressedFrame, of sample: CMSampleBuffer) -> Bool {
    do throws(AVError) {
      if let mistake = writerMistake ?? takeMistake() { throw mistake }
      let frame = try carrier(of: image, in: sample)
      return attempt { input throws(AssetWriterError) in try input.append(frame) }
    } catch {
      refuse(error)
      return false
    }
  }

  /// A sample for the underlying writer that carries a compressed frame.
  private func carrier(
    of frame: CompressedFrame, in sample: CMSampleBuffer
  ) throws(AVError) -> SampleBuffer {
    guard let format = carriedFormat else {
      throw AVError(
        .operationNotAllowed,
        "append compressed frames to an input created without settings and with a hint")
    }
    guard frame.format.mediaSubType == format.mediaSubType,
      frame.format.dimensions == format.dimensions,
      frame.format.decoderConfiguration == format.decoderConfiguration
    else {
      throw AVError(
        .mediaChanged,
        "the codec, size or configuration of a compressed frame differs from the input's hint")
    }
    let decodeTime = frame.decodeTime
    guard !decodeTime.isNumeric || decodeTime == sample.presentationTimeStamp else {
      throw AVError(
        .invalidSourceMedia,
        "compressed frames must be in presentation order; set "
          + "kVTCompressionPropertyKey_AllowFrameReordering to false")
    }
    let notSync = sample.sampleAttachments[0][.notSync] as? Bool
    do throws(MediaCoreError) {
      let shown = try CarriedFrame(bytes: frame.block.contents, isSync: notSync != true)
        .frame(format)
      return SampleBuffer(
        .video(shown), presentationTimeStamp: sample.presentationTimeStamp,
        duration: sample.duration)
    } catch { throw AVError(error) }
  }
}

extension VideoOutputSettings {
  /// Settings for a video track of compressed frames.
  init(carrying format: VideoFormatDescription) throws(AVError) {
    let codec = VideoCodecType(rawValue: format.mediaSubType.description)
    guard format.pixelFormat == nil, codec.isProRes || codec.isInterframe else {
      throw AVError(
        .unsupportedOutputSettings,
        "\(format.mediaSubType) video cannot be written unchanged; set a codec to compress it"
      )
    }
    guard codec.isProRes || format.decoder != nil else {
      throw AVError(
        .unsupportedOutputSettings,
        "the hint has no decoder configuration of \(codec); use the format description of a"
          + " compressed sample")
    }
    self.init(codec: codec, width: format.dimensions.width, height: format.dimensions.height)
    keepsFrameTimes = true
    (color, fieldOrder) = (format.color, format.fieldOrder)
    pixelAspectRatio = format.pixelAspectRatio
    carriedConfiguration = format.decoderConfiguration
  }
}
