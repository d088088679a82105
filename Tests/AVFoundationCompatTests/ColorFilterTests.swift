import AVFoundationCompat
import Testing

/// Color filters, and filters created by name.
@Suite struct ColorFilterTests {
  private typealias Color = SIMD3<Float>
  private static let color = Color(0.2, 0.5, 0.7)

  private func image(_ space: ImageColorSpace = .linearSRGB) -> CIImage {
    let color = Self.color
    return CIImage(
      RenderedImage(
        width: 1, height: 1, samples: .float([color.x, color.y, color.z]), colorSpace: space))
  }

  /// What a filter makes of ``color``, in the image's own color space.
  private func made(_ filter: CIFilter, _ space: ImageColorSpace = .linearSRGB) throws -> Color {
    filter.setValue(image(space), forKey: kCIInputImageKey)
    #expect(filter.error == nil)
    let result = try #require(filter.outputImage)
    let bitmap = try #require(
      CIContext().createCGImage(result, from: result.extent, format: .RGBAf)
    ).image
    #expect(bitmap.colorSpace == space)
    return Color(bitmap[0, 0, 0], bitmap[0, 0, 1], bitmap[0, 0, 2])
  }

  private func isNear(_ one: Color, _ other: Color) -> Bool {
    let difference = one - other
    return max(difference.max(), -difference.min()) < 1e-4
  }

  private func luminance(_ color: Color) -> Float {
    let (red, green, blue) = (0.2126 * color.x, 0.7152 * color.y, 0.0722 * color.z)
    return red + green + blue
  }

  @Test func saturation_brightness_and_contrast_apply_in_that_order() throws {
    let filter = CIFilter.colorControls()
    #expect(try isNear(made(filter), Self.color))
    filter.saturation = 0
    #expect(try isNear(made(filter), Color(repeating: luminance(Self.color))))
    filter.saturation = 2
    filter.brightness = 0.1
    filter.contrast = 1.5
    let gray = Color(repeating: luminance(Self.color))
    let colored = Self.color * 2 - gray
    let bright = colored + Color(repeating: 0.1)
    let distance = bright - Color(repeating: 0.5)
    #expect(try isNear(made(filter), distance * 1.5 + Color(repeating: 0.5)))
    filter.setDefaults()
    #expect(filter.inputImage != nil)
    #expect(try isNear(made(filter), Self.color))
  }

  @Test func exposure_inversion_and_sepia_filters_compute_their_colors() throws {
    let exposure = try #require(
      CIFilter(name: "CIExposureAdjust", parameters: [kCIInputEVKey: 1]))
    #expect(exposure is CIExposureAdjust && exposure.name == "CIExposureAdjust")
    #expect(try isNear(made(exposure), Self.color * 2))
    #expect(try isNear(made(CIFilter.colorInvert()), Color.one - Self.color))
    let sepia = CIFilter.sepiaTone()
    sepia.intensity = 0
    #expect(try isNear(made(sepia), Self.color))
    sepia.intensity = 1
    let brown = try made(sepia)
    #expect(brown.x > brown.y && brown.y > brown.z)
    #expect(abs(luminance(brown) - luminance(Self.color)) < 1e-3)
    sepia.intensity = 0.5
    #expect(try isNear(made(sepia), (brown + Self.color) * 0.5))
  }

  /// A table that maps red, green and blue to blue, 1 - red and half of green.
  private func table(_ side: Int) -> Data {
    let numbers = (0..<side * side * side).flatMap { entry -> [Float] in
      let step = 1 / Float(side - 1)
      let red = Float(entry % side) * step
      let green = Float(entry / side % side) * step
      let blue = Float(entry / side / side) * step
      return [blue, 1 - red, green * 0.5, 1]
    }
    return numbers.withUnsafeBytes { Data($0) }
  }

  @Test(arguments: [2, 5, 33])
  func a_color_cube_interpolates_between_its_entries(side: Int) throws {
    let wanted = Color(0.7, 0.8, 0.25)
    let cube = CIFilter.colorCube()
    #expect(try isNear(made(cube), Self.color))
    cube.setValue(side, forKey: "inputCubeDimension")
    #expect(side == 2 || cube.outputImage == nil)
    cube.setValue(table(side), forKey: "inputCubeData")
    #expect(try isNear(made(cube), wanted))
    let other = CIFilter.colorCubeWithColorSpace()
    other.cubeDimension = Float(side)
    other.cubeData = table(side)
    other.colorSpace = CGColorSpace(name: CGColorSpace.sRGB)
    #expect(try isNear(made(other, .sRGB), wanted))
  }

  @Test func a_color_cube_of_the_wrong_size_gives_no_image() throws {
    let cube = CIFilter.colorCube()
    cube.inputImage = image()
    cube.cubeDimension = 3
    #expect(cube.outputImage == nil)
    #expect(cube.error?.message.contains("inputCubeData") == true)
    cube.cubeDimension = .nan
    #expect(cube.outputImage == nil)
  }

  @Test func filters_are_listed_with_apples_input_keys() throws {
    #expect(
      CIFilter.filterNames(inCategory: nil) == [
        "CIAffineTransform", "CIAreaHistogram", "CIBlendWithMask", "CIColorControls",
        "CIColorCube", "CIColorCubeWithColorSpace", "CIColorInvert", "CIColorMatrix", "CICrop",
        "CIExposureAdjust", "CIGaussianBlur", "CILanczosScaleTransform", "CISepiaTone",
        "CISourceOverCompositing",
      ])
    let mask = try #require(CIFilter(name: "CIBlendWithMask"))
    #expect(
      mask.inputKeys == [kCIInputImageKey, kCIInputBackgroundImageKey, kCIInputMaskImageKey])
    let blur = CIFilter.gaussianBlur()
    blur.setValue(3, forKey: kCIInputRadiusKey)
    #expect(blur.radius == 3 && blur.value(forKey: kCIInputRadiusKey) as? Float == 3)
    blur.setValue("much", forKey: kCIInputRadiusKey)
    #expect(blur.error?.message.contains(kCIInputRadiusKey) == true)
    let controls: [String: Any] = [
      kCIInputSaturationKey: 0.5, kCIInputBrightnessKey: 0.1, kCIInputContrastKey: 1.2,
    ]
    let color = try #require(CIFilter(name: "CIColorControls", parameters: controls))
    #expect(color.error == nil && (color as? CIColorControls)?.contrast == 1.2)
    let scale = try #require(
      CIFilter(
        name: "CILanczosScaleTransform",
        parameters: [kCIInputScaleKey: 0.5, kCIInputAspectRatioKey: 1, kCIInputImageKey: image()]))
    let wanted = try #require(scale.outputImage)
    #expect((scale.value(forKey: kCIOutputImageKey) as? CIImage)?.extent == wanted.extent)
    scale.setValue(0, forKey: kCIInputScaleKey)
    #expect(scale.outputImage == nil && scale.error != nil)
    let area = CGRect(x: 1, y: 2, width: 3, height: 4)
    #expect(CIVector(cgRect: area).cgRectValue == area)
    let histogram = CIFilter.areaHistogram()
    histogram.setValue(CIVector(cgRect: area), forKey: kCIInputExtentKey)
    #expect(histogram.extent == area && histogram.error == nil)
    let brown = CIFilter(name: "CISepiaTone", parameters: [kCIInputIntensityKey: 0.3])
    #expect((brown as? CISepiaTone)?.intensity == 0.3)
  }

  @Test func a_filter_created_by_name_has_the_matching_class() {
    #expect(CIFilter(name: "CIAffineTransform") is CIAffineTransform)
    #expect(CIFilter(name: "CIBlendWithMask") is CIBlendWithMask)
    #expect(CIFilter(name: "CIColorCube") is CIColorCube)
    #expect(CIFilter(name: "CIColorCubeWithColorSpace") is CIColorCubeWithColorSpace)
    #expect(CIFilter(name: "CIColorInvert") is CIColorInvert)
    #expect(CIFilter(name: "CICrop") is CICrop)
    #expect(CIFilter(name: "CIGaussianBlur") is CIGaussianBlur)
    #expect(CIFilter(name: "CILanczosScaleTransform") is CILanczosScaleTransform)
    #expect(CIFilter(name: "CISourceOverCompositing") is CISourceOverCompositing)
    let none: (any CIFilterByName)? = CIFilter(name: "cicrop")
    #expect(none == nil)
    #expect(CIFilter.sourceOverCompositing().name == "CISourceOverCompositing")
  }

  @Test func unknown_filters_and_wrong_inputs_are_refused() throws {
    #expect(CIFilter(name: "CIPhotoEffectNoir") == nil)
    #expect(!CIFilter.filterNames(inCategory: nil).contains("CIPhotoEffectNoir"))
    for name in CIFilter.filterNames(inCategory: nil) {
      let filter = try #require(CIFilter(name: name))
      #expect(filter.name == name && filter.inputKeys.contains(kCIInputImageKey))
      #expect(filter.outputKeys == [kCIOutputImageKey] && filter.outputImage == nil)
    }
    func error(_ image: CIImage) -> String? {
      var bytes = [UInt8](repeating: 0, count: 4)
      return CIContext().render(
        image, toBitmap: &bytes, rowBytes: 4, bounds: CGRect(x: 0, y: 0, width: 1, height: 1),
        format: .RGBA8, colorSpace: nil)?.message
    }
    #expect(
      error(image().applyingFilter("CIPhotoEffectNoir"))?.contains("CIPhotoEffectNoir") == true)
    let odd = image().applyingFilter("CIGaussianBlur", parameters: ["inputRadios": 3])
    #expect(error(odd)?.contains("inputRadios") == true)
    #expect(error(odd.composited(over: image())) != nil)
    #expect(error(image().applyingGaussianBlur(sigma: -1)) != nil)
    #expect(error(image().applyingFilter("CIColorInvert")) == nil)
  }
}
