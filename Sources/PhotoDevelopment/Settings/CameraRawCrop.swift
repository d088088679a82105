import Foundation
import RawDevelop

/// Camera Raw's crop in XMP.
enum CameraRawCrop {
  private static let sides = ["CropLeft", "CropTop", "CropRight", "CropBottom"]

  /// The crop; nil if there is none, or if it is unusable, in which case it is added to `unknown`.
  static func read(_ packet: XMPDocument, _ unknown: inout [String]) -> ImageCrop? {
    guard packet[.cameraRaw, "HasCrop"]?.lowercased() == "true" else { return nil }
    let texts = sides.map { packet[.cameraRaw, $0] }
    let numbers = texts.compactMap { $0.flatMap(CameraRawSettings.number) }
    let angle = packet[.cameraRaw, "CropAngle"]
    if numbers.count == sides.count,
      let degrees = angle.map({ CameraRawSettings.number($0) }) ?? 0,
      let crop = ImageCrop(
        left: numbers[0], top: numbers[1], right: numbers[2], bottom: numbers[3], angle: degrees)
    {
      return crop
    }
    let found = zip(sides + ["CropAngle"], texts + [angle]).compactMap { name, text in
      text.map { "\(name) = \($0)" }
    }
    unknown.append((["HasCrop = True"] + found).joined(separator: ", "))
    return nil
  }

  /// Sets a packet's crop.
  static func write(_ crop: ImageCrop, to packet: inout XMPDocument) {
    for (name, number) in zip(sides, [crop.left, crop.top, crop.right, crop.bottom]) {
      packet[.cameraRaw, name] = text(number)
    }
    packet[.cameraRaw, "CropAngle"] = text(crop.angle)
    packet[.cameraRaw, "HasCrop"] = "True"
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : "\(number)"
  }
}
