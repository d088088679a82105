import CRawKernels
import DNG
import MediaCore

/// Renders a negative to an image.
struct Developer {
  let negative: Negative
  var settings: DevelopSettings
  /// Changes linear light before it is rendered.
  var linearFilter: RAWFilter.LinearSpaceFilter?
  /// Called with the stored samples.
  var samplesObserver: RAWFilter.SamplesObserver?
  /// Called between steps; returning true cancels the work.
  var isCanceled: @Sendable () -> Bool = { false }

  /// Light, with its position in the active area trimmed by opcodes.
  struct Light {
    var source: LightSource
    /// Pixels of the file per pixel of the source, across and down.
    var step: SIMD2<Double>
    var origin = SIMD2(0.0, 0.0)
    var columns: Range<Int>
    var rows: Range<Int>
    /// All of the light, averaged in cells; nil if not needed.
    var cells: LocalContrast.Cells?
  }

  /// Develops the image.
  ///
  /// - Throws: ``RawDevelopError`` for a damaged file, an unsupported form, or settings out of range.
  func develop() throws(RawDevelopError) -> RenderedImage {
    let plan = try plan()
    return try render(try light(), plan)
  }

  func plan() throws(RawDevelopError) -> RenderPlan {
    try RenderPlan(negative, settings, over: trimmedExtent)
  }

  /// Renders light made with these settings.
  func render(_ light: Light, _ plan: RenderPlan) throws(RawDevelopError) -> RenderedImage {
    if isCanceled() { throw .canceled }
    let extent = trimmedExtent
    let white = negative.isMonochrome ? [1, 1, 1] : try negative.balance(settings).cameraWhite
    let detail = DetailStage(
      settings, noise: negative.metadata.noiseProfile, white: white,
      reduction: light.step.x * light.step.y,
      isInterpolated: negative.pattern != nil && light.step.min() < 2)
    var demosaicker: Demosaicker?
    if case .mosaic(let planes, let pattern) = light.source {
      demosaicker = try self.demosaicker(planes, pattern)
    }
    let localContrast = light.cells.map {
      LocalContrast(
        $0, white: white, amount: settings.contrast, limit: demosaicker?.limit ?? .infinity)
    }
    let orientation = settings.orientation ?? negative.metadata.orientation
    let turned = turnedCrop
    let part = ImageRenderer(
      plan: plan, source: light.source, demosaicker: demosaicker,
      detail: detail, localContrast: localContrast, linearFilter: linearFilter,
      columns: light.columns,
      rows: light.rows, step: light.step, origin: light.origin, extent: extent,
      masks: try masks(plan.maskNames),
      orientation: turned == nil ? orientation : .up,
      format: settings.sampleFormat, colorSpace: settings.colorSpace
    ).render()
    guard let turned else { return part }
    let (shown, squares) = (shownArea, squares)
    let origin = SIMD2(
      Double(shown.left - defaultArea.left), Double(shown.top - defaultArea.top))
    let side = SIMD2(Double(shown.width), Double(shown.height)) * squares
    return turned.turn(
      part, origin: origin * squares,
      scale: SIMD2(Double(part.width), Double(part.height)) / side, size: size, orientation)
  }

  /// The masks of several names, in order; several masks may share a name.
  private func masks(_ names: [String]) throws(RawDevelopError) -> [[SemanticMask]] {
    try SemanticMask.checkSize(of: names.flatMap { negative.masks(named: $0) })
    var masks: [[SemanticMask]] = []
    for name in names {
      masks.append(try SemanticMask.all(negative.masks(named: name), of: negative.file))
    }
    return masks
  }

  // MARK: Light

  /// The part to render: the file's visible area, cropped.
  var shownArea: PixelArea {
    let area = defaultArea
    guard let crop = settings.crop else { return area }
    var kept = (left: crop.left, top: crop.top, right: crop.right, bottom: crop.bottom)
    if crop.angle != 0 {
      guard let turned = turnedCrop else { return area }
      kept = turned.box
    }
    /// A range of whole pixels along an axis, at least one.
    func pixels(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
      let first = min(Int((low * Double(count)).rounded()), count - 1)
      return first..<min(max(Int((high * Double(count)).rounded()), first + 1), count)
    }
    let columns = pixels(kept.left, kept.right, area.width)
    let rows = pixels(kept.top, kept.bottom, area.height)
    return PixelArea(
      top: area.top + rows.lowerBound, left: area.left + columns.lowerBound,
      bottom: area.top + rows.upperBound, right: area.left + columns.upperBound)
  }

  /// The rectangle of a turned crop; nil for a straight crop, or if the corners form no rectangle in this image.
  var turnedCrop: TurnedCrop? {
    guard let crop = settings.crop, crop.angle != 0 else { return nil }
    let (area, squares) = (defaultArea, squares)
    return TurnedCrop(
      crop, width: Double(area.width) * squares.x, height: Double(area.height) * squares.y)
  }

  /// Square pixels per pixel of the file; one axis keeps its pixels.
  private var squares: SIMD2<Double> {
    let stretch = negative.crop.scale
    return stretch.x > stretch.y
      ? SIMD2(1, stretch.y / stretch.x) : SIMD2(stretch.x / stretch.y, 1)
  }

  /// The result's size before it is turned: cropped, with square pixels, scaled.
  var size: (width: Int, height: Int) {
    turnedCrop?.size(scale: settings.scale) ?? renderedSize
  }

  /// The size of the rendered part, which contains a turned crop.
  var renderedSize: (width: Int, height: Int) {
    let (shown, squares) = (shownArea, squares)
    func scaled(_ count: Int, _ factor: Double) -> Int {
      max(Int((Double(count) * factor * settings.scale).rounded()), 1)
    }
    return (scaled(shown.width, squares.x), scaled(shown.height, squares.y))
  }

  /// The side of the blocks of pixels averaged before anything else is done.
  private var reduction: Int {
    let wanted = min(
      Double(shownArea.width) / Double(renderedSize.width),
      Double(shownArea.height) / Double(renderedSize.height))
    let whole = min(max(Int(wanted + 1e-9), 1), 64)
    if negative.pattern == nil { return whole }
    return whole < 2 ? 1 : whole / 2 * 2
  }

  /// The light of the visible part, from the file's samples.
  func light() throws(RawDevelopError) -> Light {
    try light(try linearization(keepsLight: opcodesSeeLightAboveWhite))
  }

  /// The light of the visible part, at the result's size. Stored samples are released once they are not needed,
  /// because light with all colors takes several times their memory.
  private func light(
    _ linearization: consuming Linearization
  ) throws(RawDevelopError) -> Light {
    let reduction = reduction
    let runner = runner(.linear)
    var last = self.runner(.demosaicked)
    last.reduction = reduction
    let isPlain =
      !runner.changes(negative.opcodes.linear) && !last.changes(negative.opcodes.demosaicked)
    let isFullSize = reduction == 1 && renderedSize == (shownArea.width, shownArea.height)
    let shown = shownArea
    if isPlain, isFullSize, negative.pattern == nil, !settings.recoversHighlights {
      let cells = hasLocalContrast ? LocalContrast.Cells(copy linearization) : nil
      return Light(
        source: .stored(linearization), step: .one, columns: shown.left..<shown.right,
        rows: shown.top..<shown.bottom, cells: cells)
    }
    if isPlain, reduction == 1, negative.pattern == nil, !settings.recoversHighlights,
      let light = shrunk(LightStripSource(source: .stored(copy linearization), demosaicker: nil))
    {
      return light
    }
    switch try colors(linearization, runner, reduction: reduction) {
    case .planes(let planes): return try light(consume planes, last)
    case .mosaic(let mosaic, let pattern):
      if !last.changes(negative.opcodes.demosaicked),
        let light = try light(mosaic, pattern, isFullSize: isFullSize)
      {
        return light
      }
      return try light(try interpolated(consume mosaic, pattern), last)
    case .stored(let linearization):
      return Light(
        source: .stored(linearization), step: .one, columns: 0..<linearization.area.width,
        rows: 0..<linearization.area.height)
    }
  }

  /// The light of a mosaic that is interpolated strip by strip, or later, because no opcode changes it afterwards;
  /// nil if that is impossible.
  private func light(
    _ mosaic: LightPlanes, _ pattern: BayerPattern, isFullSize: Bool
  ) throws(RawDevelopError) -> Light? {
    let (source, shown) = (LightSource.mosaic(mosaic, pattern), shownArea)
    guard isFullSize else {
      return shrunk(
        LightStripSource(source: source, demosaicker: try demosaicker(mosaic, pattern)))
    }
    return Light(
      source: source, step: .one, columns: shown.left..<shown.right, rows: shown.top..<shown.bottom,
      cells: hasLocalContrast
        ? LocalContrast.Cells(binned(mosaic, pattern, LocalContrast.Cells.side)) : nil)
  }

  /// Interpolates all colors of a mosaic, which is released.
  private func interpolated(
    _ mosaic: consuming LightPlanes, _ pattern: BayerPattern
  ) throws(RawDevelopError) -> LightPlanes {
    try demosaicker(consume mosaic, pattern).planes()
  }

  /// Light with all colors after the last list of opcodes.
  private func light(
    _ planes: consuming LightPlanes, _ last: OpcodeRunner
  ) throws(RawDevelopError) -> Light {
    let changed = try last.apply(negative.opcodes.demosaicked, to: consume planes)
    if clipsLast { changed.clip() }
    let cells = hasLocalContrast ? LocalContrast.Cells(changed, reduction: last.reduction) : nil
    var light = shrunk(consume changed, reduction: last.reduction)
    light.cells = cells
    return light
  }

  var hasLocalContrast: Bool { settings.contrast > 0 && !settings.isDraft }

  /// True if opcodes receive light above white, as for floating-point samples in Adobe's SDK: a gain below 1 brings
  /// it back into range.
  private var opcodesSeeLightAboveWhite: Bool {
    let lists = negative.opcodes
    return negative.raw.isFloat
      && (runner(.linear).changes(lists.linear)
        || clipsLast && runner(.demosaicked).changes(lists.demosaicked))
  }

  /// True if light above white is clipped after the last list of opcodes, and not before colors are rebuilt or
  /// interpolated.
  private var clipsLast: Bool {
    negative.raw.isFloat && negative.pattern == nil && !settings.recoversHighlights
  }

  /// Prepares stored samples for linearization and applies the first list of opcodes.
  ///
  /// - Parameter keepsLight: True to keep floating-point samples above white.
  func linearization(keepsLight: Bool = false) throws(RawDevelopError) -> Linearization {
    var samples = try RawDevelopError.from { () throws(DNGError) in
      try negative.file.decodeSamples(of: negative.raw)
    }
    samplesObserver?(samples, negative.raw.role)
    if isCanceled() { throw .canceled }
    if runner(.stored).changes(negative.opcodes.stored) { samples = try applied(to: samples) }
    return Linearization(
      samples,
      negative.levels.measuringBlack(in: samples, components: negative.raw.components),
      keepsLight: keepsLight)
  }

  /// Optional opcodes in the file that are not applied, with reasons.
  var omittedOpcodes: [String] {
    let lists = negative.opcodes
    let unsupported =
      runner(.stored).unsupported(lists.stored) + runner(.linear).unsupported(lists.linear)
      + runner(.demosaicked).unsupported(lists.demosaicked)
    return unsupported.filter(\.isOptional).map(\.reason)
  }

  /// The whole raw image after the first list of opcodes. The file's areas, such as the active area, are relative
  /// to the first remaining sample.
  private func applied(to samples: DNGSamples) throws(RawDevelopError) -> DNGSamples {
    let result = try runner(.stored).apply(negative.opcodes.stored, to: planes(of: samples))
    let area = negative.activeArea
    guard area.right <= result.width, area.bottom <= result.height else {
      throw RawDevelopError(
        .invalidFile,
        "the file's TrimBounds leaves \(result.width)x\(result.height) stored pixels, and its active "
          + "area reaches beyond them, to \(area.right)x\(area.bottom)")
    }
    let components = result.count
    let count = result.width * result.height * components
    guard case .integers(let image) = samples else {
      return .floats(
        FloatImage(
          width: result.width, height: result.height, components: components,
          samples: (0..<count).map { result[$0 % components][$0 / components] }))
    }
    let codes = (0..<count).map { index in
      UInt16((result[index % components][index / components].bounded(0, 1) * 65_535).rounded())
    }
    return .integers(
      try RawDevelopError.from { () throws(DNGError) in
        try RawImage(
          width: result.width, height: result.height, components: components,
          bitDepth: image.bitDepth, samples: codes)
      })
  }

  private func planes(of samples: DNGSamples) -> LightPlanes {
    let components = negative.raw.components
    let planes = LightPlanes(
      width: negative.raw.width, height: negative.raw.height, count: components)
    let count = planes.width * planes.height
    switch samples {
    case .integers(let image):
      for index in 0..<count {
        for plane in 0..<components {
          planes[plane][index] = Float(image.samples[index * components + plane]) / 65_535
        }
      }
    case .floats(let image):
      for index in 0..<count {
        for plane in 0..<components {
          let sample = image.samples[index * components + plane]
          planes[plane][index] = sample > -.infinity ? sample : 0
        }
      }
    }
    return planes
  }

  /// Linear light after the second list of opcodes: a mosaic, or reduced planes.
  private func colors(
    _ linearization: consuming Linearization, _ runner: OpcodeRunner, reduction: Int
  ) throws(RawDevelopError) -> LightSource {
    guard let untrimmed = negative.pattern else {
      var reduced = runner
      reduced.reduction = reduction
      let all = linearization.planes(reduction: reduction)
      _ = consume linearization
      let planes = try reduced.apply(negative.opcodes.linear, to: all)
      if negative.raw.isFloat, !clipsLast { planes.clip() }
      return .planes(try recovered(planes, pattern: nil))
    }
    if reduction > 1, !runner.changes(negative.opcodes.linear) {
      let planes = linearization.planes(reduction: reduction, pattern: untrimmed)
      return .planes(try recovered(planes, pattern: nil))
    }
    let all = linearization.planes()
    _ = consume linearization
    var mosaic = try runner.apply(negative.opcodes.linear, to: all)
    if negative.raw.isFloat { mosaic.clip() }
    let begin = runner.trim(negative.opcodes.linear, activeExtent)
    let pattern = untrimmed.shifted(rows: begin.top, columns: begin.left)
    if reduction > 1 {
      return .planes(try recovered(binned(mosaic, pattern, reduction), pattern: nil))
    }
    mosaic = try recovered(mosaic, pattern: pattern)
    return .mosaic(mosaic, pattern)
  }

  private func binned(
    _ mosaic: LightPlanes, _ pattern: BayerPattern, _ reduction: Int
  ) -> LightPlanes {
    let planes = LightPlanes(
      width: max(mosaic.width / reduction, 1), height: max(mosaic.height / reduction, 1), count: 3)
    let red = pattern.redOffset
    planes.bands(of: max(32 / reduction, 1)) { rows in
      for row in rows {
        let place = row * planes.width
        raw_bin_mosaic(
          mosaic[0] + row * reduction * mosaic.width, mosaic.width,
          min(reduction, mosaic.height - row * reduction), reduction, UInt32(red.row),
          UInt32(red.column), planes.width, planes[0] + place, planes[1] + place,
          planes[2] + place)
      }
    }
    return planes
  }

  private func recovered(
    _ planes: LightPlanes, pattern: BayerPattern?
  ) throws(RawDevelopError) -> LightPlanes {
    guard settings.recoversHighlights, !negative.isMonochrome else { return planes }
    let white = try negative.balance(settings).cameraWhite
    return HighlightRecovery(white: white).apply(to: planes, pattern)
  }

  func demosaicker(
    _ planes: LightPlanes, _ pattern: BayerPattern
  ) throws(RawDevelopError) -> Demosaicker {
    Demosaicker(
      planes, pattern, white: try negative.balance(settings).cameraWhite,
      clips: !settings.recoversHighlights && !settings.isLinear, isDraft: settings.isDraft)
  }
}
