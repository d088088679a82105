import CFFmpeg
import MediaCore

extension FrameLayout {
  /// The color of the converted frame, from the color of libav's frame.
  ///
  /// RGB has no matrix. The one for converting it to luma and chroma follows from the primaries;
  /// BT.709 if these are unknown.
  ///
  /// - Parameter range: The range from libav, which may be unspecified. The range of `said` is
  ///   ignored.
  func color(_ said: ColorDescription, range: AVColorRange) -> ColorDescription {
    var color = said
    color.range = self.range(said: range)
    if isRGB {
      color.matrix =
        switch said.primaries {
        case .bt2020: .bt2020
        case .bt470bg, .smpte170M: .smpte170M
        case .smpte240M: .smpte240M
        default: .bt709
        }
    } else if said.matrix == .identity {
      color.matrix = .unspecified
    }
    if becomesVideoRange { color.range = .video }
    return color
  }

  /// Why a matrix is rejected; nil if a ProRes movie can declare it.
  func refusal(ofMatrix matrix: AVColorSpace) -> String? {
    let carried: [AVColorSpace] = [
      AVCOL_SPC_RGB, AVCOL_SPC_BT709, AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED, AVCOL_SPC_BT470BG,
      AVCOL_SPC_SMPTE170M, AVCOL_SPC_SMPTE240M, AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL,
    ]
    guard !isRGB, !carried.contains(matrix) else { return nil }
    let name = libavText(av_color_space_name(matrix)) ?? "\(matrix.rawValue)"
    return "its color matrix is \(name), which ProRes cannot carry; convert it first, for example "
      + "with ffmpeg -vf scale=out_color_matrix=bt709"
  }
}
