// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import RawDevelop

/// Pixels in a row, before the picture is turned.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// Rows, before the picture is turned.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// As ``kCGImagePropertyOrientation``, among what ``kCGImagePropertyTIFFDictionary`` holds.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// The kind of the file by its uniform type identifier: that of DNG files, for there is no source of others.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { AVFileType.dng.rawValue }

/// What the file says of its picture, by Image I/O's names: its size, how it is to be turned, and the camera. Nil where
/// the index is not 0.
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  guard index == 0 else { return nil }
  let (facts, size) = (isrc.filter.properties, isrc.filter.nativeSize)
  let orientation = Int(facts.orientation.rawValue)
  var camera: [String: Any] = [kCGImagePropertyTIFFOrientation: orientation]
  camera[kCGImagePropertyTIFFMake] = facts.make
  camera[kCGImagePropertyTIFFModel] = facts.model
  var all: [String: Any] = [
    kCGImagePropertyPixelWidth: size.width, kCGImagePropertyPixelHeight: size.height,
    kCGImagePropertyOrientation: orientation, kCGImagePropertyTIFFDictionary: camera,
  ]
  var exif: [String: Any] = [
    kCGImagePropertyExifPixelXDimension: size.width,
    kCGImagePropertyExifPixelYDimension: size.height,
  ]
  exif[kCGImagePropertyExifBodySerialNumber] = facts.serialNumber
  all[kCGImagePropertyExifDictionary] = exif
  all[kCGImagePropertyHasAlpha] = false
  return all
}
