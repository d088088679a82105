import AssetReader

/// Where the samples of an export come from.
protocol SampleSupply: AnyObject {
  /// The next sample, or nil at the end; as `AssetReader.nextSample()`.
  func nextSample() throws(AssetReaderError) -> AssetSample?
}

extension AssetReader: SampleSupply {}
