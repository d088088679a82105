extension RAWFilter {
  /// Sets up linear scene light as output: no baseline exposure, shadow bias, tone curve, local tone map or gamut
  /// mapping; half floats in linear BT.2020.
  public mutating func useLinearOutput() {
    let linear = DevelopSettings.linear
    settings.baselineExposure = linear.baselineExposure
    settings.shadowBias = linear.shadowBias
    settings.boostAmount = linear.boostAmount
    settings.localToneMapAmount = linear.localToneMapAmount
    settings.mapsGamut = linear.mapsGamut
    settings.colorSpace = linear.colorSpace
    settings.sampleFormat = linear.sampleFormat
  }
}
