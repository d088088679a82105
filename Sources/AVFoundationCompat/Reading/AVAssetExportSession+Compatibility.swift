extension AVAssetExportSession {
  /// Whether an asset can be converted with a preset to a type of file; `handler` is called on a queue of its own.
  public static func determineCompatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?,
    completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    Task {
      handler(
        await compatibility(
          ofExportPreset: presetName, with: asset, outputFileType: outputFileType))
    }
  }
}
