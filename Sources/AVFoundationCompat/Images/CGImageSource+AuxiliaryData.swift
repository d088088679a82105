// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import ImageFiles
import PhotoDevelopment
import RawDevelop

/// A phone's depth data, as disparity between two images.
public let kCGImageAuxiliaryDataTypeDisparity: CFString = "kCGImageAuxiliaryDataTypeDisparity"
/// A phone's depth data, as distances.
public let kCGImageAuxiliaryDataTypeDepth: CFString = "kCGImageAuxiliaryDataTypeDepth"
/// A phone's portrait matte.
public let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString =
  "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
/// The gain map for a high dynamic range image, in Apple's form.
public let kCGImageAuxiliaryDataTypeHDRGainMap: CFString = "kCGImageAuxiliaryDataTypeHDRGainMap"
/// The gain map in the form of ISO 21496-1, or of its predecessor, Adobe's XMP.
public let kCGImageAuxiliaryDataTypeISOGainMap: CFString = "kCGImageAuxiliaryDataTypeISOGainMap"

/// In auxiliary data: the pixels, row by row, as `CFData`.
public let kCGImageAuxiliaryDataInfoData: CFString = "kCGImageAuxiliaryDataInfoData"
/// In auxiliary data: a dictionary of `Width`, `Height`, `BytesPerRow`, `PixelFormat` and `Orientation`.
public let kCGImageAuxiliaryDataInfoDataDescription: CFString =
  "kCGImageAuxiliaryDataInfoDataDescription"
/// In auxiliary data: its XMP, a ``CGImageMetadata``.
public let kCGImageAuxiliaryDataInfoMetadata: CFString = "kCGImageAuxiliaryDataInfoMetadata"

/// The gain map stored after the image of a JPEG file, with one byte per pixel, or red, green and blue for a color map.
/// Nil if the file has none of the requested type, and for all other types and files: mattes of a DNG file are separate
/// ``CIImage``s.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
  guard case .file(let file) = isrc.content, index == 0 else { return nil }
  let map: ImageGainMap?
  do throws(ImageFileError) { map = try file.gainMap() } catch {
    isrc.fail(error)
    return nil
  }
  let wanted =
    map?.form == .apple ? kCGImageAuxiliaryDataTypeHDRGainMap : kCGImageAuxiliaryDataTypeISOGainMap
  guard let map, auxiliaryImageDataType == wanted, case .uint8(let samples) = map.image.samples
  else { return nil }
  let channels = map.isGray ? 1 : 3
  let pixels = map.isGray ? stride(from: 0, to: samples.count, by: 3).map { samples[$0] } : samples
  var info: [String: Any] = [
    kCGImageAuxiliaryDataInfoData: Data(pixels),
    kCGImageAuxiliaryDataInfoDataDescription: [
      "Width": map.image.width, "Height": map.image.height,
      "BytesPerRow": map.image.width * channels,
      "PixelFormat": Int(
        map.isGray ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_24RGB),
      "Orientation": file.images[0].orientation,
    ] as [String: Any],
  ]
  if let packet = map.xmp, let document = try? XMPDocument(packet) {
    info[kCGImageAuxiliaryDataInfoMetadata] = CGImageMetadata(
      CGImageMetadata.State(document: document))
  }
  return info
}
