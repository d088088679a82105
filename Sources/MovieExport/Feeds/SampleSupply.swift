package import AssetReader

/// Where the samples of an export come from.
package protocol SampleSupply: AnyObject {
  /// What happened to the pictures, where that was found out before and the samples do not show it; nil
  /// where they do.
  var account: PictureAccount? { get }
  /// What packets say of damage, besides what the account knows; nil where the reader is to be watched.
  var packets: PacketWatch? { get }

  /// The next sample, or nil at the end; as `AssetReader.nextSample()`.
  func nextSample() throws(AssetReaderError) -> AssetSample?
}

extension AssetReader: SampleSupply {
  package var account: PictureAccount? { nil }
  package var packets: PacketWatch? { nil }
}
