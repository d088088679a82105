package import Testing

extension Tag {
  /// Runs with `TEST_ALL=1` only, or is a good deal longer with it.
  @Tag package static var slow: Self
  /// Boots the virtual machine with real kernel devices, or runs in it.
  @Tag package static var lab: Self
  /// Asks programs of others: FFmpeg, MediaInfo, ASC MHL's tool, Adobe's SDK.
  @Tag package static var judges: Self
  /// Loads from the network what is not there yet.
  @Tag package static var network: Self
}
