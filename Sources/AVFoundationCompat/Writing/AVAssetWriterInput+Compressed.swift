import AssetWriter
import MediaCore
import Synchronization

/// Pictures that were compressed before, which an input without settings writes as they are.
extension AVAssetWriterInput {
  /// What compressed pictures the input takes; nil for an input that compresses.
  var carriedFormat: VideoFormatDescription? {
    state.withLock { state in
      guard case .video(let settings)? = state.outputSettings,
        settings.carriedConfiguration != nil, case .video(let format)? = state.hint
      else { return nil }
      return format
    }
  }

  /// Hands a compressed picture over.
  ///
  /// - Returns: False where it was not taken; the writer's `error` says why.
  func append(_ picture: CompressedPicture, of sample: CMSampleBuffer) -> Bool {
    do throws(AVError) {
      if let mistake = writerMistake ?? takeMistake() { throw mistake }
      let frame = try carrier(of: picture, in: sample)
      return attempt { input throws(AssetWriterError) in try input.append(frame) }
    } catch {
      refuse(error)
      return false
    }
  }

  /// A sample of the modules behind that carries a compressed picture.
  private func carrier(
    of picture: CompressedPicture, in sample: CMSampleBuffer
  ) throws(AVError) -> SampleBuffer {
    guard let format = carriedFormat else {
      throw AVError(
        .operationNotAllowed,
        "a compressed picture is appended to an input that was made without settings, with a hint")
    }
    guard picture.format.mediaSubType == format.mediaSubType,
      picture.format.dimensions == format.dimensions,
      picture.format.decoderConfiguration == format.decoderConfiguration
    else {
      throw AVError(
        .mediaChanged,
        "a compressed picture of another codec, size or configuration than the input's hint")
    }
    let decodeTime = picture.decodeTime
    guard !decodeTime.isNumeric || decodeTime == sample.presentationTimeStamp else {
      throw AVError(
        .invalidSourceMedia,
        "compressed pictures are written in the order in which they are shown; set "
          + "kVTCompressionPropertyKey_AllowFrameReordering to false")
    }
    let notSync = sample.sampleAttachments[0][.notSync] as? Bool
    do throws(MediaCoreError) {
      let shown = try CarriedFrame(bytes: picture.block.contents, isSync: notSync != true)
        .picture(format)
      return SampleBuffer(
        .video(shown), presentationTimeStamp: sample.presentationTimeStamp,
        duration: sample.duration)
    } catch { throw AVError(error) }
  }
}

extension VideoOutputSettings {
  /// Settings of a video track that were compressed before.
  init(carrying format: VideoFormatDescription) throws(AVError) {
    let codec = VideoCodecType(rawValue: format.mediaSubType.description)
    guard format.pixelFormat == nil, codec.isProRes || codec.isInterframe else {
      throw AVError(
        .unsupportedOutputSettings,
        "pictures of \(format.mediaSubType) are not written as they are; name a codec to compress them"
      )
    }
    guard codec.isProRes || format.decoder != nil else {
      throw AVError(
        .unsupportedOutputSettings,
        "the hint does not say what a decoder of \(codec) is told; take the format description of a"
          + " compressed sample")
    }
    self.init(codec: codec, width: format.dimensions.width, height: format.dimensions.height)
    keepsFrameTimes = true
    (color, fieldOrder) = (format.color, format.fieldOrder)
    pixelAspectRatio = format.pixelAspectRatio
    carriedConfiguration = format.decoderConfiguration
  }
}
