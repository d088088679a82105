import CMonitorKernels
import MediaCore

/// Means of two or four samples of a row of v210, straight from its words: no row is unpacked.
struct V210Decimation: Sendable, Hashable {
  /// Samples of a mean along the row: 2 or 4.
  let factor: Int
  /// Six pixels each, that a row has.
  let blocks: Int

  /// Nil for a source or a size that this is not made for.
  init?(_ source: PixelBuffer.Description, into width: Int) {
    guard source.format == .v210, source.color.range == .video, width % 24 == 0 else {
      return nil
    }
    switch source.width {
    case 2 * width: factor = 2
    case 4 * width: factor = 4
    default: return nil
    }
    blocks = source.width / 6
  }

  /// The means of two rows, within the codes that SDI leaves to pictures.
  ///
  /// - Parameters:
  ///   - first: A row of ``blocks``.
  ///   - second: Another one, or the same for one row.
  func means(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, luma: UnsafeMutablePointer<UInt16>,
    cb: UnsafeMutablePointer<UInt16>, cr: UnsafeMutablePointer<UInt16>
  ) {
    monitor_v210_means(
      first.assumingMemoryBound(to: UInt8.self), second.assumingMemoryBound(to: UInt8.self),
      blocks, Int32(factor), luma, cb, cr)
  }
}
