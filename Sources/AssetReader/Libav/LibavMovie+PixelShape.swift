import CFFmpeg
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What shape a stream's pixels have.
///
/// In a QuickTime or MPEG-4 file `pasp` shapes the coded pixels, and the matrix of the track then turns and stretches
/// what comes of it (QuickTime File Format, "Track Header Atoms" and "Pixel Aspect Ratio"). libavformat takes one of
/// the two, and a stretch by the axes of the display, which a quarter turn changes about.
extension LibavMovie {
  /// What a track header and a sample entry say of the shape of pixels.
  struct StoredShape {
    /// Of the coded pixels, before the matrix.
    let coded: PixelAspectRatio
    /// With the stretch of the matrix.
    let shown: PixelAspectRatio
  }

  /// The shape of the coded pixels; 0:1 where nothing says it.
  ///
  /// - Parameter frame: A frame that may say it; nil for none.
  func pixelAspectRatio(
    of stream: UnsafeMutablePointer<AVStream>, frame: UnsafeMutablePointer<AVFrame>? = nil
  ) -> AVRational {
    if let shown = stretchedShape(of: stream)?.shown {
      return AVRational(num: shown.horizontal, den: shown.vertical)
    }
    return av_guess_sample_aspect_ratio(context, stream, frame)
  }

  /// The shape of pixels that the matrix of their track stretches; nil for others.
  func stretchedShape(of stream: UnsafeMutablePointer<AVStream>) -> StoredShape? {
    guard isOf(["mov"]), let matrix = cffmpeg_display_matrix(stream),
      let stretch = Self.stretch((0..<9).map { Double(matrix[$0]) }),
      let track = indexedTrack(of: stream), let video = track.video
    else { return nil }
    let coded = video.pixelAspectRatio ?? Self.ratio(of: track.displaySize, video)
    let shown = av_d2q(Double(coded.horizontal) / Double(coded.vertical) * stretch, 32_767)
    return StoredShape(coded: coded, shown: PixelAspectRatio(shown.num, shown.den))
  }

  /// The shape that pictures say of their pixels where a QuickTime, MPEG-4 or Matroska file says another one; nil
  /// where they agree, where one of them says nothing, and for other containers.
  ///
  /// Three of a hundred are no difference: by as much do those differ who count 702 of a line's pixels from those who
  /// count 720, and MPEG-2 and DV, which say the shape of the whole picture, have no choice.
  func otherPixelAspectRatio(of stream: UnsafeMutablePointer<AVStream>) -> PixelAspectRatio? {
    let container = stream.pointee.sample_aspect_ratio
    guard tellsPixelShape, container.num > 0, container.den > 0,
      let own = stream.pointee.codecpar?.pointee.sample_aspect_ratio, own.num > 0, own.den > 0
    else { return nil }
    let stretched = stretchedShape(of: stream)
    let said =
      stretched.map { [$0.coded, $0.shown] } ?? [PixelAspectRatio(container.num, container.den)]
    let ratio = Double(own.num) / Double(own.den)
    let isSaid = said.contains { shape in
      abs(Double(shape.horizontal) / Double(shape.vertical) / ratio - 1) < 0.03
    }
    return isSaid ? nil : PixelAspectRatio(own.num, own.den)
  }

  /// How much wider than high a matrix makes a square, by the square's own axes; nil for a hundredth at most, for
  /// which libavformat takes matrices for turns alone, and for a matrix that leaves nothing to see.
  static func stretch(_ matrix: [Double]) -> Double? {
    let (width, height) = (hypot(matrix[0], matrix[1]), hypot(matrix[3], matrix[4]))
    guard width > 0, height > 0 else { return nil }
    let stretch = width / height
    return abs(stretch - 1) > 0.01 && (0.001...1000).contains(stretch) ? stretch : nil
  }

  /// The shape that coded pixels have where they fill the size of their track.
  private static func ratio(
    of size: (width: Double, height: Double), _ video: MovieIndex.Video
  ) -> PixelAspectRatio {
    let (width, height) = (Double(video.dimensions.width), Double(video.dimensions.height))
    guard size.width > 0, size.height > 0, width > 0, height > 0 else { return .square }
    let ratio = av_d2q(size.width * height / (size.height * width), 32_767)
    return PixelAspectRatio(ratio.num, ratio.den)
  }
}
