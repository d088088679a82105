import DNG

extension Developer {
  /// The visible part of reduced planes, at the result's size. Planes with no other owner are released one by one
  /// as they are shrunk.
  func shrunk(_ planes: consuming LightPlanes, reduction: Int) -> Light {
    let (columns, rows) = planes.blocks(of: shownArea, reduction: reduction)
    guard let shrinker = shrinker(columns, rows) else {
      return Light(
        source: .planes(planes), step: SIMD2(repeating: Double(reduction)), columns: columns,
        rows: rows)
    }
    return light(shrinker.shrunk(consume planes), of: shrinker, reduction: reduction)
  }

  /// The visible part of full-size light, at the result's size, made in strips; nil if nothing is to be shrunk, or
  /// if local contrast needs all of the light.
  func shrunk(_ source: LightStripSource) -> Light? {
    guard !hasLocalContrast else { return nil }
    let (columns, rows) = LightPlanes.blocks(
      of: shownArea, reduction: 1, width: source.source.width, height: source.source.height)
    return shrinker(columns, rows).map { light($0.shrunk(source), of: $0, reduction: 1) }
  }

  /// Shrinks a part to the result's size; nil if it is no larger.
  private func shrinker(_ columns: Range<Int>, _ rows: Range<Int>) -> LightShrinker? {
    let size = renderedSize
    guard size != (columns.count, rows.count), size.width <= columns.count,
      size.height <= rows.count
    else { return nil }
    return LightShrinker(columns: columns, rows: rows, width: size.width, height: size.height)
  }

  private func light(
    _ planes: LightPlanes, of shrinker: LightShrinker, reduction: Int
  ) -> Light {
    let (columns, rows) = (shrinker.columns, shrinker.rows)
    return Light(
      source: .planes(planes),
      step: SIMD2(
        Double(columns.count * reduction) / Double(shrinker.width),
        Double(rows.count * reduction) / Double(shrinker.height)),
      origin: SIMD2(Double(columns.lowerBound * reduction), Double(rows.lowerBound * reduction)),
      columns: 0..<shrinker.width, rows: 0..<shrinker.height)
  }
}
