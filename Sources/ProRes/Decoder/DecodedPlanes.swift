import CProResKernels

/// The planes that a frame is decoded into: words of luma, Cb, Cr and alpha.
struct DecodedPlanes {
  struct Plane {
    let start: UnsafeMutablePointer<UInt16>
    /// Words from a row of the frame to the next one.
    let stride: Int
    let width: Int

    /// Rows of a picture of the frame.
    func rows(of picture: FrameMap.Picture) -> Plane {
      Plane(
        start: start + picture.firstRow * stride, stride: stride * picture.rowStep, width: width)
    }
  }

  /// Alpha's last, where there is one.
  let planes: [Plane]
  /// Bits of a sample.
  let depth: Int
  var alpha: Plane? { planes.count > 3 ? planes[3] : nil }
}
