package import MediaCore
import Synchronization

/// A frame that was compressed before, on its way to a track whose settings have a
/// ``VideoOutputSettings/carriedConfiguration``.
package struct CarriedFrame: Sendable {
  /// The frame.
  package var bytes: [UInt8]
  /// True where it is decoded without others.
  package var isSync: Bool

  /// A frame from its parts.
  package init(bytes: [UInt8], isSync: Bool) {
    self.bytes = bytes
    self.isSync = isSync
  }

  /// A pixel buffer that only carries the compressed frame, of the described size and color; its pixels are not read.
  ///
  /// - Throws: ``MediaCoreError`` if memory runs out, and for an invalid size.
  package func frame(_ description: VideoFormatDescription) throws(MediaCoreError) -> PixelBuffer {
    let codec = VideoCodecType(rawValue: description.mediaSubType.description)
    let format: PixelFormat =
      codec.is4444 ? hasAlpha ? .yuva444p10 : .yuv444p10 : .yuv422p10
    let size = description.dimensions
    let details = PixelBuffer.Description(
      format: format, width: size.width, height: size.height, color: description.color,
      fieldOrder: description.fieldOrder, pixelAspectRatio: description.pixelAspectRatio)
    let frame = try MutablePixelBuffer(details).finish()
    let store = AttachmentStore()
    store.contents.withLock { $0.lent = self }
    frame.attachments.withLock { $0 = store }
    return frame
  }

  /// True for a frame of ProRes whose header names an alpha channel (RDD 36, 5.1.1).
  private var hasAlpha: Bool { bytes.count > 25 && bytes[25] & 0xF != 0 }

  /// The compressed frame that a pixel buffer carries; nil for an ordinary one.
  init?(of image: PixelBuffer) {
    let store = image.attachments.withLock { $0 }
    guard let frame = store?.contents.withLock({ $0.lent as? CarriedFrame }) else { return nil }
    self = frame
  }
}

/// Returns the compressed frames that pixel buffers carry.
final class CarriedFrameEncoder: FrameEncoder {
  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    guard let carried = CarriedFrame(of: image) else {
      throw AssetWriterError(
        .formatMismatch,
        "an uncompressed frame does not fit a track of compressed frames")
    }
    try frame.fill(capacity: carried.bytes.count) { room throws(AssetWriterError) in
      guard room.count >= carried.bytes.count else {
        throw AssetWriterError(
          .outOfResources, "no memory for a frame of \(carried.bytes.count) bytes")
      }
      room.copyBytes(from: carried.bytes)
      return carried.bytes.count
    }
    frame.isSync = carried.isSync
  }
}
