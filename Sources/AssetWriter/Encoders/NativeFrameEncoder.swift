import MediaCore
import ProRes

/// The recorder's own encoder, which puts its threads to one frame at a time.
final class NativeFrameEncoder: FrameEncoder {
  private let encoder: ProResEncoder
  private let configuration: VideoEncoderConfiguration
  private var unpacking = PlanarUnpacking()
  /// For frames that the encoder does not read: RGB, full chroma to be encoded as 4:2:2, and 4:2:0 with
  /// unusual siting.
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

  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    let source = canRead(image.details) ? image : try unpack(image)
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
  private func canRead(_ frame: PixelBuffer.Description) -> Bool {
    encoder.canRead(frame.format)
      && (frame.format.descriptor.subsampling != .yuv420 || frame.chromaSiting == .left)
  }

  private func unpack(_ frame: PixelBuffer) throws(AssetWriterError) -> PixelBuffer {
    var target = try planarMemory(for: frame)
    try unpacking.unpack(frame, into: &target)
    let result = target.finish()
    planar = result
    return result
  }

  /// The memory of the last frame, if the encoder has released it.
  private func planarMemory(
    for frame: PixelBuffer
  ) throws(AssetWriterError) -> MutablePixelBuffer {
    if let last = MutablePixelBuffer(reusing: &planar) { return last }
    var details = frame.details
    details = details.converted(by: configuration.color)
    details.format = planarFormat(for: frame.format)
    details.color.range = .video
    details.fieldOrder = configuration.fieldOrder
    do throws(MediaCoreError) { return try MutablePixelBuffer(details) } catch {
      throw AssetWriterError(.outOfResources, error.message)
    }
  }

  /// The layout that keeps most of a source among those that the encoder reads.
  private func planarFormat(for source: PixelFormat) -> PixelFormat {
    FrameUnpacker.destinations(for: source).first(where: encoder.canRead)
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
