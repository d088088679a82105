import CFFmpeg
import MediaCore

/// Converts video-range frames from one layout to another with libswscale: samples are moved and
/// rounded, and chroma is resited; levels stay.
final class LayoutConverter {
  /// The first byte of a frame's plane, and the bytes from row to row.
  typealias Plane = (base: UnsafeRawPointer, bytesPerRow: Int)

  let source: PixelFormat
  private let layout: PlanarLayout
  private let scaler: UnsafeMutableRawPointer

  /// - Throws: ``AssetWriterError/Code/outOfResources``.
  init(from source: PixelFormat, to layout: PlanarLayout) throws(AssetWriterError) {
    guard
      let scaler = cffmpeg_layout_converter(
        Int32(layout.width), Int32(layout.height), PlanarLayout.libavFormat(of: source), 0,
        layout.libavFormat, 0, 0)
    else {
      throw AssetWriterError(
        .outOfResources, "no converter from \(source) to \(layout.format); end other programs")
    }
    self.source = source
    self.layout = layout
    self.scaler = scaler
  }

  deinit { cffmpeg_scaler_free(scaler) }

  /// Fills memory of the layout from a frame.
  func convert(
    _ frame: [Plane], into target: UnsafeMutableRawBufferPointer
  ) throws(AssetWriterError) {
    var (sources, steps): ([UnsafePointer<UInt8>?], [Int32]) = (
      [nil, nil, nil, nil], [0, 0, 0, 0]
    )
    for (index, plane) in frame.prefix(4).enumerated() {
      sources[index] = plane.base.assumingMemoryBound(to: UInt8.self)
      steps[index] = Int32(clamping: plane.bytesPerRow)
    }
    var targets: [UnsafeMutablePointer<UInt8>?] = [nil, nil, nil, nil]
    var targetSteps: [Int32] = [0, 0, 0, 0]
    guard let base = target.baseAddress, target.count >= layout.byteCount else {
      throw AssetWriterError(.outOfResources, "no memory for a frame; end other programs")
    }
    for (index, plane) in layout.planes.enumerated() {
      targets[index] = (base + plane.offset).assumingMemoryBound(to: UInt8.self)
      targetSteps[index] = Int32(clamping: plane.bytesPerRow)
    }
    let rows = cffmpeg_scaler_run(
      scaler, sources, steps, Int32(layout.height), targets, targetSteps)
    guard rows > 0 else {
      throw AssetWriterError(
        .encodingFailed, "libswscale did not convert a frame from \(source) to \(layout.format)")
    }
  }
}
