import DNG
import MediaCore

extension Developer {
  /// The camera colors at a pixel of the whole, unscaled, turned image.
  func cameraColor(x: Int, y: Int) throws(RawDevelopError) -> [Double] {
    var full = self
    full.settings.scale = 1
    full.settings.crop = nil
    full.settings.recoversHighlights = false
    let (width, height) = full.size
    let orientation = settings.orientation ?? negative.metadata.orientation
    let (column, row) = orientation.stored(x: x, y: y, width: width, height: height)
    guard (0..<width).contains(column), (0..<height).contains(row) else {
      throw RawDevelopError(
        .invalidArgument, "pixel \(x), \(y) is outside the image of \(width)x\(height)")
    }
    guard !negative.isMonochrome else {
      throw RawDevelopError(.unsupported, "a monochrome image has no white balance")
    }
    let linearization = try linearization()
    let (shown, extent) = (full.shownArea, full.trimmedExtent)
    // Convert to the file's pixels, before pixels were made square and after opcodes trimmed the image.
    let centerX = extent.left + shown.left + column * shown.width / width
    let centerY = extent.top + shown.top + row * shown.height / height
    let area = linearization.area
    var (sums, counts) = ([0.0, 0, 0], [0.0, 0, 0])
    let rows = (centerY - 2..<centerY + 3).clamped(to: 0..<area.height)
    withUnsafeTemporaryAllocation(
      of: Float.self, capacity: area.width * linearization.components
    ) { line in
      guard let light = line.baseAddress else { return }
      for y in rows {
        linearization.linearize(y..<y + 1, into: light)
        for x in (centerX - 2..<centerX + 3).clamped(to: 0..<area.width) {
          for color in 0..<linearization.components {
            let place = negative.pattern.map { Int($0.color(row: y, column: x).rawValue) } ?? color
            sums[place] += Double(light[x * linearization.components + color])
            counts[place] += 1
          }
        }
      }
    }
    let color = zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
    guard color.allSatisfy({ $0 > 0.001 && $0 < 0.99 }) else {
      throw RawDevelopError(
        .invalidArgument, "the image is black or clipped at \(x), \(y); choose a gray spot")
    }
    return color
  }
}
