import CFFmpeg
import MediaCore

extension PictureLayout {
  /// What the codes of our picture mean, from what is said of libav's.
  ///
  /// Red, green and blue have no matrix of their own: the one with which they become luma and chroma
  /// is that of their primaries, BT.709's where these are not known.
  ///
  /// - Parameter range: As libav has it, unspecified included; that of `said` does not count.
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

  /// Why luma and chroma of a matrix are refused; nil where a ProRes movie can say how to read them.
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
