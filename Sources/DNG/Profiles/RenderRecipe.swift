/// How linear light is rendered to a viewable image: the same steps that the DNG file's tags prescribe to every
/// reader.
package struct RenderRecipe: Sendable {
  /// Stops by which light is raised first (BaselineExposure).
  package var baselineExposure: Double
  /// The factor from the reference's light to stored light: 1 over the headroom.
  package var storedScale: Double
  /// Gains by position and brightness; nil if there are none.
  package var gainMap: GainMap?
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
