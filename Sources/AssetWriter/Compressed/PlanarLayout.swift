import CFFmpeg
import MediaCore

/// Where the planes of a 4:2:0 image lie in a frame's memory.
struct PlanarLayout: Hashable, Sendable {
  /// A plane's place.
  struct Plane: Hashable, Sendable {
    var offset: Int
    var bytesPerRow: Int
    var rows: Int
  }

  let format: PixelFormat
  let width: Int
  let height: Int
  let planes: [Plane]
  let byteCount: Int

  /// Planes and rows begin at multiples of 64 bytes.
  init(_ format: PixelFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
    var (planes, end): ([Plane], Int) = ([], 0)
    for index in 0..<format.planeCount {
      let least = format.minimumBytesPerRow(plane: index, width: width)
      let plane = Plane(
        offset: end, bytesPerRow: (least + 63) / 64 * 64,
        rows: format.rows(plane: index, height: height))
      end += plane.bytesPerRow * plane.rows
      planes.append(plane)
    }
    self.planes = planes
    // Vectorized readers may look past the last row.
    byteCount = end + 64
  }

  var libavFormat: AVPixelFormat { Self.libavFormat(of: format) }

  /// libav's number of a layout of ours; that of no layout where it has none.
  static func libavFormat(of format: PixelFormat) -> AVPixelFormat {
    format.descriptor.libavName.map { av_get_pix_fmt($0) } ?? AV_PIX_FMT_NONE
  }
}
