/// How the samples of a frame or image lie in memory.
///
/// The cases carry the layout alone. Range and color are properties of the buffer, although
/// Apple's names fold the range in: see ``appleName(range:)``.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
  // 10 to 16 bits, 4:2:2
  /// Packed 10-bit 4:2:2: six pixels in four little-endian words of three samples; rows padded to
  /// 128 bytes.
  case v210
  /// Packed Y Cb Y Cr in 16-bit words, 10 bits at the top.
  case y210
  /// Packed Y Cb Y Cr in 16-bit words, 12 bits at the top.
  case y212
  /// Packed Y Cb Y Cr in 16-bit words.
  case y216
  /// Luma plane and interleaved chroma plane, 16-bit words, 10 bits at the top; 4:2:2.
  case p210
  /// Luma plane and interleaved chroma plane, 16-bit words; 4:2:2.
  case p216
  /// Luma plane and interleaved chroma plane, four 10-bit samples in five bytes; 4:2:2.
  case nv20

  // 4:2:0 above 8 bits
  /// Luma plane and interleaved chroma plane, 16-bit words, 10 bits at the top; 4:2:0.
  case p010
  /// Luma plane and interleaved chroma plane, 16-bit words; 4:2:0.
  case p016

  // 8 bits
  /// Packed Cb Y Cr Y.
  case uyvy
  /// Packed Y Cb Y Cr.
  case yuyv
  /// Luma plane and interleaved Cb Cr plane; 4:2:2.
  case nv16
  /// Luma plane and interleaved Cb Cr plane; 4:2:0.
  case nv12
  /// Blue, green, red, a byte each.
  case bgr24
  /// Blue, green, red and a byte that holds nothing, or alpha that is not looked at.
  case bgrx32
  /// A byte that holds nothing, or alpha that is not looked at, then red, green, blue.
  case xrgb32

  // Planar: Y, Cb, Cr (and A), words little-endian with the value at the bottom
  /// Planar 4:2:2, 8 bits.
  case yuv422p8
  /// Planar 4:2:2, 10 bits in 16.
  case yuv422p10
  /// Planar 4:2:2, 12 bits in 16.
  case yuv422p12
  /// Planar 4:2:2, 16 bits.
  case yuv422p16
  /// Planar 4:2:0, 8 bits.
  case yuv420p8
  /// Planar 4:2:0, 10 bits in 16.
  case yuv420p10
  /// Planar 4:2:0, 12 bits in 16.
  case yuv420p12
  /// Planar 4:4:4, 8 bits.
  case yuv444p8
  /// Planar 4:4:4, 10 bits in 16.
  case yuv444p10
  /// Planar 4:4:4, 12 bits in 16.
  case yuv444p12
  /// Planar 4:4:4, 16 bits.
  case yuv444p16
  /// Planar 4:4:4 and alpha, 8 bits.
  case yuva444p8
  /// Planar 4:4:4 and alpha, 10 bits in 16.
  case yuva444p10
  /// Planar 4:4:4 and alpha, 12 bits in 16.
  case yuva444p12
  /// Planar 4:4:4 and alpha, 16 bits.
  case yuva444p16

  // Sensor mosaics: one sample a pixel, words little-endian
  /// Bayer mosaic beginning with red, green; 8 bits, a byte each.
  case rggb8
  /// Bayer mosaic beginning with green, red; 8 bits, a byte each.
  case grbg8
  /// Bayer mosaic beginning with green, blue; 8 bits, a byte each.
  case gbrg8
  /// Bayer mosaic beginning with blue, green; 8 bits, a byte each.
  case bggr8
  /// Bayer mosaic beginning with red, green; 10 bits in 16, the value at the bottom.
  case rggb10
  /// Bayer mosaic beginning with green, red; 10 bits in 16, the value at the bottom.
  case grbg10
  /// Bayer mosaic beginning with green, blue; 10 bits in 16, the value at the bottom.
  case gbrg10
  /// Bayer mosaic beginning with blue, green; 10 bits in 16, the value at the bottom.
  case bggr10
  /// Bayer mosaic beginning with red, green; 10 bits, packed as MIPI CSI-2 has them: four in five bytes.
  case rggb10p
  /// Bayer mosaic beginning with green, red; 10 bits, packed as MIPI CSI-2 has them: four in five bytes.
  case grbg10p
  /// Bayer mosaic beginning with green, blue; 10 bits, packed as MIPI CSI-2 has them: four in five bytes.
  case gbrg10p
  /// Bayer mosaic beginning with blue, green; 10 bits, packed as MIPI CSI-2 has them: four in five bytes.
  case bggr10p
  /// Bayer mosaic beginning with red, green; 12 bits in 16, the value at the bottom.
  case rggb12
  /// Bayer mosaic beginning with green, red; 12 bits in 16, the value at the bottom.
  case grbg12
  /// Bayer mosaic beginning with green, blue; 12 bits in 16, the value at the bottom.
  case gbrg12
  /// Bayer mosaic beginning with blue, green; 12 bits in 16, the value at the bottom.
  case bggr12
  /// Bayer mosaic beginning with red, green; 12 bits, packed as MIPI CSI-2 has them: two in three bytes.
  case rggb12p
  /// Bayer mosaic beginning with green, red; 12 bits, packed as MIPI CSI-2 has them: two in three bytes.
  case grbg12p
  /// Bayer mosaic beginning with green, blue; 12 bits, packed as MIPI CSI-2 has them: two in three bytes.
  case gbrg12p
  /// Bayer mosaic beginning with blue, green; 12 bits, packed as MIPI CSI-2 has them: two in three bytes.
  case bggr12p
  /// Bayer mosaic beginning with red, green; 14 bits in 16, the value at the bottom.
  case rggb14
  /// Bayer mosaic beginning with green, red; 14 bits in 16, the value at the bottom.
  case grbg14
  /// Bayer mosaic beginning with green, blue; 14 bits in 16, the value at the bottom.
  case gbrg14
  /// Bayer mosaic beginning with blue, green; 14 bits in 16, the value at the bottom.
  case bggr14
  /// Bayer mosaic beginning with red, green; 14 bits, packed as MIPI CSI-2 has them: four in seven bytes.
  case rggb14p
  /// Bayer mosaic beginning with green, red; 14 bits, packed as MIPI CSI-2 has them: four in seven bytes.
  case grbg14p
  /// Bayer mosaic beginning with green, blue; 14 bits, packed as MIPI CSI-2 has them: four in seven bytes.
  case gbrg14p
  /// Bayer mosaic beginning with blue, green; 14 bits, packed as MIPI CSI-2 has them: four in seven bytes.
  case bggr14p
  /// Bayer mosaic beginning with red, green; 16 bits.
  case rggb16
  /// Bayer mosaic beginning with green, red; 16 bits.
  case grbg16
  /// Bayer mosaic beginning with green, blue; 16 bits.
  case gbrg16
  /// Bayer mosaic beginning with blue, green; 16 bits.
  case bggr16
}

extension PixelFormat: CustomStringConvertible {
  /// The usual name of the format.
  public var description: String { descriptor.name }
}
