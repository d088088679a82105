public import DNG
import MediaCore

extension LinearNegative {
  /// Merges frames of one scene into a negative; the first is the reference.
  ///
  /// - Throws: What merging throws.
  public init(
    merging frames: [SensorFrame], metadata: PhotoMetadata = PhotoMetadata()
  ) throws(RawPhotoError) {
    let merged = try FrameMerger(frames).merge()
    let reference = frames[0]
    let mosaic = merged.light.balanced(reference.neutral, reference.pattern)
    let image = Demosaic.interpolate(mosaic, reference.pattern)
    self.init(
      image: image, headroom: merged.headroom, noise: merged.noise,
      displacements: merged.shifts.medians.prefix(frames.count - 1).map { 2 * $0 },
      calibration: reference.calibration, metadata: metadata,
      recipe: Self.recipe(image, headroom: merged.headroom))
  }

  /// A recipe suited to the scene.
  private static func recipe(_ image: LinearImage, headroom: Double) -> RenderRecipe {
    let (columns, rows) = (min(16, image.width), min(12, image.height))
    let means = ConcurrentMap.map(columns * rows) { index in
      let (column, row) = (index % columns, index / columns)
      // The region around the point, 1.5 times as wide and high as the distance between points.
      let x = span(column, columns, image.width)
      let y = span(row, rows, image.height)
      var (sum, count) = (0.0, 0)
      for line in stride(from: y.lowerBound, to: y.upperBound, by: 4) {
        for place in stride(from: x.lowerBound, to: x.upperBound, by: 4) {
          let light = image[line, place]
          let gray = 0.288 * light.x + 0.712 * light.y
          sum += Double.log2(Double(max(gray, 1e-4)))
          count += 1
        }
      }
      return sum / Double(max(count, 1))
    }
    return RenderRecipe(
      baselineExposure: .log2(headroom), storedScale: 1 / headroom,
      gainMap: GainMap(means: means, columns: columns, rows: rows, headroom: headroom),
      toneCurve: .standard)
  }

  private static func span(_ index: Int, _ count: Int, _ length: Int) -> Range<Int> {
    let step = Double(length) / Double(count)
    let first = Int(max((Double(index) - 0.25) * step, 0))
    let last = Int(min((Double(index) + 1.25) * step, Double(length)))
    return first..<max(last, first + 1)
  }

  /// The image rendered by its recipe: interleaved sRGB bytes.
  public func renderedPixels() -> [UInt8] { rendering().bytes }

  /// The image rendered by its recipe.
  func rendering() -> Rendering {
    Rendering(width: image.width, height: image.height, pixels: recipe.render(image, calibration))
  }
}
