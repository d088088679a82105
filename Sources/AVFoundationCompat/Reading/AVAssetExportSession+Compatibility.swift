extension AVAssetExportSession {
  /// Reports whether an asset can be exported with a preset to a file type. `handler` is called asynchronously.
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
