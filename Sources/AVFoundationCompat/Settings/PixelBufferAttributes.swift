import MediaCore

/// Pixel buffer attributes from a dictionary with Apple's keys.
struct PixelBufferAttributes {
  var format: PixelFormat?
  var range = ColorDescription.Range.video
  var width: Int?
  var height: Int?

  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  init(_ dictionary: [String: Any]) throws(AVError) {
    var reader = SettingsReader(dictionary, "pixel buffer attributes")
    if let number = try reader.integer(kCVPixelBufferPixelFormatTypeKey) {
      let code = MediaCore.FourCharCode(rawValue: UInt32(exactly: number) ?? 0)
      guard let named = PixelFormat.named(apple: code) else {
        throw reader.wrong(
          kCVPixelBufferPixelFormatTypeKey, "unsupported pixel format '\(code)'")
      }
      (format, range) = named
    }
    width = try reader.integer(kCVPixelBufferWidthKey)
    height = try reader.integer(kCVPixelBufferHeightKey)
    reader.ignore([
      kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferIOSurfacePropertiesKey,
      kCVPixelBufferMetalCompatibilityKey,
      kCVPixelBufferOpenGLCompatibilityKey, kCVPixelBufferOpenGLESCompatibilityKey,
      kCVPixelBufferCGImageCompatibilityKey, kCVPixelBufferCGBitmapContextCompatibilityKey,
    ])
    try reader.finish()
  }
}

extension PixelBuffer.Description {
  /// A frame size and a pixel format given by Apple's code; nil for an unsupported format.
  init?(code: OSType, width: Int, height: Int) {
    guard let named = PixelFormat.named(apple: MediaCore.FourCharCode(rawValue: code)) else {
      return nil
    }
    self.init(
      format: named.format, width: width, height: height,
      color: Self.usualColor(of: named.format, range: named.range))
  }

  /// The default color. RGB has no matrix, so it is converted with the track's matrix, or the default for its height.
  static func usualColor(
    of format: PixelFormat, range: ColorDescription.Range
  ) -> ColorDescription {
    var color = ColorDescription.bt709.with(range: range)
    if format.descriptor.subsampling == .rgb { color.matrix = .unspecified }
    return color
  }
}
