import CFFmpeg
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The pixel aspect ratio of a stream.
///
/// In a QuickTime or MPEG-4 file `pasp` shapes the coded pixels, and the track's matrix then
/// rotates and stretches the result (QuickTime File Format, "Track Header Atoms" and "Pixel Aspect
/// Ratio"). libavformat uses only one of the two, and measures the stretch along the display's
/// axes, which a quarter turn swaps.
extension LibavMovie {
  /// The pixel aspect ratio from a track header and a sample entry.
  struct StoredShape {
    /// The ratio of the coded pixels, before the matrix.
    let coded: PixelAspectRatio
    /// The ratio including the matrix's stretch.
    let shown: PixelAspectRatio
  }

  /// The pixel aspect ratio to show; 0:1 if unknown.
  ///
  /// - Parameter frame: A frame that may state it, if any.
  func pixelAspectRatio(
    of stream: UnsafeMutablePointer<AVStream>, frame: UnsafeMutablePointer<AVFrame>? = nil
  ) -> AVRational {
    if let shown = stretchedShape(of: stream)?.shown {
      return AVRational(num: shown.horizontal, den: shown.vertical)
    }
    return av_guess_sample_aspect_ratio(context, stream, frame)
  }

  /// The pixel aspect ratio of a track whose matrix stretches; nil for others.
  func stretchedShape(of stream: UnsafeMutablePointer<AVStream>) -> StoredShape? {
    guard isOf(["mov"]), let matrix = cffmpeg_display_matrix(stream),
      let stretch = Self.stretch((0..<9).map { Double(matrix[$0]) }),
      let track = indexedTrack(of: stream), let video = track.video
    else { return nil }
    let coded = video.pixelAspectRatio ?? Self.ratio(of: track.displaySize, video)
    let shown = av_d2q(Double(coded.horizontal) / Double(coded.vertical) * stretch, 32_767)
    return StoredShape(coded: coded, shown: PixelAspectRatio(shown.num, shown.den))
  }

  /// The coded frames' pixel aspect ratio if a QuickTime, MPEG-4 or Matroska file states another
  /// one; nil if they agree, if one of them states none, and for other containers.
  ///
  /// A difference of up to 3 % is ignored: ratios differ by that much depending on whether a line
  /// counts as 702 or 720 pixels, and MPEG-2 and DV, which state the shape of the whole frame,
  /// have no choice.
  func otherPixelAspectRatio(of stream: UnsafeMutablePointer<AVStream>) -> PixelAspectRatio? {
    let container = stream.pointee.sample_aspect_ratio
    guard tellsPixelShape, container.num > 0, container.den > 0,
      let own = stream.pointee.codecpar?.pointee.sample_aspect_ratio, own.num > 0, own.den > 0
    else { return nil }
    let stretched = stretchedShape(of: stream)
    let said =
      stretched.map { [$0.coded, $0.shown] } ?? [PixelAspectRatio(container.num, container.den)]
    let ratio = Double(own.num) / Double(own.den)
    let isStated = said.contains { shape in
      abs(Double(shape.horizontal) / Double(shape.vertical) / ratio - 1) < 0.03
    }
    return isStated ? nil : PixelAspectRatio(own.num, own.den)
  }

  /// The ratio of width to height that a matrix gives a square, along the square's own axes. Nil up
  /// to 1 %, where libavformat treats the matrix as a pure rotation, and for a degenerate matrix.
  static func stretch(_ matrix: [Double]) -> Double? {
    let (width, height) = (hypot(matrix[0], matrix[1]), hypot(matrix[3], matrix[4]))
    guard width > 0, height > 0 else { return nil }
    let stretch = width / height
    return abs(stretch - 1) > 0.01 && (0.001...1000).contains(stretch) ? stretch : nil
  }

  /// The pixel aspect ratio at which the coded frame fills the track's size.
  private static func ratio(
    of size: (width: Double, height: Double), _ video: MovieIndex.Video
  ) -> PixelAspectRatio {
    let (width, height) = (Double(video.dimensions.width), Double(video.dimensions.height))
    guard size.width > 0, size.height > 0, width > 0, height > 0 else { return .square }
    let ratio = av_d2q(size.width * height / (size.height * width), 32_767)
    return PixelAspectRatio(ratio.num, ratio.den)
  }
}
