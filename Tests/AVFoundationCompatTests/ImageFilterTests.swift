import AVFoundationCompat
import Testing

/// Image filters, compared with plain arithmetic in linear light.
@Suite struct ImageFilterTests {
  private typealias Color = SIMD3<Float>

  private static func image(_ width: Int, _ colors: [Color]) -> CIImage {
    CIImage(
      RenderedImage(
        width: width, height: colors.count / width,
        samples: .float(colors.flatMap { [$0.x, $0.y, $0.z] }), colorSpace: .linearSRGB))
  }

  /// Seven by five pixels without a pattern.
  private static let colors: [Color] = (0..<35).map { place -> Color in
    let red = Float(place * 37 % 101)
    let green = Float(place * 59 % 103)
    let blue = Float(place * 83 % 107)
    return Color(red / 110, green / 110, blue / 110)
  }
  private static let image = image(7, colors)

  /// The pixels of an area in linear light, from the top row down.
  private func light(_ image: CIImage, _ area: CGRect? = nil) throws -> [Color] {
    let space = try #require(CGColorSpace(name: CGColorSpace.extendedLinearSRGB))
    let area = area ?? image.extent
    let (width, height) = (Int(area.width), Int(area.height))
    var numbers = [Float](repeating: -1, count: 4 * width * height)
    let error = numbers.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map {
        CIContext().render(
          image, toBitmap: $0, rowBytes: 16 * width, bounds: area, format: .RGBAf,
          colorSpace: space)
      } ?? nil
    }
    #expect(error == nil)
    return (0..<width * height).map {
      Color(numbers[4 * $0], numbers[4 * $0 + 1], numbers[4 * $0 + 2])
    }
  }

  private func expect(
    _ made: [Color], _ wanted: [Color], within tolerance: Float = 1e-4,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(made.count == wanted.count, sourceLocation: location)
    for (one, other) in zip(made, wanted) {
      let distance = (one - other).max() - min((one - other).min(), 0)
      #expect(distance <= tolerance, "\(one), not \(other)", sourceLocation: location)
    }
  }

  // MARK: Edges and blur

  @Test func clamping_extends_edges_infinitely() throws {
    let endless = Self.image.clampedToExtent()
    #expect(endless.extent.isInfinite)
    let area = CGRect(x: -2, y: -1, width: 11, height: 8)
    let wanted = (0..<8).flatMap { row -> [Color] in
      (0..<11).map { column -> Color in
        let (line, place) = (min(max(row - 2, 0), 4), min(max(column - 2, 0), 6))
        return Self.colors[7 * line + place]
      }
    }
    try expect(light(endless.cropped(to: area)), wanted)
    let far = endless.cropped(to: CGRect(x: 900, y: 900, width: 1, height: 1))
    try expect(light(far), [Self.colors[6]])
    let moved = endless.transformed(by: CGAffineTransform(translationX: 3, y: -2))
    try expect(light(moved, area.offsetBy(dx: 3, dy: -2)), wanted)
    let part = Self.image.clamped(to: CGRect(x: 1, y: 4, width: 1, height: 1))
    try expect(
      light(part, CGRect(x: 50, y: 0, width: 2, height: 1)), [Self.colors[1], Self.colors[1]])
  }

  /// A weighted blur in two dimensions. `outside` gives a pixel beyond the edges by row and column.
  private func blurred(
    _ sigma: Double, rows: Range<Int>, columns: Range<Int>, outside: (Int, Int) -> Color
  ) -> [Color] {
    let reach = Int((3 * sigma).rounded(.up))
    return rows.flatMap { row -> [Color] in
      columns.map { column -> Color in
        var (sum, total) = (SIMD3<Double>.zero, 0.0)
        for y in -reach...reach {
          for x in -reach...reach {
            let weight = exp(-Double(x * x + y * y) / (2 * sigma * sigma))
            let (line, place) = (row + y, column + x)
            let isInside = (0..<5).contains(line) && (0..<7).contains(place)
            let color = isInside ? Self.colors[7 * line + place] : outside(line, place)
            sum += weight * SIMD3<Double>(color)
            total += weight
          }
        }
        return Color(sum / total)
      }
    }
  }

  @Test(arguments: [0.6, 1.5, 4])
  func a_gaussian_blur_assumes_black_beyond_the_image(sigma: Double) throws {
    let made = Self.image.applyingGaussianBlur(sigma: sigma)
    let reach = Int((3 * sigma).rounded(.up))
    #expect(
      made.extent == CGRect(x: -reach, y: -reach, width: 7 + 2 * reach, height: 5 + 2 * reach))
    try expect(
      light(made),
      blurred(sigma, rows: -reach..<5 + reach, columns: -reach..<7 + reach) { _, _ in .zero })
    #expect(Self.image.applyingGaussianBlur(sigma: 0) === Self.image)
  }

  @Test func blurring_a_clamped_image_keeps_its_edges_bright() throws {
    let made = Self.image.clampedToExtent().applyingGaussianBlur(sigma: 2)
      .cropped(to: Self.image.extent)
    #expect(made.extent == Self.image.extent)
    try expect(
      light(made),
      blurred(2, rows: 0..<5, columns: 0..<7) { row, column in
        Self.colors[7 * min(max(row, 0), 4) + min(max(column, 0), 6)]
      })
    let gray = Self.image(2, Array(repeating: Color(repeating: 0.3), count: 4))
    let still = gray.clampedToExtent().applyingGaussianBlur(sigma: 9).cropped(to: gray.extent)
    try expect(light(still), Array(repeating: Color(repeating: 0.3), count: 4))
  }

  // MARK: Mixing

  @Test func a_mask_blends_an_image_with_its_background() throws {
    let mask = Self.image(3, [.zero, Color(repeating: 0.25), .one])
    let filter = CIFilter.blendWithMask()
    filter.inputImage = CIImage(color: .white)
    filter.backgroundImage = Self.image
    filter.maskImage = mask
    let made = try #require(filter.outputImage)
    #expect(made.extent == Self.image.extent)
    var wanted = Self.colors
    wanted[29] = wanted[29] * 0.75 + 0.25
    wanted[30] = .one
    try expect(light(made), wanted)
    filter.maskImage = nil
    try expect(light(try #require(filter.outputImage)), Self.colors)
  }

  @Test func source_over_compositing_places_one_image_on_another() throws {
    let top = Self.image(1, [.one]).transformed(by: CGAffineTransform(translationX: 6, y: 4))
    let made = top.applyingFilter(
      "CISourceOverCompositing", parameters: [kCIInputBackgroundImageKey: Self.image])
    var wanted = Self.colors
    wanted[6] = .one
    try expect(light(made), wanted)
  }

  // MARK: Shape

  @Test func cropping_and_transforming_work_as_named_filters() throws {
    let part = CGRect(x: 2, y: 1, width: 2, height: 1)
    let filter = try #require(CIFilter(name: "CICrop"))
    filter.setValue(Self.image, forKey: kCIInputImageKey)
    filter.setValue(CIVector(cgRect: part), forKey: "inputRectangle")
    try expect(light(try #require(filter.outputImage)), [Self.colors[23], Self.colors[24]])
    let moved = Self.image.applyingFilter(
      "CIAffineTransform",
      parameters: [kCIInputTransformKey: CGAffineTransform(translationX: 10, y: 0)])
    #expect(moved.extent.minX == 10)
  }

  @Test func invalid_rectangles_and_transforms_are_refused() throws {
    let (none, endless) = (CGFloat.nan, CGFloat.infinity)
    let identity = CGAffineTransform.identity
    for rect in [
      CGRect(x: none, y: 0, width: 4, height: 4), CGRect(x: 0, y: 0, width: none, height: 4),
      CGRect(x: -endless, y: 0, width: 4, height: 4),
      CGRect(x: 0, y: -endless, width: 4, height: endless),
    ] {
      let images = [
        Self.image.cropped(to: rect), Self.image.clamped(to: rect),
        Self.image.composited(over: Self.image).cropped(to: rect),
      ]
      for image in images {
        #expect(CIContext().createCGImage(image, from: Self.image.extent) == nil)
      }
      let histogram = CIFilter.areaHistogram()
      (histogram.inputImage, histogram.extent) = (Self.image, rect)
      #expect(histogram.outputImage == nil)
      #expect(CIContext().createCGImage(Self.image, from: rect) == nil)
    }
    for number in [none, endless] {
      for transform in [
        CGAffineTransform(a: number, b: 0, c: 0, d: 1, tx: 0, ty: 0),
        CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: number, ty: 0),
      ] {
        let image = Self.image.transformed(by: transform)
        #expect(CIContext().createCGImage(image, from: image.extent) == nil)
        let twice = Self.image.transformed(by: identity).transformed(by: transform)
        #expect(CIContext().createCGImage(twice, from: twice.extent) == nil)
      }
    }
    // A curve so narrow that its square is 0.
    expect(try light(Self.image.applyingGaussianBlur(sigma: 1e-200)), Self.colors)
  }

  @Test func extreme_scale_factors_are_refused() {
    let filter = CIFilter.lanczosScaleTransform()
    filter.inputImage = Self.image
    for (scale, aspect) in [
      (Float(1e-20), Float(1)), (1, 1e-20), (1e-3, 1e-3), (.infinity, 1), (.nan, 1), (3e38, 3e38),
    ] {
      (filter.scale, filter.aspectRatio) = (scale, aspect)
      #expect(filter.outputImage == nil && filter.error?.message.contains("inputScale") == true)
    }
    (filter.scale, filter.aspectRatio) = (1e-4, 1)
    #expect(filter.outputImage?.extent.size == CGSize(width: 1, height: 1))
  }

  @Test func lanczos_scaling_follows_its_formula() throws {
    let filter = CIFilter.lanczosScaleTransform()
    filter.inputImage = Self.image
    filter.scale = 2
    filter.aspectRatio = 0.25
    let made = try #require(filter.outputImage)
    #expect(made.extent == CGRect(x: 0, y: 0, width: 4, height: 10))
    func weight(_ x: Double) -> Double {
      guard abs(x) < 3, x != 0 else { return x == 0 ? 1 : 0 }
      let angle = Double.pi * x
      let lobes = sin(angle) * sin(angle / 3)
      return 3 * lobes / (angle * angle)
    }
    /// The weights of the source's pixels for one new pixel. Those beyond the edges count for the
    /// edge pixels.
    func weights(_ index: Int, _ scale: Double, _ count: Int) -> [Double] {
      let center = (Double(index) + 0.5) / scale - 0.5
      var made = [Double](repeating: 0, count: count)
      for place in -20...20 {
        made[min(max(place, 0), count - 1)] += weight((Double(place) - center) * min(scale, 1))
      }
      return made.map { $0 / made.reduce(0, +) }
    }
    let wanted = (0..<10).flatMap { row -> [Color] in
      (0..<4).map { column -> Color in
        let (down, across) = (weights(row, 2, 5), weights(column, 0.5, 7))
        var sum = Color.zero
        for place in 0..<35 {
          let weight = Float(down[place / 7] * across[place % 7])
          sum += Self.colors[place] * weight
        }
        return sum
      }
    }
    try expect(light(made), wanted)
  }
}
