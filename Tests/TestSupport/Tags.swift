package import Testing

extension Tag {
  /// Runs with `TEST_ALL=1` only, or takes much longer with it.
  @Tag package static var slow: Self
  /// Boots the virtual machine with real kernel devices, or runs in it.
  @Tag package static var lab: Self
  /// Uses programs of other projects: FFmpeg, MediaInfo, ASC MHL's tool, Adobe's SDK.
  @Tag package static var judges: Self
  /// Downloads whatever is missing.
  @Tag package static var network: Self
}
