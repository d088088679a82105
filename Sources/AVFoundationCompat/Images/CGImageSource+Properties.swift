// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import ImageFiles
import RawDevelop
import Synchronization
import TIFF

/// The width in pixels, before the orientation is applied.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// The height in pixels, before the orientation is applied.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// As ``kCGImagePropertyOrientation``, in ``kCGImagePropertyTIFFDictionary``.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"

/// The uniform type identifier of the file; nil if the file type is not supported.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
  switch isrc.content {
  case .negative: AVFileType.dng.rawValue
  case .file(let file): file.kind.uniformType
  case .none: nil
  }
}

/// The uniform type identifiers of the supported file types.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray {
  ImageFile.Kind.allCases.map(\.uniformType) + [AVFileType.dng.rawValue]
}

/// The file's properties: its size in bytes, and the number of images. Nil if the file type is not supported.
public func CGImageSourceCopyProperties(
  _ isrc: CGImageSource, _ options: CFDictionary?
) -> CFDictionary? {
  isrc.state.withLock { state in
    state.count == 0
      ? nil
      : [
        kCGImagePropertyFileSize: state.byteCount, kCGImagePropertyImageCount: state.count,
      ]
  }
}

/// The properties of an image: its size and orientation (the size is that before the orientation is applied), samples,
/// profile, resolution, and TIFF, EXIF and GPS data. Nil if there is no image with the index.
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  switch isrc.content {
  case .none: nil
  case .negative(let negative): index == 0 ? negative.imageProperties : nil
  case .file(let file):
    file.images.indices.contains(index) ? file.images[index].imageProperties(file.kind) : nil
  }
}

extension CGImageSource.Negative {
  fileprivate var imageProperties: [String: Any] {
    let (facts, size) = (filter.properties, filter.nativeSize)
    let orientation = Int(facts.orientation.rawValue)
    var all = metadata.properties
    var camera = all[kCGImagePropertyTIFFDictionary] as? [String: Any] ?? [:]
    camera[kCGImagePropertyTIFFSoftware] = nil
    camera[kCGImagePropertyTIFFOrientation] = orientation
    camera[kCGImagePropertyTIFFMake] = facts.make
    camera[kCGImagePropertyTIFFModel] = facts.model
    all[kCGImagePropertyTIFFDictionary] = camera
    var exif = all[kCGImagePropertyExifDictionary] as? [String: Any] ?? [:]
    exif[kCGImagePropertyExifPixelXDimension] = size.width
    exif[kCGImagePropertyExifPixelYDimension] = size.height
    exif[kCGImagePropertyExifBodySerialNumber] = facts.serialNumber
    all[kCGImagePropertyExifDictionary] = exif
    all[kCGImagePropertyPixelWidth] = size.width
    all[kCGImagePropertyPixelHeight] = size.height
    all[kCGImagePropertyOrientation] = orientation
    all[kCGImagePropertyHasAlpha] = false
    return all
  }
}

extension ImageFacts {
  fileprivate func imageProperties(_ kind: ImageFile.Kind) -> [String: Any] {
    var all: [String: Any] = [
      kCGImagePropertyPixelWidth: width, kCGImagePropertyPixelHeight: height,
      kCGImagePropertyOrientation: orientation, kCGImagePropertyDepth: bitDepth,
      kCGImagePropertyColorModel: colorModel.rawValue, kCGImagePropertyHasAlpha: hasAlpha,
    ]
    if isFloat { all[kCGImagePropertyIsFloat] = true }
    if isIndexed { all[kCGImagePropertyIsIndexed] = true }
    all[kCGImagePropertyProfileName] = profileName
    if let resolution {
      all[kCGImagePropertyDPIWidth] = resolution.x
      all[kCGImagePropertyDPIHeight] = resolution.y
    }
    func add(_ key: String, _ values: [String: Any]) { if !values.isEmpty { all[key] = values } }
    if let directory {
      add(kCGImagePropertyTIFFDictionary, ImageProperty.values(ImageProperty.tiff, directory))
      for (key, tag, properties) in [
        (kCGImagePropertyExifDictionary, TIFFTag.exifIFD, ImageProperty.exif),
        (kCGImagePropertyGPSDictionary, .gpsIFD, ImageProperty.gps),
      ] {
        guard let linked = directory.linked[tag] else { continue }
        add(key, ImageProperty.values(properties, linked))
      }
    }
    if kind == .jpeg { add(kCGImagePropertyJFIFDictionary, jfifProperties) }
    if kind == .png { add(kCGImagePropertyPNGDictionary, pngProperties) }
    return all
  }

  private var jfifProperties: [String: Any] {
    guard let jfif else { return [:] }
    return [
      kCGImagePropertyJFIFVersion: jfif.version, kCGImagePropertyJFIFDensityUnit: jfif.densityUnit,
      kCGImagePropertyJFIFXDensity: jfif.density[0], kCGImagePropertyJFIFYDensity: jfif.density[1],
      kCGImagePropertyJFIFIsProgressive: isProgressive,
    ]
  }

  private var pngProperties: [String: Any] {
    var values: [String: Any] = [kCGImagePropertyPNGInterlaceType: isProgressive ? 1 : 0]
    values[kCGImagePropertyPNGGamma] = gamma
    if let resolution {
      values[kCGImagePropertyPNGXPixelsPerMeter] = Int((resolution.x / 0.0254).rounded())
      values[kCGImagePropertyPNGYPixelsPerMeter] = Int((resolution.y / 0.0254).rounded())
    }
    for key in [
      kCGImagePropertyPNGTitle, kCGImagePropertyPNGAuthor, kCGImagePropertyPNGDescription,
      kCGImagePropertyPNGCopyright, kCGImagePropertyPNGCreationTime, kCGImagePropertyPNGSoftware,
      kCGImagePropertyPNGComment,
    ] { values[key] = texts[key] }
    return values
  }
}
