import CFFmpeg
package import MediaCore
import Synchronization

/// Converts a device's frames to another pixel format with libswscale, one at a time, using the matrix of
/// their own color.
///
/// Unchecked: what is kept between frames is used only under a lock.
package final class FrameConverter: @unchecked Sendable {
  private let lock = Mutex(())
  private var present: Setup?

  package init() {}

  /// What depends on source and target format, but not on a frame's contents.
  private final class Setup {
    let source: PixelBuffer.Description
    let wanted: FrameConversion
    /// The size that comes out.
    let size: VideoDimensions
    /// For layouts that libswscale does not read, and for red, green and blue that become luma and chroma.
    let unpacker: FrameUnpacker?
    let scaler: UnsafeMutableRawPointer
    /// Two for interlaced frames whose chroma rows are halved: each field is converted by itself.
    let fields: Int

    init?(
      _ source: PixelBuffer.Description, _ wanted: FrameConversion, _ size: VideoDimensions
    ) {
      self.source = source
      self.wanted = wanted
      self.size = size
      let isScaled = size != VideoDimensions(width: source.width, height: source.height)
      var read = source
      let isRGB = wanted.format.descriptor.subsampling == .rgb
      // RGB that is only scaled keeps its format; its alpha is ignored.
      let staysRGB = isRGB && isScaled
      if source.format.descriptor.libavName == nil
        || source.format.descriptor.subsampling == .rgb && !staysRGB
      {
        unpacker = try? FrameUnpacker(from: source, to: .yuv422p10)
        guard let unpacker else { return nil }
        read = unpacker.destination
      } else {
        unpacker = nil
      }
      let mixesRows = wanted.format.descriptor.subsampling == .yuv420 || isScaled
      let isEven = source.height % 4 == 0 && size.height % 4 == 0
      fields = mixesRows && source.fieldOrder.isInterlaced && isEven ? 2 : 1
      let sourceIsFull: Int32 = read.color.range == .full ? 1 : 0
      let targetIsFull: Int32 = wanted.range == .full ? 1 : 0
      guard let from = read.format.descriptor.libavName,
        let to = wanted.format.descriptor.libavName,
        let scaler = isScaled
          ? cffmpeg_picture_scaler(
            Int32(source.width), Int32(source.height / fields), av_get_pix_fmt(from), sourceIsFull,
            Int32(size.width), Int32(size.height / fields), av_get_pix_fmt(to), targetIsFull,
            isRGB ? 1 : 0)
          : cffmpeg_layout_converter(
            Int32(source.width), Int32(source.height / fields), av_get_pix_fmt(from),
            sourceIsFull, av_get_pix_fmt(to), targetIsFull, isRGB ? 1 : 0)
      else { return nil }
      self.scaler = scaler
      let matrix = read.color.resolved(forHeight: source.height).matrix
      guard let coefficients = sws_getCoefficients(Int32(matrix.rawValue)) else { return nil }
      cffmpeg_scaler_set_colors(scaler, coefficients, sourceIsFull, targetIsFull)
    }

    deinit { cffmpeg_scaler_free(scaler) }
  }

  /// The converted frame; nil if there is no conversion or no memory.
  ///
  /// - Parameter size: The size to scale to; nil for the frame's own.
  package func convert(
    _ frame: PixelBuffer, to wanted: FrameConversion, size: VideoDimensions? = nil
  ) -> PixelBuffer? {
    let own = VideoDimensions(width: frame.width, height: frame.height)
    let size = size ?? own
    if wanted.isMet(by: frame), size == own { return frame }
    return lock.withLock { _ in
      if present?.source != frame.details || present?.wanted != wanted || present?.size != size {
        present = Setup(frame.details, wanted, size)
      }
      return present.flatMap { run($0, frame) }
    }
  }

  private func run(_ setup: Setup, _ frame: PixelBuffer) -> PixelBuffer? {
    var details = frame.details
    details.format = setup.wanted.format
    details.color.range = setup.wanted.range
    (details.width, details.height) = (setup.size.width, setup.size.height)
    guard var result = try? MutablePixelBuffer(details) else { return nil }
    var source = frame
    if let unpacker = setup.unpacker {
      guard let unpacked = try? unpacker.unpacked(frame) else { return nil }
      source = unpacked
    }
    var isWhole = true
    result.withPlanes { planes in
      for field in 0..<setup.fields where isWhole {
        isWhole = run(setup, field: field, source, planes)
      }
    }
    return isWhole ? result.finish() : nil
  }

  private func run(
    _ setup: Setup, field: Int, _ source: PixelBuffer, _ planes: MutablePixelBuffer.Planes
  ) -> Bool {
    var sources: [UnsafePointer<UInt8>?] = [nil, nil, nil, nil]
    var targets: [UnsafeMutablePointer<UInt8>?] = [nil, nil, nil, nil]
    var (steps, targetSteps): ([Int32], [Int32]) = ([0, 0, 0, 0], [0, 0, 0, 0])
    return withExtendedLifetime(source) {
      // The addresses are valid as long as the frame exists.
      for plane in 0..<min(source.planeCount, 4) {
        let step = source.bytesPerRow(plane: plane)
        let base = source.withUnsafeBytes(ofPlane: plane) { $0.baseAddress }
        sources[plane] = (base.map { $0 + field * step })?.assumingMemoryBound(to: UInt8.self)
        steps[plane] = Int32(clamping: step * setup.fields)
      }
      for plane in 0..<setup.wanted.format.planeCount {
        targets[plane] = planes.row(field, ofPlane: plane).assumingMemoryBound(to: UInt8.self)
        targetSteps[plane] = Int32(clamping: planes.bytesPerRow(plane) * setup.fields)
      }
      return cffmpeg_scaler_run(
        setup.scaler, sources, steps, Int32(setup.source.height / setup.fields), targets,
        targetSteps) > 0
    }
  }
}
