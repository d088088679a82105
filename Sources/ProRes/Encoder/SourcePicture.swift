import CProResKernels
import MediaCore

/// A pixel buffer as the kernels read it: where rows begin and how samples lie.
enum SourcePicture {
  /// How the kernels name a format, or nil where they cannot read it.
  static func layout(of format: PixelFormat) -> prores_layout? {
    let table = format.descriptor
    let isWide = table.bitDepth > 8
    return switch table.packing {
    case .planar: isWide ? PRORES_LAYOUT_PLANAR_16 : PRORES_LAYOUT_PLANAR_8
    case .biplanar: isWide ? PRORES_LAYOUT_BIPLANAR_16 : PRORES_LAYOUT_BIPLANAR_8
    case .biplanarPacked10: PRORES_LAYOUT_BIPLANAR_10_PACKED
    case .packedYCbYCr: isWide ? PRORES_LAYOUT_YUYV_16 : PRORES_LAYOUT_YUYV_8
    case .packedCbYCrY: PRORES_LAYOUT_UYVY_8
    case .v210: PRORES_LAYOUT_V210
    case .packedBGR, .packedBGRX, .packedXRGB, .mosaic, .mosaicPacked: nil
    }
  }

  /// Calls `body` with a picture of the frame; pointers are valid during the call only.
  static func withPicture<Result>(
    _ buffer: PixelBuffer, _ layout: prores_layout, _ body: (prores_picture) -> Result
  ) -> Result {
    let table = buffer.format.descriptor
    var picture = prores_picture()
    picture.layout = layout
    picture.depth = Int32(table.bitDepth)
    picture.shift = Int32(table.bitDepth == 16 ? 16 : table.shift)
    picture.full_chroma = table.subsampling == .yuv444 ? 1 : 0
    picture.chroma_rows =
      table.subsampling == .yuv420 ? PRORES_CHROMA_ROWS_FRAME : PRORES_CHROMA_ROWS_ALL
    picture.full_range = buffer.color.range == .full ? 1 : 0
    picture.width = Int32(buffer.width)
    picture.height = Int32(buffer.height)
    picture.chroma_height = Int32(buffer.format.rows(plane: 1, height: buffer.height))
    return withPlane(buffer, 0, &picture, body)
  }

  /// Adds plane after plane, so that all of them are held while `body` runs.
  private static func withPlane<Result>(
    _ buffer: PixelBuffer, _ index: Int, _ picture: inout prores_picture,
    _ body: (prores_picture) -> Result
  ) -> Result {
    guard index < buffer.planeCount else { return body(picture) }
    return buffer.withUnsafeBytes(ofPlane: index) { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let stride = buffer.bytesPerRow(plane: index)
      switch index {
      case 0: (picture.planes.0, picture.strides.0) = (start, stride)
      case 1: (picture.planes.1, picture.strides.1) = (start, stride)
      case 2: (picture.planes.2, picture.strides.2) = (start, stride)
      default: (picture.planes.3, picture.strides.3) = (start, stride)
      }
      return withPlane(buffer, index + 1, &picture, body)
    }
  }
}

extension prores_picture {
  /// The rows of one field: every second one from `first`, 0 for the top field and 1 for the bottom
  /// one, whichever is coded first.
  func field(firstRow first: Int, height: Int) -> prores_picture {
    var field = self
    field.planes.0 = planes.0.map { $0 + first * strides.0 }
    field.planes.1 = planes.1.map { $0 + first * strides.1 }
    field.planes.2 = planes.2.map { $0 + first * strides.2 }
    field.planes.3 = planes.3.map { $0 + first * strides.3 }
    field.strides = (strides.0 * 2, strides.1 * 2, strides.2 * 2, strides.3 * 2)
    field.height = Int32(height)
    field.chroma_height = (chroma_height + 1 - Int32(first)) / 2
    if chroma_rows == PRORES_CHROMA_ROWS_FRAME {
      field.chroma_rows =
        first == 0 ? PRORES_CHROMA_ROWS_TOP_FIELD : PRORES_CHROMA_ROWS_BOTTOM_FIELD
    }
    return field
  }
}
