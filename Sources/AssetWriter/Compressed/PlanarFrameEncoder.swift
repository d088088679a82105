import MediaCore

/// Converts each frame to the planes that an interframe encoder takes: what then waits to be written is
/// the writer's memory, and the device has its buffer back.
final class PlanarFrameEncoder: FrameEncoder {
  private let layout: PlanarLayout
  private var unpacking = PlanarUnpacking()
  private var planar: MutablePixelBuffer
  private var converter: LayoutConverter?

  init(_ layout: PlanarLayout, color: ColorDescription) throws(AssetWriterError) {
    self.layout = layout
    do throws(MediaCoreError) {
      planar = try MutablePixelBuffer(
        PixelBuffer.Description(
          format: .yuv422p10, width: layout.width, height: layout.height, color: color))
    } catch {
      throw AssetWriterError(.outOfResources, error.message)
    }
  }

  /// Layouts that libswscale reads as they are, so that their chroma is not brought to 4:2:2 and back
  /// where it sits as the movie says.
  private static let direct: Set<PixelFormat> = [.nv12, .yuv420p8, .yuv420p10, .p010]

  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    let isDirect =
      Self.direct.contains(image.format) && image.details.color.range == .video
      && image.details.chromaSiting == .left
    if !isDirect { try unpacking.unpack(image, into: &planar) }
    let converter = try converter(from: isDirect ? image.format : planar.format)
    try frame.fill(capacity: layout.byteCount) { room throws(AssetWriterError) in
      if isDirect {
        try withExtendedLifetime(image) { () throws(AssetWriterError) in
          try converter.convert(planes(of: image), into: room)
        }
      } else {
        try planar.withPlanes { planes throws(AssetWriterError) in
          try converter.convert(
            (0..<3).map { (UnsafeRawPointer(planes.row(0, ofPlane: $0)), planes.bytesPerRow($0)) },
            into: room)
        }
      }
      return layout.byteCount
    }
  }

  /// The addresses of a frame's planes, valid as long as the frame exists.
  private func planes(of frame: PixelBuffer) -> [LayoutConverter.Plane] {
    (0..<frame.planeCount).compactMap { index in
      let base = frame.withUnsafeBytes(ofPlane: index) { $0.baseAddress }
      return base.map { ($0, frame.bytesPerRow(plane: index)) }
    }
  }

  private func converter(from format: PixelFormat) throws(AssetWriterError) -> LayoutConverter {
    if let converter, converter.source == format { return converter }
    let made = try LayoutConverter(from: format, to: layout)
    converter = made
    return made
  }
}

extension PlanarFrameEncoder {
  /// Threads that convert: the encoder, which the writing thread feeds, has threads of its own.
  private static let workerCount = 2

  /// Converters on threads of their own.
  ///
  /// - Parameter name: The encoder's, for reports.
  static func pipeline(
    _ name: String, _ layout: PlanarLayout, color: ColorDescription, _ threads: ThreadOptions
  ) -> any VideoEncoder {
    EncoderPipeline(
      name: "libavcodec \(name)", workerCount: min(workerCount, max(Processors.count, 1)),
      threadOptions: threads
    ) { () throws(AssetWriterError) in
      try PlanarFrameEncoder(layout, color: color)
    }
  }
}
