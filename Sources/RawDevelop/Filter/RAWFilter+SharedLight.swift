import MediaCore

extension RAWFilter {
  /// Develops the image with these settings, and again with settings changed by a closure. The file is decoded
  /// and linearized only once if the closure changes no more than ``colorSpace``, ``sampleFormat`` and
  /// ``extendedDynamicRangeAmount``; both images are the same as from ``outputImage()``.
  ///
  /// - Throws: What ``outputImage()`` throws.
  package func outputImages(
    _ change: (inout RAWFilter) -> Void
  ) throws(RawDevelopError) -> (RenderedImage, RenderedImage) {
    var other = self
    change(&other)
    let (first, second) = (try developer(), try other.developer())
    guard settings.wantsLight(of: other.settings) else {
      return (try first.develop(), try second.develop())
    }
    let plans = (try first.plan(), try second.plan())
    let light = try first.light()
    return (try first.render(light, plans.0), try second.render(light, plans.1))
  }

  func developer() throws(RawDevelopError) -> Developer {
    guard Self.supportedDecoderVersions.contains(decoderVersion) else {
      throw RawDevelopError(
        .unsupported,
        "version \(decoderVersion) of the developer is unavailable; choose one of "
          + Self.supportedDecoderVersions.joined(separator: ", "))
    }
    return Developer(
      negative: negative, settings: settings, linearFilter: linearSpaceFilter,
      samplesObserver: samplesObserver, isCanceled: isCanceled)
  }
}

extension DevelopSettings {
  /// True if both settings need the same linear light before rendering.
  fileprivate func wantsLight(of other: DevelopSettings) -> Bool {
    // Only a mosaic without highlight recovery is clipped differently for rendered and for linear output.
    guard recoversHighlights || isLinear == other.isLinear else { return false }
    var same = other
    same.colorSpace = colorSpace
    same.sampleFormat = sampleFormat
    same.extendedDynamicRangeAmount = extendedDynamicRangeAmount
    return same == self
  }
}
