import CFFmpeg
import MediaCore

/// Owns the `AVFrame` that a context reads, and fills it from frames in any layout.
final class LibavInputFrame {
  let frame: UnsafeMutablePointer<AVFrame>
  private var planar: MutablePixelBuffer
  private var unpacking = PlanarUnpacking()

  init(_ configuration: VideoEncoderConfiguration) throws(AssetWriterError) {
    do throws(MediaCoreError) {
      planar = try MutablePixelBuffer(
        PixelBuffer.Description(
          format: configuration.planarFormat, width: configuration.dimensions.width,
          height: configuration.dimensions.height, color: configuration.color,
          fieldOrder: configuration.fieldOrder))
    } catch {
      throw AssetWriterError(.outOfResources, error.message)
    }
    guard let frame = av_frame_alloc() else { throw LibavLibrary.outOfMemory }
    self.frame = frame
    frame.pointee.width = Int32(configuration.dimensions.width)
    frame.pointee.height = Int32(configuration.dimensions.height)
    frame.pointee.format = configuration.libavPixelFormat.rawValue
    frame.pointee.color_range = AVCOL_RANGE_MPEG
    // The encoders take the header's color from the frame, not from their context.
    frame.pointee.color_primaries = configuration.color.libavPrimaries
    frame.pointee.color_trc = configuration.color.libavTransfer
    frame.pointee.colorspace = configuration.color.libavMatrix
    cffmpeg_set_fields(
      frame, configuration.fieldOrder.isInterlaced ? 1 : 0,
      configuration.fieldOrder == .topFieldFirst ? 1 : 0)
    try attachPlanes()
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&owned)
  }

  /// Lets the frame refer to the memory of `planar`, which lives as long as this object. A context
  /// without threads holds no reference once it has returned the packet.
  private func attachPlanes() throws(AssetWriterError) {
    for plane in 0..<planar.planeCount {
      let stride = Int32(planar.bytesPerRow(plane: plane))
      let buffer = planar.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let address = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // A size is an int before FFmpeg 5.
        return av_buffer_create(address, numericCast(bytes.count), { _, _ in }, nil, 0)
      }
      guard let buffer else { throw LibavLibrary.outOfMemory }
      withUnsafeMutableBytes(of: &frame.pointee.buf) {
        $0.storeBytes(of: buffer, toByteOffset: plane * 8, as: UnsafeMutableRawPointer.self)
      }
      withUnsafeMutableBytes(of: &frame.pointee.data) {
        $0.storeBytes(
          of: UnsafeMutableRawPointer(buffer.pointee.data), toByteOffset: plane * 8,
          as: UnsafeMutableRawPointer?.self)
      }
      withUnsafeMutableBytes(of: &frame.pointee.linesize) {
        $0.storeBytes(of: stride, toByteOffset: plane * 4, as: Int32.self)
      }
    }
    frame.pointee.extended_data = UnsafeMutableRawPointer(frame)
      .advanced(by: MemoryLayout<AVFrame>.offset(of: \AVFrame.data) ?? 0)
      .assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
  }

  /// Unpacks a frame into the `AVFrame`'s planes.
  func load(_ frame: PixelBuffer) throws(AssetWriterError) {
    try unpacking.unpack(frame, into: &planar)
  }
}
