// Edits a raw photo with Core Image's names, in the order of session 10160 of WWDC 2021.
//
//   edit-raw PHOTO.dng FOLDER     prints what the photo contains, and writes its renderings to FOLDER
//
// Renderings are raw pixels: rows of red, green, blue and alpha, from the top.
import AVFoundationCompat

enum EditError: Error {
  case notDeveloped(String)
}

struct RAWEditor {
  let url: URL
  let folder: URL
  let context = CIContext()

  /// Prints what a photo offers before it is developed.
  func showParts() throws {
    if let source = CGImageSourceCreateWithURL(url, nil),
      let preview = CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
    {
      print("preview", Int(CIImage(cgImage: preview).extent.width), preview.height)
    }
    guard let filter = CIRAWFilter(imageURL: url) else {
      throw EditError.notDeveloped("\(url.path) is no photo that can be developed")
    }
    print("size", Int(filter.nativeSize.width), Int(filter.nativeSize.height))
    let mattes = [
      ("people", filter.portraitEffectsMatte), ("skin", filter.semanticSegmentationSkinMatte),
      ("sky", filter.semanticSegmentationSkyMatte),
    ]
    for (name, matte) in mattes {
      if let matte { print("matte", name, Int(matte.extent.width), Int(matte.extent.height)) }
    }
    let option = CIImageOption.auxiliarySemanticSegmentationSkinMatte
    let skin = CIImage(contentsOf: url, options: [option: true])
    print("skin by option", skin != nil)
  }

  /// The look that the file describes, and a brighter one set by keys, as programs did before there were
  /// properties.
  func renderByKeys() throws {
    guard let look = CIImage(contentsOf: url, options: nil), let filter = CIFilter(imageURL: url)
    else {
      throw EditError.notDeveloped(url.path)
    }
    try save(look, "look", .RGBA8, CGColorSpace.displayP3)
    filter.setValue(1.0, forKey: CIRAWFilterOption.exposure.rawValue)
    guard let brighter = filter.outputImage else { throw EditError.notDeveloped(url.path) }
    try save(brighter, "brighter", .RGBA8, CGColorSpace.displayP3)
  }

  /// The settings that photographers change most.
  func renderAdjusted() throws {
    let filter = try editor()
    filter.exposure = -1
    filter.neutralTemperature = 6500
    filter.neutralTint = 0
    filter.sharpnessAmount = 0.5
    filter.localToneMapAmount = 0.5
    try save(filter.outputImage, "adjusted", .RGBA16, CGColorSpace.displayP3)
  }

  /// Writes 8-bit and 10-bit HEIF files.
  func export() throws {
    let filter = try editor()
    guard let image = filter.outputImage,
      let space = CGColorSpace(name: CGColorSpace.displayP3)
    else { throw EditError.notDeveloped(url.path) }
    try context.writeHEIFRepresentation(
      of: image, to: folder.appending(path: "8-bit.heic"), format: .RGBA8, colorSpace: space)
    try context.writeHEIF10Representation(
      of: image, to: folder.appending(path: "10-bit.heic"), colorSpace: space)
    print("exported 8-bit.heic and 10-bit.heic")
  }

  /// The scene's light, without everything that makes the default look.
  func renderLinear() throws {
    let filter = try editor()
    filter.baselineExposure = 0
    filter.shadowBias = 0
    filter.boostAmount = 0
    filter.localToneMapAmount = 0
    filter.isGamutMappingEnabled = false
    guard let light = filter.outputImage else { throw EditError.notDeveloped(url.path) }
    let histogram = CIFilter.areaHistogram()
    histogram.inputImage = light
    histogram.extent = light.extent
    histogram.count = 16
    if let bins = histogram.outputImage { print("bins", Int(bins.extent.width)) }
    try save(light, "linear", .RGBAh, CGColorSpace.extendedLinearITUR_2020)
  }

  /// For displays brighter than white.
  func renderExtended() throws {
    let filter = try editor()
    filter.extendedDynamicRangeAmount = 1
    try save(filter.outputImage, "extended", .RGBAh, CGColorSpace.extendedLinearDisplayP3)
  }

  private func editor() throws -> CIRAWFilter {
    guard let filter = CIRAWFilter(imageURL: url) else { throw EditError.notDeveloped(url.path) }
    return filter
  }

  /// Renders into memory, and writes the pixels to a file.
  private func save(
    _ image: CIImage?, _ name: String, _ format: CIFormat, _ space: CFString
  ) throws {
    guard let image else { throw EditError.notDeveloped("no image for \(name)") }
    let (width, height) = (Int(image.extent.width), Int(image.extent.height))
    let rowBytes = width * (format == .RGBA8 ? 4 : 8)
    var pixels = Data(count: rowBytes * height)
    try pixels.withUnsafeMutableBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      let destination = CIRenderDestination(
        bitmapData: memory, width: width, height: height, bytesPerRow: rowBytes, format: format)
      destination.colorSpace = CGColorSpace(name: space)
      let task = try context.startTask(
        toRender: image, from: image.extent, to: destination, at: .zero)
      try task.waitUntilCompleted()
    }
    try pixels.write(to: folder.appending(path: "\(name).rgba"))
    print("rendered", name, width, height)
  }
}

@main
enum EditRAW {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: edit-raw PHOTO.dng FOLDER\n".utf8))
      exit(2)
    }
    let editor = RAWEditor(url: URL(filePath: arguments[1]), folder: URL(filePath: arguments[2]))
    do {
      try editor.showParts()
      try editor.renderByKeys()
      try editor.renderAdjusted()
      try editor.export()
      try editor.renderLinear()
      try editor.renderExtended()
    } catch {
      FileHandle.standardError.write(Data("edit-raw: \(error)\n".utf8))
      exit(1)
    }
  }
}
