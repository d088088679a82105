import CFFmpeg
import MediaCore

/// Lends pixel buffers to libav frames, for filters.
struct FrameLender {
  private let name: String
  private var unpacker: FrameUnpacker?
  /// True if the first frame was interlaced, so that a mixed source keeps one layout.
  private var unpacksFields: Bool?

  /// - Parameter name: The source's name, for messages.
  init(name: String) { self.name = name }

  /// The frame in a layout that libav knows. Interlaced 4:2:0 becomes 4:2:2, because filters treat
  /// its chroma rows as those of a progressive frame.
  ///
  /// - Parameter fieldOrder: The field order to use instead of the frame's own.
  mutating func unpacked(
    _ frame: PixelBuffer, _ fieldOrder: FieldOrder
  ) throws(AssetReaderError) -> PixelBuffer {
    let table = frame.format.descriptor
    let unpacksFields = unpacksFields ?? fieldOrder.isInterlaced
    self.unpacksFields = unpacksFields
    let isUnpacked = unpacksFields && table.subsampling == .yuv420
    guard table.libavName == nil || isUnpacked else { return frame }
    var details = frame.details
    details.fieldOrder = fieldOrder
    do throws(MediaCoreError) {
      if unpacker?.source != details {
        unpacker = try FrameUnpacker(from: details, to: .yuv422p10)
      }
      guard let unpacker else { return frame }
      return try unpacker.unpacked(frame)
    } catch {
      throw AssetReaderError(.unsupported, "\(name): \(error.message)")
    }
  }

  /// Makes a libav frame refer to a pixel buffer's memory, which stays valid until libav releases
  /// it.
  ///
  /// - Parameters:
  ///   - frame: A pixel buffer in a layout that libav knows.
  ///   - details: The description to set on the frame.
  func lend(
    _ image: PixelBuffer, _ details: PixelBuffer.Description,
    to frame: UnsafeMutablePointer<AVFrame>
  ) throws(AssetReaderError) {
    let color = details.color.libavValues
    frame.pointee.format = av_get_pix_fmt(image.format.descriptor.libavName).rawValue
    frame.pointee.width = Int32(image.width)
    frame.pointee.height = Int32(image.height)
    frame.pointee.color_primaries = AVColorPrimaries(UInt32(color.primaries))
    frame.pointee.color_trc = AVColorTransferCharacteristic(UInt32(color.transferFunction))
    frame.pointee.colorspace = AVColorSpace(UInt32(color.matrix))
    frame.pointee.color_range = AVColorRange(UInt32(color.range))
    let aspect = details.pixelAspectRatio
    frame.pointee.sample_aspect_ratio = AVRational(num: aspect.horizontal, den: aspect.vertical)
    cffmpeg_set_fields(
      frame, details.fieldOrder.isInterlaced ? 1 : 0, details.fieldOrder == .topFieldFirst ? 1 : 0)
    for plane in 0..<image.planeCount {
      let step = Int32(clamping: image.bytesPerRow(plane: plane))
      let owner = Unmanaged.passRetained(image)
      let result = image.withUnsafeBytes(ofPlane: plane) { bytes in
        // Lent for reading only: a filter that writes makes a copy.
        let memory = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        return cffmpeg_frame_lend(
          frame, Int32(plane), memory?.assumingMemoryBound(to: UInt8.self), step,
          Int64(bytes.count),
          { owner, _ in
            if let owner { Unmanaged<PixelBuffer>.fromOpaque(owner).release() }
          }, owner.toOpaque())
      }
      guard result >= 0 else {
        owner.release()
        throw AssetReaderError(.outOfMemory, "no memory to filter \(name)")
      }
    }
  }
}
