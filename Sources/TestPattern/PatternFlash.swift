package import MediaCore

/// The field that is white once a second in the pattern device's pictures, when the tone device beeps.
package enum PatternFlash {
  /// True where the field is white.
  ///
  /// - Parameter picture: A pattern of any layout, also after encoding and decoding.
  package static func isLit(in picture: PixelBuffer) -> Bool {
    let area = PatternGeometry(width: picture.width, height: picture.height).flash
    let row = area.y + area.height / 2
    guard row < picture.height, area.x + area.width <= picture.width,
      let luma = PatternFrameNumber.luma(of: picture, row: row)
    else { return false }
    return luma[area.x + area.width / 2] > 502
  }
}
