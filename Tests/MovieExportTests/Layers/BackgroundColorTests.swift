import AssetReader
import MediaCore
import Testing

@testable import MovieExport

/// Codes of the background where layers do not cover a frame.
@Suite struct BackgroundColorTests {
  private let white = BackgroundColor(red: 255, green: 255, blue: 255)

  private func color(_ matrix: ColorDescription.Matrix) -> ColorDescription {
    var color = ColorDescription.bt709
    color.matrix = matrix
    return color
  }

  @Test(arguments: [(PixelFormat.yuv422p10, 4), (.yuv444p12, 16)] as [(PixelFormat, UInt16)])
  func black_and_white_have_video_range_codes(format: PixelFormat, unit: UInt16) throws {
    for matrix in [ColorDescription.Matrix.bt709, .smpte170M, .bt2020] {
      let black = try BackgroundColor.black.codes(in: format, color(matrix))
      #expect(black == [16 * unit, 128 * unit, 128 * unit])
      #expect(try white.codes(in: format, color(matrix)) == [235 * unit, 128 * unit, 128 * unit])
    }
  }

  /// With constant luminance, no matrix computes luma from RGB.
  @Test func constant_luminance_supports_only_a_black_background() throws {
    let constant = color(.bt2020ConstantLuminance)
    #expect(try BackgroundColor.black.codes(in: .yuv422p10, constant) == [64, 512, 512])
    let error = #expect(throws: AssetReaderError.self) {
      try white.codes(in: .yuv422p10, constant)
    }
    #expect(error?.code == .unsupported && error?.message.contains("background") == true)
  }
}
