import DNG
import Foundation
import TIFF

extension PhotoMetadata {
  /// Applies properties by Image I/O's names. `NSNull` for a dictionary or one of its values removes the existing
  /// value.
  ///
  /// - Returns: The properties that no file can store or that have the wrong type, such as `{GPS}.Speed`. Properties
  ///   that every file derives from its own pixels are not included.
  mutating func take(_ properties: [String: Any]) -> [String] {
    var left: [String] = []
    for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
      let parts = value as? [String: Any] ?? [:]
      let isTaken =
        switch key {
        case kCGImagePropertyOrientation: take(turn: value)
        case kCGImagePropertyTIFFDictionary, kCGImagePropertyExifDictionary,
          kCGImagePropertyGPSDictionary:
          value is NSNull || value is [String: Any]
        default: Self.ofPixels.contains(key) || Self.options.contains(key)
        }
      if !isTaken { left.append(key) }
      switch key {
      case kCGImagePropertyTIFFDictionary: take(tiff: value is NSNull ? nil : parts, &left)
      case kCGImagePropertyExifDictionary: take(exif: value is NSNull ? nil : parts, &left)
      case kCGImagePropertyGPSDictionary: take(gps: value is NSNull ? nil : parts, &left)
      default: break
      }
    }
    return left
  }

  /// Properties derived from each file's own pixels.
  private static let ofPixels: Set<String> = [
    kCGImagePropertyPixelWidth, kCGImagePropertyPixelHeight, kCGImagePropertyDepth,
    kCGImagePropertyColorModel, kCGImagePropertyProfileName, kCGImagePropertyHasAlpha,
    kCGImagePropertyIsFloat, kCGImagePropertyIsIndexed, kCGImagePropertyPixelFormat,
    kCGImagePropertyFileSize, kCGImagePropertyJFIFDictionary, kCGImagePropertyPNGDictionary,
  ]

  /// Options that a destination or a photo's file handles itself.
  private static let options: Set<String> = [
    kCGImageDestinationLossyCompressionQuality, kCGImageDestinationImageMaxPixelSize,
    kCGImageDestinationOptimizeColorForSharing, kCGImageDestinationBackgroundColor,
    kCGImageDestinationEmbedThumbnail, kCGImageMetadataShouldExcludeGPS,
    kCGImageMetadataShouldExcludeXMP,
  ]

  private mutating func take(turn value: Any) -> Bool {
    let number = value as? Int ?? (value as? UInt32).map(Int.init) ?? (value as? NSNumber)?.intValue
    guard let number, let turn = UInt16(exactly: number).flatMap(Orientation.init) else {
      return false
    }
    orientation = turn
    return true
  }

  private mutating func take(tiff values: [String: Any]?, _ left: inout [String]) {
    guard let values else {
      (make, model, artist, copyright, imageDescription) = (nil, nil, nil, nil, nil)
      return
    }
    let texts: [String: WritableKeyPath<PhotoMetadata, String?>] = [
      kCGImagePropertyTIFFMake: \.make, kCGImagePropertyTIFFModel: \.model,
      kCGImagePropertyTIFFArtist: \.artist, kCGImagePropertyTIFFCopyright: \.copyright,
      kCGImagePropertyTIFFImageDescription: \.imageDescription,
    ]
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      var isTaken = Self.ofTIFFPixels.contains(key)
      if let path = texts[key] {
        isTaken = value is String || value is NSNull
        if isTaken { self[keyPath: path] = value as? String }
      } else if key == kCGImagePropertyTIFFSoftware, let text = value as? String {
        (software, isTaken) = (text, true)
      } else if key == kCGImagePropertyTIFFOrientation {
        isTaken = take(turn: value)
      } else if key == kCGImagePropertyTIFFDateTime {
        // If EXIF has the exposure time, it takes precedence.
        isTaken = date != nil || take(time: value as? String, zone: nil)
      }
      if !isTaken { left.append("\(kCGImagePropertyTIFFDictionary).\(key)") }
    }
  }

  private static let ofTIFFPixels: Set<String> = [
    kCGImagePropertyTIFFCompression, kCGImagePropertyTIFFPhotometricInterpretation,
    kCGImagePropertyTIFFTileWidth, kCGImagePropertyTIFFTileLength,
  ]

  /// - Parameter text: The time in EXIF form.
  fileprivate mutating func take(time text: String?, zone: String?) -> Bool {
    let known = zone.flatMap(EXIFZone.seconds).flatMap { TimeZone(secondsFromGMT: $0) }
    guard let text, let time = EXIFTime.date(text, in: known ?? .gmt) else { return false }
    (date, timeZone, isTimeZoneKnown) = (time, known ?? .gmt, known != nil)
    return true
  }
}

extension PhotoMetadata {
  fileprivate mutating func take(exif values: [String: Any]?, _ left: inout [String]) {
    guard let values else {
      (date, exposureTime, fNumber, isoSpeed) = (nil, nil, nil, nil)
      (focalLength, exposureBias, lensModel, serialNumber) = (nil, nil, nil, nil)
      carried.exif = [:]
      return
    }
    if let time = values[kCGImagePropertyExifDateTimeOriginal], !(time is NSNull) {
      let zone =
        values[kCGImagePropertyExifOffsetTimeOriginal] ?? values[kCGImagePropertyExifOffsetTime]
      let isTaken = take(time: time as? String, zone: zone as? String)
      if !isTaken {
        left.append("\(kCGImagePropertyExifDictionary).\(kCGImagePropertyExifDateTimeOriginal)")
      } else if let digits = values[kCGImagePropertyExifSubsecTimeOriginal] as? String {
        date = date?.addingTimeInterval(Double("0.\(digits)") ?? 0)
      }
    }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) where !Self.ofEXIF.contains(key) {
      if !take(key, value) { left.append("\(kCGImagePropertyExifDictionary).\(key)") }
    }
  }

  /// Properties derived from each file's own pixels, and times, which are applied together.
  private static let ofEXIF: Set<String> = [
    kCGImagePropertyExifVersion, kCGImagePropertyExifFlashPixVersion,
    kCGImagePropertyExifComponentsConfiguration, kCGImagePropertyExifColorSpace,
    kCGImagePropertyExifPixelXDimension, kCGImagePropertyExifPixelYDimension,
    kCGImagePropertyExifDateTimeOriginal, kCGImagePropertyExifOffsetTime,
    kCGImagePropertyExifOffsetTimeOriginal, kCGImagePropertyExifSubsecTime,
    kCGImagePropertyExifSubsecTimeOriginal,
  ]

  private mutating func take(_ key: String, _ value: Any) -> Bool {
    let numbers: [String: WritableKeyPath<PhotoMetadata, Double?>] = [
      kCGImagePropertyExifExposureTime: \.exposureTime, kCGImagePropertyExifFNumber: \.fNumber,
      kCGImagePropertyExifFocalLength: \.focalLength,
      kCGImagePropertyExifExposureBiasValue: \.exposureBias,
      kCGImagePropertyExifISOSpeedRatings: \.isoSpeed,
    ]
    if let path = numbers[key] {
      let number = ImageProperty.numbers(value)?.first
      guard number != nil || value is NSNull else { return false }
      self[keyPath: path] = number
      return true
    }
    let texts: [String: WritableKeyPath<PhotoMetadata, String?>] = [
      kCGImagePropertyExifLensModel: \.lensModel,
      kCGImagePropertyExifBodySerialNumber: \.serialNumber,
    ]
    if let path = texts[key] {
      guard value is String || value is NSNull else { return false }
      self[keyPath: path] = value as? String
      return true
    }
    guard let property = ImageProperty.exif.first(where: { $0.name == key }) else { return false }
    if value is NSNull {
      carried.exif[property.tag] = nil
      return true
    }
    guard let made = property.written(value, ImageProperty.exifTypes) else { return false }
    carried.exif[property.tag] = made
    return true
  }

  fileprivate mutating func take(gps values: [String: Any]?, _ left: inout [String]) {
    guard let values else {
      location = nil
      carried.gps = [:]
      return
    }
    func path(_ key: String) -> String { "\(kCGImagePropertyGPSDictionary).\(key)" }
    func angle(_ key: String, _ reference: String, _ names: (String, String), _ limit: Double)
      -> Double?
    {
      guard let number = ImageProperty.numbers(values[key])?.first,
        (-limit...limit).contains(number)
      else { return nil }
      let side = (values[reference] as? String)?.uppercased()
      guard side == nil || side == names.0 || side == names.1 else { return nil }
      return side == nil ? number : side == names.1 ? -number.magnitude : number.magnitude
    }
    let keys = [
      kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, kCGImagePropertyGPSLongitude,
      kCGImagePropertyGPSLongitudeRef, kCGImagePropertyGPSAltitude, kCGImagePropertyGPSAltitudeRef,
      kCGImagePropertyGPSVersion,
    ]
    let (north, east) = (
      angle(kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, ("N", "S"), 90),
      angle(kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, ("E", "W"), 180)
    )
    if let north, let east {
      location = Location(latitude: north, longitude: east, altitude: location?.altitude)
    } else if values[keys[0]] != nil || values[keys[2]] != nil {
      left += [keys[0], keys[2]].map { path($0) }
    }
    if let height = ImageProperty.numbers(values[kCGImagePropertyGPSAltitude])?.first {
      let isBelow = ImageProperty.numbers(values[kCGImagePropertyGPSAltitudeRef])?.first == 1
      if location == nil { left.append(path(kCGImagePropertyGPSAltitude)) }
      location?.altitude = isBelow ? -height.magnitude : height
    }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
      let property = ImageProperty.gps.first { $0.name == key }
      if let property, let made = property.written(value, ImageProperty.gpsTypes) {
        carried.gps[property.tag] = made
      } else if let property, value is NSNull {
        carried.gps[property.tag] = nil
      } else {
        left.append(path(key))
      }
    }
  }
}
