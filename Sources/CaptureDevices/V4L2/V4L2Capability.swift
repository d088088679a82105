import CVideo4Linux
import MediaCore
import SystemPackage

/// What a node says of itself.
struct V4L2Capability: Sendable, Hashable {
  /// The kernel driver: `uvcvideo`.
  let driver: String
  /// The device's name for people.
  let card: String
  /// Where it is attached: `usb-0000:00:14.0-2`.
  let busInfo: String
  /// What this node can do, of all that the device can.
  let flags: UInt32

  init(_ handle: V4L2Handle) throws(CaptureError) {
    var raw = v4l2_capability()
    do {
      try handle.call(.queryCapability, &raw)
    } catch .inappropriateIOCTLForDevice, .invalidArgument {
      throw CaptureError(
        .deviceNotFound,
        "\(handle.node) is not a video device; choose another device")
    } catch {
      throw CaptureError.calling(.queryCapability, on: handle.node, error)
    }
    self.driver = String(v4l2Bytes: raw.driver)
    self.card = String(v4l2Bytes: raw.card)
    self.busInfo = String(v4l2Bytes: raw.bus_info)
    self.flags =
      raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? raw.device_caps : raw.capabilities
  }

  private func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }

  /// True if frames have planes in memory blocks of their own.
  var isMultiPlanar: Bool {
    has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && !has(V4L2_CAP_VIDEO_CAPTURE)
  }
  /// True if the node delivers video. A memory-to-memory codec does not count.
  var isCapture: Bool { has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) }
  /// True where it has a queue of buffers.
  var isStreaming: Bool { has(V4L2_CAP_STREAMING) }

  /// The kind of its buffers.
  var bufferType: v4l2_buf_type {
    isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
  }
}

extension String {
  /// The text of a fixed array of bytes in one of the kernel's structures, up to its first zero.
  init<Bytes>(v4l2Bytes bytes: Bytes) {
    self = withUnsafeBytes(of: bytes) { String(v4l2Bytes: $0) }
  }

  /// The text of some bytes, up to the first zero.
  init(v4l2Bytes bytes: UnsafeRawBufferPointer) {
    self = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
