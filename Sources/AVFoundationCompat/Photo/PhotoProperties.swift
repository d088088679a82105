// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import RawPhoto

// Image I/O's keys of photo metadata, with Apple's values.

/// The dictionary of the location.
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// 0 to 90 degrees.
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
/// `N` or `S`.
public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
/// 0 to 180 degrees.
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
/// `E` or `W`.
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
/// Metres, at least 0.
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
/// 0 above sea level, 1 below.
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"

/// The dictionary of the origin: authors, camera and software.
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// The photographer.
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
public let kCGImagePropertyTIFFMake: CFString = "Make"
public let kCGImagePropertyTIFFModel: CFString = "Model"
public let kCGImagePropertyTIFFSoftware: CFString = "Software"

/// The dictionary of the exposure and lens.
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// In seconds.
public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
/// The lens's f-number.
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
/// ISO speeds: an array with one element.
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
/// In millimetres.
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
/// The exposure bias in EV, for example in a bracket.
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
public let kCGImagePropertyExifLensModel: CFString = "LensModel"
public let kCGImagePropertyExifBodySerialNumber: CFString = "BodySerialNumber"

/// The orientation, with TIFF's values.
public let kCGImagePropertyOrientation: CFString = "Orientation"

extension AVCapturePhotoSettings {
  /// Metadata for the photo's files, with Image I/O's keys: location, artist, copyright, caption, camera and lens.
  /// The exposure is always what was measured. Setting the property replaces what was set before. A value of the
  /// wrong type makes the capture fail; ``unwrittenMetadata`` lists the keys that no file stores.
  public var metadata: [String: Any] {
    get { base.metadata.properties }
    set {
      var reading = PropertyReading(newValue)
      var blank = PhotoMetadata()
      blank.orientation = base.metadata.orientation
      base.metadata = reading.metadata(blank)
      unwrittenMetadata = reading.unknown
      metadataMistake = reading.mistake
    }
  }
}

extension AVCapturePhoto {
  /// The metadata of the photo's files, with Image I/O's keys.
  public var metadata: [String: Any] { base.metadata.properties }
}

extension PhotoMetadata {
  /// The metadata with Image I/O's keys.
  var properties: [String: Any] {
    var place: [String: Any] = [:]
    if let location {
      place[kCGImagePropertyGPSLatitude] = location.latitude.magnitude
      place[kCGImagePropertyGPSLatitudeRef] = location.latitude < 0 ? "S" : "N"
      place[kCGImagePropertyGPSLongitude] = location.longitude.magnitude
      place[kCGImagePropertyGPSLongitudeRef] = location.longitude < 0 ? "W" : "E"
      place[kCGImagePropertyGPSAltitude] = location.altitude?.magnitude
      place[kCGImagePropertyGPSAltitudeRef] = location.altitude.map { $0 < 0 ? 1 : 0 }
    }
    var origin: [String: Any] = [kCGImagePropertyTIFFSoftware: software]
    origin[kCGImagePropertyTIFFArtist] = artist
    origin[kCGImagePropertyTIFFCopyright] = copyright
    origin[kCGImagePropertyTIFFImageDescription] = imageDescription
    origin[kCGImagePropertyTIFFMake] = make
    origin[kCGImagePropertyTIFFModel] = model
    var exposure: [String: Any] = [:]
    exposure[kCGImagePropertyExifExposureTime] = exposureTime
    exposure[kCGImagePropertyExifFNumber] = fNumber
    exposure[kCGImagePropertyExifISOSpeedRatings] = isoSpeed.map {
      [Int(min(max($0, 0), 1e9).rounded())]
    }
    exposure[kCGImagePropertyExifFocalLength] = focalLength
    exposure[kCGImagePropertyExifExposureBiasValue] = exposureBias
    exposure[kCGImagePropertyExifLensModel] = lensModel
    exposure[kCGImagePropertyExifBodySerialNumber] = serialNumber
    var all: [String: Any] = [
      kCGImagePropertyTIFFDictionary: origin,
      kCGImagePropertyOrientation: Int(orientation.rawValue),
    ]
    if !place.isEmpty { all[kCGImagePropertyGPSDictionary] = place }
    if !exposure.isEmpty { all[kCGImagePropertyExifDictionary] = exposure }
    return all
  }
}

/// Reads metadata from a dictionary with Image I/O's keys.
private struct PropertyReading {
  /// The first value of a wrong type.
  private(set) var mistake: AVError?
  /// The keys that no file stores, such as `{GPS}.Speed`.
  private(set) var unknown: [String] = []
  private let given: [String: Any]

  init(_ given: [String: Any]) { self.given = given }

  mutating func metadata(_ before: PhotoMetadata) -> PhotoMetadata {
    var metadata = before
    for (key, value) in given.sorted(by: { $0.key < $1.key }) {
      guard let dictionary = value as? [String: Any],
        let read = [
          kCGImagePropertyGPSDictionary: Self.readPlace,
          kCGImagePropertyTIFFDictionary: Self.readOrigin,
          kCGImagePropertyExifDictionary: Self.readLens,
        ][key]
      else {
        unknown.append(key)
        continue
      }
      var reader = SettingsReader(dictionary, "photo metadata")
      do throws(AVError) {
        try read(&reader, &metadata)
        unknown += reader.unread.map { "\(key).\($0)" }
      } catch { mistake = mistake ?? error }
    }
    return metadata
  }

  private typealias Read =
    @Sendable (
      inout SettingsReader, inout PhotoMetadata
    ) throws(AVError) -> Void

  private static let readPlace: Read = { (place, metadata) throws(AVError) in
    func degrees(
      _ key: String, _ reference: String, _ names: (String, String), _ limit: Double
    ) throws(AVError) -> Double {
      guard let value = try place.number(key) else { throw place.missing(key) }
      guard (0...limit).contains(value) else {
        throw place.wrong(key, "\(value) is not from 0 to \(Int(limit)); its sign is the reference")
      }
      let side = try place.text(reference) ?? names.0
      guard side == names.0 || side == names.1 else {
        throw place.wrong(reference, "'\(side)' is neither \(names.0) nor \(names.1)")
      }
      return side == names.1 ? -value : value
    }
    var location = PhotoMetadata.Location(
      latitude: try degrees(
        kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, ("N", "S"), 90),
      longitude: try degrees(
        kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, ("E", "W"), 180))
    let below = try place.integer(kCGImagePropertyGPSAltitudeRef) == 1
    location.altitude = try place.number(kCGImagePropertyGPSAltitude).map { below ? -$0 : $0 }
    metadata.location = location
  }

  private static let readOrigin: Read = { (origin, metadata) throws(AVError) in
    metadata.artist = try origin.text(kCGImagePropertyTIFFArtist) ?? metadata.artist
    metadata.copyright = try origin.text(kCGImagePropertyTIFFCopyright) ?? metadata.copyright
    metadata.imageDescription =
      try origin.text(kCGImagePropertyTIFFImageDescription) ?? metadata.imageDescription
    metadata.make = try origin.text(kCGImagePropertyTIFFMake) ?? metadata.make
    metadata.model = try origin.text(kCGImagePropertyTIFFModel) ?? metadata.model
    metadata.software = try origin.text(kCGImagePropertyTIFFSoftware) ?? metadata.software
  }

  private static let readLens: Read = { (lens, metadata) throws(AVError) in
    metadata.lensModel = try lens.text(kCGImagePropertyExifLensModel) ?? metadata.lensModel
    metadata.serialNumber =
      try lens.text(kCGImagePropertyExifBodySerialNumber) ?? metadata.serialNumber
    metadata.fNumber = try lens.number(kCGImagePropertyExifFNumber) ?? metadata.fNumber
    metadata.focalLength =
      try lens.number(kCGImagePropertyExifFocalLength) ?? metadata.focalLength
  }
}
