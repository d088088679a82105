import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage

/// What libv4l2 makes of formats that the pipeline does not read itself.
struct V4L2Emulation: Hashable, Sendable {
  /// The layout that it makes: planar 4:2:0, or BGR for what is not luma and chroma.
  let format: PixelFormat
  /// The range and matrix of the result.
  let color: ColorDescription

  /// The emulation of a code; nil where libv4l2 has none. Of the codes that libv4lconvert reads,
  /// these are those of present devices.
  init?(_ code: FourCharCode, color: ColorDescription) {
    switch code {
    case "MJPG", "JPEG", "PJPG", "JPGL":
      // JFIF: BT.601's matrix at full range, whatever the driver says of its color space.
      self.format = .yuv420p8
      var jfif = color.with(range: .full)
      jfif.matrix = .smpte170M
      self.color = jfif
    case "YVYU", "M420", "HM12":
      self.format = .yuv420p8
      self.color = color
    case "RGB3", "RGBP", "BA81", "GBRG", "GRBG", "RGGB", "GREY":
      self.format = .bgr24
      var rgb = color.with(range: .full)
      rgb.matrix = .identity
      self.color = rgb
    default:
      return nil
    }
  }

  /// The result's fourcc in V4L2's order.
  var code: UInt32 { format == .bgr24 ? CV4L2_PIX_FMT_BGR24 : CV4L2_PIX_FMT_YUV420 }
}

/// Converts a device's compressed or odd frames to our layouts. Used by one thread at a time.
protocol V4L2Converter: AnyObject {
  /// Converts one frame; false if it is too damaged for that.
  func convert(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) -> Bool
}

/// libv4lconvert, the part of libv4l2 that converts.
final class LibV4LConverter: V4L2Converter {
  private let context: OpaquePointer
  private let handle: V4L2Handle
  private var source: v4l2_format
  private var destination: v4l2_format

  /// A converter between the format that the device agreed to and its emulation.
  init(
    _ handle: V4L2Handle, agreed: V4L2FrameFormat, emulation: V4L2Emulation
  ) throws(CaptureError) {
    guard let context = v4lconvert_create(handle.descriptor) else {
      throw CaptureError(
        .formatUnavailable,
        "libv4l2 cannot convert \(agreed.fourCC) of \(handle.node): choose an uncompressed format")
    }
    self.context = context
    self.handle = handle
    self.source = agreed.structure
    var target = agreed
    target.code = emulation.code
    let row = emulation.format.minimumBytesPerRow(plane: 0, width: agreed.width)
    target.blocks = [
      .init(
        bytesPerLine: row,
        size: emulation.format.byteCount(width: agreed.width, height: agreed.height))
    ]
    self.destination = target.structure
  }

  deinit { v4lconvert_destroy(context) }

  func convert(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let from = source.baseAddress, let to = destination.baseAddress else { return false }
    // The library takes its source as mutable but reads it only.
    let bytes = UnsafeMutableRawPointer(mutating: from).assumingMemoryBound(to: UInt8.self)
    let made = v4lconvert_convert(
      context, &self.source, &self.destination, bytes, Int32(clamping: source.count),
      to.assumingMemoryBound(to: UInt8.self), Int32(clamping: destination.count))
    return made >= 0
  }
}

/// Memory for converted frames, rows without padding, as libv4lconvert writes them.
final class V4L2ConversionPool: Sendable {
  private let details: PixelBuffer.Description
  private let blocks: Blocks

  private final class Blocks: Sendable {
    // Addresses of unused memory; taking one out transfers ownership.
    private let free = Mutex<[UInt]>([])
    func take() -> UnsafeMutableRawPointer? {
      free.withLock { $0.popLast() }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    }
    func put(_ address: UnsafeMutableRawPointer) {
      free.withLock { $0.append(UInt(bitPattern: address)) }
    }
    deinit {
      free.withLock {
        for address in $0 { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
      }
    }
  }

  init(_ details: PixelBuffer.Description, capacity: Int) {
    self.details = details
    self.blocks = Blocks()
    // Readers load whole vectors: up to 64 bytes beyond the last row.
    let size = details.format.byteCount(width: details.width, height: details.height) + 64
    for _ in 0..<capacity {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      blocks.put(memory)
    }
  }

  /// A frame filled by `fill`; nil if the pool is empty or `fill` returns false.
  enum Outcome {
    case frame(PixelBuffer)
    case exhausted
    case unusable
  }

  func make(_ fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Outcome {
    guard let memory = blocks.take() else { return .exhausted }
    let size = details.format.byteCount(width: details.width, height: details.height)
    guard fill(UnsafeMutableRawBufferPointer(start: memory, count: size)) else {
      blocks.put(memory)
      return .unusable
    }
    var planes: [PixelBuffer.Plane] = []
    var offset = 0
    for plane in 0..<details.format.planeCount {
      let row = details.format.minimumBytesPerRow(plane: plane, width: details.width)
      let rows = details.format.rows(plane: plane, height: details.height)
      planes.append(.init(baseAddress: memory + offset, bytesPerRow: row, rows: rows))
      offset += row * rows
    }
    let address = UInt(bitPattern: memory)
    let release: @Sendable () -> Void = { [blocks] in
      if let memory = UnsafeMutableRawPointer(bitPattern: address) { blocks.put(memory) }
    }
    guard let frame = try? PixelBuffer(details, planes: planes, release: release) else {
      blocks.put(memory)
      return .unusable
    }
    return .frame(frame)
  }
}
