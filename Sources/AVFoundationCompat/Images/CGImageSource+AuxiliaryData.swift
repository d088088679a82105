// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// What a phone knows of how near things are, as shifts between two pictures.
public let kCGImageAuxiliaryDataTypeDisparity: CFString = "kCGImageAuxiliaryDataTypeDisparity"
/// What a phone knows of how far things are.
public let kCGImageAuxiliaryDataTypeDepth: CFString = "kCGImageAuxiliaryDataTypeDepth"
/// What of a phone's picture are people.
public let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString =
  "kCGImageAuxiliaryDataTypePortraitEffectsMatte"

/// Nil: what a phone's picture has besides is not read here. Mattes of a DNG file are ``CIImage``s of their own.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? { nil }

/// The index of the picture that stands for the file: 0, for there is one.
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { 0 }
