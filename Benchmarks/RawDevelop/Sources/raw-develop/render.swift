import DNG
import Foundation
import RawDevelop

/// Develops a file with the settings in the arguments.
func render(_ file: String, _ output: String, _ words: ArraySlice<String>) throws {
  var settings: [String: Float] = [:]
  for word in words {
    let parts = word.split(separator: "=")
    settings[String(parts[0])] = parts.count > 1 ? Float(parts[1]) ?? 0 : 1
  }
  let bytes = try Data(contentsOf: URL(filePath: file))
  var seconds = Double.infinity
  for round in 1...max(Int(settings["rounds"] ?? 1), 1) {
    let start = ContinuousClock.now
    var filter = try RAWFilter(data: [UInt8](bytes))
    if settings["linear"] != nil {
      filter.useLinearOutput()
      filter.colorSpace = .linearSRGB
      filter.sampleFormat = .float
      filter.isHighlightRecoveryEnabled = false
    }
    if settings["plain"] != nil {
      // Only what Adobe's SDK does too.
      filter.isGamutMappingEnabled = false
      filter.isHighlightRecoveryEnabled = false
      filter.orientation = .up
    }
    if settings["d65"] != nil { filter.neutralChromaticity = SIMD2(0.3127, 0.3290) }
    if settings["bits"] == 8 { filter.sampleFormat = .uint8 }
    filter.luminanceNoiseReductionAmount = settings["noise"] ?? 0
    filter.colorNoiseReductionAmount = settings["noise"] ?? 0
    filter.sharpnessAmount = settings["sharpness"] ?? 0
    filter.scaleFactor = settings["scale"] ?? 1
    let image = try filter.outputImage()
    seconds = min(seconds, (ContinuousClock.now - start) / .seconds(1))
    if round > 1 { continue }
    let data =
      switch image.samples {
      case .uint8(let samples): Data(samples)
      case .uint16(let samples), .half(let samples): samples.withUnsafeBytes { Data($0) }
      case .float(let samples): samples.withUnsafeBytes { Data($0) }
      }
    try data.write(to: URL(filePath: output))
    print(image.width, image.height, terminator: " ")
  }
  print(seconds)
}
