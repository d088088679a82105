import CFFmpeg

/// The version of the library that decodes sources.
enum LibavVersion {
  /// The version, such as `59.37.100`.
  static var libavcodec: String {
    let number = avcodec_version()
    return "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }
}
