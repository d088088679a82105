import CMonitorKernels
import MediaCore

/// Means of two or four samples of a row, directly from the layouts that cameras and capture cards
/// use most, without unpacking rows.
struct RowMeans: Sendable, Hashable {
  /// The memory layout of a row.
  private enum Layout: Hashable {
    case v210
    case p210
    case packed8(isLumaFirst: Bool)
  }

  /// The first plane of a frame, and the plane with chroma, which may be the same.
  struct Rows {
    let luma: UnsafeRawBufferPointer
    let chroma: UnsafeRawBufferPointer
    let bytesPerRow: Int
    let chromaBytesPerRow: Int
  }

  /// The number of samples averaged along the row: 2 or 4.
  let factor: Int
  /// The number of luma samples in a row of the result.
  let width: Int
  private let layout: Layout

  /// Nil for unsupported sources and sizes.
  init?(_ source: PixelBuffer.Description, into width: Int) {
    guard source.color.range == .video, width % 2 == 0 else { return nil }
    switch source.format {
    case .v210 where width % 24 == 0: layout = .v210
    case .p210: layout = .p210
    case .yuyv: layout = .packed8(isLumaFirst: true)
    case .uyvy: layout = .packed8(isLumaFirst: false)
    default: return nil
    }
    switch source.width {
    case 2 * width: factor = 2
    case 4 * width: factor = 4
    default: return nil
    }
    self.width = width
  }

  /// Provides the rows of a frame that has the source's format.
  func withRows(of frame: PixelBuffer, _ body: (Rows) -> Void) {
    let place = layout == .p210 ? 1 : 0
    frame.withUnsafeBytes(ofPlane: 0) { luma in
      frame.withUnsafeBytes(ofPlane: place) { chroma in
        body(
          Rows(
            luma: luma, chroma: chroma, bytesPerRow: frame.bytesPerRow(plane: 0),
            chromaBytesPerRow: frame.bytesPerRow(plane: place)))
      }
    }
  }

  /// The means of two rows, limited to the codes that SDI allows for video.
  ///
  /// - Parameters:
  ///   - first: The number of a row.
  ///   - second: The number of another row, or the same to use only one.
  ///   - rowsToNext: The distance in rows to the next call's rows, whose start is prefetched; 0 for
  ///     none.
  ///   - luma: Memory for ``width`` codes; `cb` and `cr` for half as many.
  func take(
    _ rows: Rows, _ first: Int, _ second: Int, rowsToNext: Int = 0,
    luma: UnsafeMutablePointer<UInt16>, cb: UnsafeMutablePointer<UInt16>,
    cr: UnsafeMutablePointer<UInt16>
  ) {
    func start(_ plane: UnsafeRawBufferPointer, _ bytesPerRow: Int, _ row: Int)
      -> UnsafePointer<UInt8>?
    {
      plane.baseAddress?.advanced(by: row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
    guard let one = start(rows.luma, rows.bytesPerRow, first),
      let other = start(rows.luma, rows.bytesPerRow, second),
      let chroma = start(rows.chroma, rows.chromaBytesPerRow, first),
      let otherChroma = start(rows.chroma, rows.chromaBytesPerRow, second)
    else { return }
    let (step, next) = (Int32(factor), rowsToNext * rows.bytesPerRow)
    switch layout {
    case .v210: monitor_v210_means(one, other, next, factor * width / 6, step, luma, cb, cr)
    case .p210:
      monitor_p210_means(
        one, other, next, chroma, otherChroma, rowsToNext * rows.chromaBytesPerRow, width, step,
        luma, cb, cr)
    case .packed8(isLumaFirst: true):
      monitor_yuyv_means(one, other, next, width, step, luma, cb, cr)
    case .packed8(isLumaFirst: false):
      monitor_uyvy_means(one, other, next, width, step, luma, cb, cr)
    }
  }
}
