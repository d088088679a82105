package import MediaCore

/// The field that is white once a second in the pattern device's frames, when the tone device beeps.
package enum PatternFlash {
  /// True where the field is white.
  ///
  /// - Parameter frame: A pattern of any layout, also after encoding and decoding.
  package static func isLit(in frame: PixelBuffer) -> Bool {
    let area = PatternGeometry(width: frame.width, height: frame.height).flash
    let row = area.y + area.height / 2
    guard row < frame.height, area.x + area.width <= frame.width,
      let luma = PatternFrameNumber.luma(of: frame, row: row)
    else { return false }
    return luma[area.x + area.width / 2] > 502
  }
}
