package import AssetReader

/// A source of samples for an export.
package protocol SampleSupply: AnyObject {
  /// A record of what happened to the frames, if the samples themselves do not show it; nil if they
  /// do.
  var account: FrameAccount? { get }
  /// Damage found in packets, besides what the account knows; nil if the reader must be watched
  /// instead.
  var packets: PacketWatch? { get }

  /// The next sample, or nil at the end, like `AssetReader.nextSample()`.
  func nextSample() throws(AssetReaderError) -> AssetSample?
}

extension AssetReader: SampleSupply {
  package var account: FrameAccount? { nil }
  package var packets: PacketWatch? { nil }
}
