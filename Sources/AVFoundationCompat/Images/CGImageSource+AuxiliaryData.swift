// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import PhotoDevelopment
import PictureFiles
import RawDevelop

/// What a phone knows of how near things are, as shifts between two pictures.
public let kCGImageAuxiliaryDataTypeDisparity: CFString = "kCGImageAuxiliaryDataTypeDisparity"
/// What a phone knows of how far things are.
public let kCGImageAuxiliaryDataTypeDepth: CFString = "kCGImageAuxiliaryDataTypeDepth"
/// What of a phone's picture are people.
public let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString =
  "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
/// What makes a picture of high dynamic range of another one, in Apple's form.
public let kCGImageAuxiliaryDataTypeHDRGainMap: CFString = "kCGImageAuxiliaryDataTypeHDRGainMap"
/// The same in the form of ISO 21496-1, and of Adobe's XMP before it.
public let kCGImageAuxiliaryDataTypeISOGainMap: CFString = "kCGImageAuxiliaryDataTypeISOGainMap"

/// Of auxiliary data: the pixels, row by row, as `CFData`.
public let kCGImageAuxiliaryDataInfoData: CFString = "kCGImageAuxiliaryDataInfoData"
/// Of auxiliary data: a dictionary of `Width`, `Height`, `BytesPerRow`, `PixelFormat` and `Orientation`.
public let kCGImageAuxiliaryDataInfoDataDescription: CFString =
  "kCGImageAuxiliaryDataInfoDataDescription"
/// Of auxiliary data: its XMP, a ``CGImageMetadata``.
public let kCGImageAuxiliaryDataInfoMetadata: CFString = "kCGImageAuxiliaryDataInfoMetadata"

/// A gain map that lies behind the picture of a JPEG file, with one byte a pixel or, where it is of colors, red, green and
/// blue. Nil where the file has none of the type, and for all other types and files: mattes of a DNG file are ``CIImage``s
/// of their own.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
  guard case .file(let file) = isrc.content, index == 0 else { return nil }
  let map: PictureGainMap?
  do throws(PictureFileError) { map = try file.gainMap() } catch {
    isrc.fail(error)
    return nil
  }
  let wanted =
    map?.form == .apple ? kCGImageAuxiliaryDataTypeHDRGainMap : kCGImageAuxiliaryDataTypeISOGainMap
  guard let map, auxiliaryImageDataType == wanted, case .uint8(let samples) = map.picture.samples
  else { return nil }
  let channels = map.isGray ? 1 : 3
  let pixels = map.isGray ? stride(from: 0, to: samples.count, by: 3).map { samples[$0] } : samples
  var info: [String: Any] = [
    kCGImageAuxiliaryDataInfoData: Data(pixels),
    kCGImageAuxiliaryDataInfoDataDescription: [
      "Width": map.picture.width, "Height": map.picture.height,
      "BytesPerRow": map.picture.width * channels,
      "PixelFormat": Int(
        map.isGray ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_24RGB),
      "Orientation": file.pictures[0].orientation,
    ] as [String: Any],
  ]
  if let packet = map.xmp, let document = try? XMPDocument(packet) {
    info[kCGImageAuxiliaryDataInfoMetadata] = CGImageMetadata(
      CGImageMetadata.State(document: document))
  }
  return info
}
