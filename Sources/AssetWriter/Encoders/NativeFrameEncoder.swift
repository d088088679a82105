import MediaCore
import ProRes

/// The recorder's own encoder, which puts its threads to one frame at a time.
final class NativeFrameEncoder: FrameEncoder {
  private let encoder: ProResEncoder
  private let configuration: VideoEncoderConfiguration
  private var unpacking = PlanarUnpacking()
  /// For pictures that the encoder does not read: RGB, full chroma on its way to 4:2:2, and 4:2:0 that is
  /// not sited as most is.
  private var planar: PixelBuffer?

  init(_ configuration: VideoEncoderConfiguration) throws(AssetWriterError) {
    self.configuration = configuration
    do throws(ProResError) {
      encoder = try ProResEncoder(
        configuration: ProResEncoder.Configuration(
          profile: configuration.profile, width: configuration.dimensions.width,
          height: configuration.dimensions.height, frameRate: configuration.frameRate,
          fieldOrder: configuration.fieldOrder, color: configuration.color,
          aspectRatio: configuration.headerAspect,
          alpha: configuration.alpha, threads: configuration.threadCount,
          threadOptions: configuration.threadOptions))
    } catch {
      throw AssetWriterError(error)
    }
  }

  func encode(_ picture: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    let source = canRead(picture.details) ? picture : try unpack(picture)
    if let interval = configuration.restartInterval, frame.index % Int64(interval) == 0 {
      encoder.restart()
    }
    try frame.fill(capacity: encoder.maximumFrameSize) { room throws(AssetWriterError) in
      do throws(ProResError) {
        return try encoder.encode(source, into: room)
      } catch {
        throw AssetWriterError(error)
      }
    }
  }

  var threadScheduling: [ThreadScheduling] { encoder.threadScheduling }

  /// The encoder's own reading has the chroma of 4:2:0 midway between rows, on the first column.
  private func canRead(_ picture: PixelBuffer.Description) -> Bool {
    encoder.canRead(picture.format)
      && (picture.format.descriptor.subsampling != .yuv420 || picture.chromaSiting == .left)
  }

  private func unpack(_ picture: PixelBuffer) throws(AssetWriterError) -> PixelBuffer {
    var target = try planarMemory(for: picture)
    try unpacking.unpack(picture, into: &target)
    let result = target.finish()
    planar = result
    return result
  }

  /// The memory of the last picture, where the encoder has let it go.
  private func planarMemory(
    for picture: PixelBuffer
  ) throws(AssetWriterError) -> MutablePixelBuffer {
    if let last = MutablePixelBuffer(reusing: &planar) { return last }
    var details = picture.details
    details = details.converted(by: configuration.color)
    details.format = planarFormat(for: picture.format)
    details.color.range = .video
    details.fieldOrder = configuration.fieldOrder
    do throws(MediaCoreError) { return try MutablePixelBuffer(details) } catch {
      throw AssetWriterError(.outOfResources, error.message)
    }
  }

  /// The layout that keeps most of a source among those that the encoder reads.
  private func planarFormat(for source: PixelFormat) -> PixelFormat {
    PictureUnpacker.destinations(for: source).first(where: encoder.canRead)
      ?? configuration.planarFormat
  }
}

extension AssetWriterError {
  /// What a failure of the encoder means for its writer.
  init(_ error: ProResError) {
    let code: Code =
      switch error.code {
      case .invalidConfiguration: .invalidSettings
      case .unsupportedPicture: .formatMismatch
      case .outOfMemory, .threadFailure: .outOfResources
      default: .encodingFailed
      }
    self.init(code, from: error)
  }
}
