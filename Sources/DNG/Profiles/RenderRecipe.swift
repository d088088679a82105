/// How linear light becomes a picture to look at: the very steps that the tags of a DNG file tell
/// any reader to take.
package struct RenderRecipe: Sendable {
  /// Stops that light is raised by before anything else (BaselineExposure).
  package var baselineExposure: Double
  /// Stored light is this fraction of the reference's: 1 over the headroom.
  package var storedScale: Double
  /// Gains by place and brightness; nil for none.
  package var gainMap: GainMap?
  /// The tone curve.
  package var toneCurve: ToneCurve

  package init(
    baselineExposure: Double = 0, storedScale: Double = 1, gainMap: GainMap? = nil,
    toneCurve: ToneCurve
  ) {
    self.baselineExposure = baselineExposure
    self.storedScale = storedScale
    self.gainMap = gainMap
    self.toneCurve = toneCurve
  }
}
