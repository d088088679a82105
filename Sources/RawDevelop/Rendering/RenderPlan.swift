import CRawKernels
import DNG
import Glibc

/// Everything that rendering needs from a file and settings, in the kernel's form.
///
/// `@unchecked Sendable` because of the pointers in ``kernel``. That is safe: only the initializer sets them and
/// fills their memory, which this object owns, and nothing changes after it returns.
final class RenderPlan: @unchecked Sendable {
  /// The kernel's input.
  private(set) var kernel = raw_develop()
  /// Semantic names of the masks used by tables, in the order of the kernel's indices.
  private(set) var maskNames: [String] = []
  private var memory: [UnsafeMutableRawPointer] = []

  deinit {
    for block in memory { block.deallocate() }
  }

  /// A plan for a negative and settings.
  ///
  /// - Parameter extent: The active area as trimmed by opcodes.
  /// - Throws: ``RawDevelopError`` for an invalid calibration, profile or white point.
  init(
    _ negative: Negative, _ settings: DevelopSettings, over extent: ImageExtent
  ) throws(RawDevelopError) {
    let profile = try negative.profile(settings)
    let isHDR = profile.dynamicRange != .standard && settings.sampleFormat.isFloat
    kernel.is_open = settings.isLinear ? 1 : 0
    kernel.is_overrange =
      isHDR || settings.extendedDynamicRangeAmount > 0 && settings.sampleFormat.isFloat ? 1 : 0
    kernel.rolls_off = settings.recoversHighlights && kernel.is_open == 0 ? 1 : 0
    let weights = try setColor(negative, settings)
    setHues(profile, weights, settings)
    setGain(negative, profile, settings, extent)
    setExposure(negative, profile, settings)
    setTone(negative, profile, settings, isHDR: isHDR)
    try setTables(negative, profile, settings)
    setPoints(settings)
    setOutput(settings)
  }

  // MARK: Parts

  /// Returns the weights of the profile's calibrations.
  private func setColor(
    _ negative: Negative, _ settings: DevelopSettings
  ) throws(RawDevelopError) -> [Double] {
    guard !negative.isMonochrome else {
      kernel.white = (1, 1, 1)
      kernel.matrix = Matrix3.identity.floats
      return [1]
    }
    let balance = try negative.balance(settings)
    let white = balance.cameraWhite.map { Float($0) }
    kernel.white = (white[0], white[1], white[2])
    kernel.matrix = (ColorPrimaries.proPhoto.fromXYZ * balance.cameraToXYZ).floats
    return balance.weights
  }

  private func setHues(
    _ profile: CameraProfile, _ weights: [Double], _ settings: DevelopSettings
  ) {
    if let map = profile.hueSatMap, !settings.isLinear {
      let mixed = zip(weights, map.tables)
      let entries =
        map.tables.count < 2 || weights.count < 2
        ? map.tables[0]
        : map.tables[0].indices.map { index in
          mixed.reduce(SIMD3<Float>.zero) { $0 + Float($1.0) * $1.1[index] }
        }
      kernel.hue = hueTable(map, entries)
    }
    if let look = profile.lookTable, settings.boostAmount > 0 {
      let share = Float(settings.boostAmount)
      let neutral = SIMD3<Float>(0, 1, 1)
      kernel.look = hueTable(look, look.tables[0].map { neutral + share * ($0 - neutral) })
    }
  }

  private func hueTable(
    _ map: CameraProfile.HueSatMap, _ entries: [SIMD3<Float>]
  ) -> raw_hue_table {
    guard map.saturationDivisions >= 2 else { return raw_hue_table() }
    var table = raw_hue_table()
    table.entries = keep(entries.flatMap { [$0.x / 60, $0.y, $0.z] })
    table.hues = map.hueDivisions
    table.saturations = map.saturationDivisions
    table.values = map.valueDivisions
    if map.usesSRGBEncoding {
      table.encode = keep(Self.curve { TransferCurve.sRGB.encode($0) })
      table.decode = keep(Self.curve { TransferCurve.sRGB.decode($0) })
    }
    return table
  }

  private func setGain(
    _ negative: Negative, _ profile: CameraProfile, _ settings: DevelopSettings,
    _ extent: ImageExtent
  ) {
    guard settings.localToneMapAmount > 0, let map = profile.gainTableMap ?? negative.gainMap else {
      return
    }
    let amount = Float(settings.localToneMapAmount)
    // With output beyond white, the map's attenuation of highlights is undone.
    let kept = max(1 - Float(settings.extendedDynamicRangeAmount), 0)
    let isExtended = kernel.is_overrange != 0
    kernel.gain.gains = keep(
      map.gains.map { gain in
        let exponent = isExtended && gain < 1 ? amount * kept : amount
        return exponent == 1 ? gain : powf(max(gain, 0), exponent)
      })
    (kernel.gain.rows, kernel.gain.columns, kernel.gain.count) = (map.rows, map.columns, map.count)
    let (width, height) = (Double(extent.width), Double(extent.height))
    let (spacingH, spacingV) = (
      map.spacingH > 0 ? map.spacingH : 1, map.spacingV > 0 ? map.spacingV : 1
    )
    kernel.gain.scale_x = Float(1 / (width * spacingH))
    kernel.gain.scale_y = Float(1 / (height * spacingV))
    kernel.gain.offset_x = Float(-map.originH / spacingH)
    kernel.gain.offset_y = Float(-map.originV / spacingV)
    let exposed = Float(exp2(baseline(negative, profile, settings)))
    let w = map.weights.map { $0 * exposed }
    kernel.gain.weights = (w[0], w[1], w[2], w[3], w[4])
    kernel.gain.gamma = map.gamma
  }

  /// EV by which the image is raised before the user's exposure.
  private func baseline(
    _ negative: Negative, _ profile: CameraProfile, _ settings: DevelopSettings
  ) -> Double {
    settings.baselineExposure
      ?? negative.metadata.baselineExposure + profile.baselineExposureOffset
  }

  private func setExposure(
    _ negative: Negative, _ profile: CameraProfile, _ settings: DevelopSettings
  ) {
    let exposure = baseline(negative, profile, settings) + settings.exposure
    let white = exp2(-max(exposure, 0))
    let shadows = settings.shadowBias ?? (negative.rendersBlack(profile) ? 5 : 0)
    let black = min(shadows * negative.metadata.shadowScale * 0.001, 0.99 * white)
    let slope = 1 / (white - black)
    // Up to one stop of negative exposure brings back light recovered beyond white; the tone curve, which keeps
    // white in place, does the rest.
    let returned = kernel.rolls_off != 0 ? min(max(exposure, -1), 0) : 0
    kernel.black = Float(black)
    kernel.slope = Float(settings.isLinear ? exp2(exposure) : slope * exp2(returned))
    kernel.radius = Float(black > 0 ? min(0.5 * black, 1 / (16 * slope)) : 0)
    darkening = settings.isLinear ? 0 : min(exposure, 0) - returned
  }

  /// A finished image needs no tone curve.
  private static let straight = CubicSpline([SIMD2(0, 0), SIMD2(1, 1)])

  /// The part of the exposure below 0 EV that the tone curve applies.
  private var darkening = 0.0

  private func setTone(
    _ negative: Negative, _ profile: CameraProfile, _ settings: DevelopSettings, isHDR: Bool
  ) {
    guard !settings.isLinear else { return }
    let spline =
      profile.toneCurve.map { points in
        CubicSpline(points.map { SIMD2(Double($0.x), Double($0.y)) })
      } ?? (negative.metadata.isOutputReferred ? Self.straight : DefaultToneCurve.spline)
    // A linear darkening up to a quarter of white, continued by a parabola up to white.
    let slope = exp2(darkening)
    let bend = 16.0 / 9 * (1 - slope)
    let line = slope - bend / 2
    let share = settings.boostAmount
    let lift = 0.5 + 0.5 * settings.boostShadowAmount
    func tone(_ x: Double) -> Double {
      let dark = x <= 0.25 ? x * slope : (bend * x + line) * x + (1 - bend - line)
      let curved = dark + share * (spline(dark) - dark)
      guard share > 0, lift != 1 else { return curved }
      let depth = max(1 - 4 * curved, 0)
      return curved * pow(lift, share * depth * depth)
    }
    kernel.tone = keep(Self.curve(tone))
    kernel.tone_end = Float(tone(1))
    if isHDR {
      kernel.tone_slope = Float((tone(1) - tone(0.999)) / 0.001)
      kernel.tone_limit = 0
    } else {
      kernel.tone_slope = Float(settings.extendedDynamicRangeAmount)
      kernel.tone_limit = Float(pow(4, settings.extendedDynamicRangeAmount))
    }
  }

  private func setTables(
    _ negative: Negative, _ profile: CameraProfile, _ settings: DevelopSettings
  ) throws(RawDevelopError) {
    guard settings.boostAmount > 0, let bytes = profile.rgbTables else { return }
    let found = try RGBTables(bytes, isLittleEndian: profile.isLittleEndian)
    let names = Set(negative.masks.compactMap(\.semanticName))
    let usable = found.tables.filter {
      $0.semanticName.isEmpty || names.contains($0.semanticName)
    }
    guard !usable.isEmpty else { return }
    let tables = usable.map { table in
      var result = raw_rgb_table()
      result.entries = keep(table.entries)
      result.divisions = table.divisions
      let space = ColorPrimaries.proPhoto
      result.to_primaries = (table.primaries.fromXYZ * space.toXYZ).floats
      result.from_primaries = (space.fromXYZ * table.primaries.toXYZ).floats
      result.has_primaries = table.primaries == space ? 0 : 1
      result.extends_gamut = table.extendsGamut ? 1 : 0
      if table.curve == .gamma22 {
        result.encode = keep(Self.curve(TableGamma.encode))
        result.decode = keep(Self.curve(TableGamma.decode))
      } else if table.curve != .linear {
        result.encode = keep(Self.curve { table.curve.encode($0) })
        result.decode = keep(Self.curve { table.curve.decode($0) })
      }
      result.amount = Float(settings.boostAmount)
      result.mask = -1
      if !table.semanticName.isEmpty {
        let known = maskNames.firstIndex(of: table.semanticName)
        result.mask = Int32(known ?? maskNames.count)
        if known == nil { maskNames.append(table.semanticName) }
      }
      return result
    }
    kernel.tables = keep(tables)
    kernel.table_count = tables.count
    kernel.tables_in_sequence = found.isSequence ? 1 : 0
  }

  private func setPoints(_ settings: DevelopSettings) {
    guard !settings.isLinear else { return }
    kernel.saturation = Float(settings.saturation)
    kernel.vibrance = Float(settings.vibrance)
    guard let curves = settings.pointCurves else { return }
    let tables = [curves.all, curves.red, curves.green, curves.blue].map { points in
      PointCurves.function(points).map { keep(Self.curve($0)) }
    }
    kernel.points = (tables[0], tables[1], tables[2], tables[3])
  }

  private func setOutput(_ settings: DevelopSettings) {
    let space = settings.colorSpace
    let toXYZ = ColorPrimaries.proPhoto.toXYZ
    kernel.output = (space.primaries.fromXYZ * toXYZ).floats
    kernel.maps_gamut = settings.mapsGamut && !settings.isLinear ? 1 : 0
    // Oklab is defined on XYZ under D65, which linear sRGB converts to.
    let sRGBToLMS =
      Matrix3([
        0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
        0.0883024619, 0.2817188376, 0.6299787005,
      ]) ?? .identity
    let toLMS = sRGBToLMS * ColorPrimaries.sRGB.fromXYZ * space.primaries.toXYZ
    kernel.to_lms = toLMS.floats
    kernel.from_lms = (toLMS.inverse ?? .identity).floats
    let light = (0..<3).map { space.primaries.toXYZ[1, $0] }
    kernel.luminance = (Float(light[0]), Float(light[1]), Float(light[2]))
    if space.curve != .linear {
      kernel.encode = keep(Self.curve { space.curve.encode($0) })
    }
  }

  // MARK: Tables

  /// A function of 0 to 1, sampled at the kernel's steps.
  private static func curve(_ function: (Double) -> Double) -> [Float] {
    let steps = Int(RAW_CURVE_STEPS)
    return (0...steps + 1).map { Float(function(min(Double($0) / Double(steps), 1))) }
  }

  /// Copies values to memory that lives as long as the plan.
  private func keep<Element: BitwiseCopyable>(_ values: [Element]) -> UnsafePointer<Element> {
    let block = UnsafeMutablePointer<Element>.allocate(capacity: max(values.count, 1))
    block.initialize(from: values, count: values.count)
    memory.append(UnsafeMutableRawPointer(block))
    return UnsafePointer(block)
  }
}
