/// How the samples of a picture lie in memory.
///
/// The cases carry the layout alone. Range and colour are properties of the buffer, although
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
}

extension PixelFormat: CustomStringConvertible {
  /// The usual name of the format.
  public var description: String { descriptor.name }
}
