// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Image I/O's property keys of other file formats, for code that handles several formats.
// ``CGImageSourceCopyPropertiesAtIndex(_:_:_:)`` omits those that are not reported.

/// The width in pixels, in ``kCGImagePropertyExifDictionary``.
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// The height in pixels, in ``kCGImagePropertyExifDictionary``.
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// True if pixels may be transparent.
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
/// Bits per sample. Not reported for DNG files.
public let kCGImagePropertyDepth: CFString = "Depth"
/// True if samples are floats.
public let kCGImagePropertyIsFloat: CFString = "IsFloat"
/// The pixel format. Not reported here.
public let kCGImagePropertyPixelFormat: CFString = "PixelFormat"
/// The color model: `RGB`, `Gray` or `CMYK`. Not reported for DNG files.
public let kCGImagePropertyColorModel: CFString = "ColorModel"
/// The name of the ICC profile.
public let kCGImagePropertyProfileName: CFString = "ProfileName"
/// The compression, in ``kCGImagePropertyTIFFDictionary``.
public let kCGImagePropertyTIFFCompression: CFString = "Compression"
/// The date, in ``kCGImagePropertyGPSDictionary``.
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
/// The time, in ``kCGImagePropertyGPSDictionary``.
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"

/// IPTC metadata. Not reported here.
public let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
/// Keywords.
public let kCGImagePropertyIPTCKeywords: CFString = "Keywords"
/// A caption.
public let kCGImagePropertyIPTCCaptionAbstract: CFString = "Caption/Abstract"
/// Apple's maker note. Not reported here.
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"
/// JFIF properties of a JPEG file.
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
/// OpenEXR properties. Not reported here.
public let kCGImagePropertyOpenEXRDictionary: CFString = "{OpenEXR}"

/// GIF properties. GIF files are not read.
public let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
/// The display time of an image in seconds, at least 0.1.
public let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// The display time of an image in seconds.
public let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// The number of repetitions; 0 for endless.
public let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// A dictionary for each image.
public let kCGImagePropertyGIFFrameInfoArray: CFString = "FrameInfo"
/// The canvas width in pixels.
public let kCGImagePropertyGIFCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// The canvas height in pixels.
public let kCGImagePropertyGIFCanvasPixelHeight: CFString = "CanvasPixelHeight"

/// HEIC sequence properties. HEIC sequences are not read.
public let kCGImagePropertyHEICSDictionary: CFString = "{HEICS}"
/// As ``kCGImagePropertyGIFDelayTime``.
public let kCGImagePropertyHEICSDelayTime: CFString = "DelayTime"
/// As ``kCGImagePropertyGIFUnclampedDelayTime``.
public let kCGImagePropertyHEICSUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// As ``kCGImagePropertyGIFLoopCount``.
public let kCGImagePropertyHEICSLoopCount: CFString = "LoopCount"
/// As ``kCGImagePropertyGIFFrameInfoArray``.
public let kCGImagePropertyHEICSFrameInfoArray: CFString = "FrameInfo"
/// As ``kCGImagePropertyGIFCanvasPixelWidth``.
public let kCGImagePropertyHEICSCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// As ``kCGImagePropertyGIFCanvasPixelHeight``.
public let kCGImagePropertyHEICSCanvasPixelHeight: CFString = "CanvasPixelHeight"

/// PNG properties.
public let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
/// As ``kCGImagePropertyGIFDelayTime``.
public let kCGImagePropertyAPNGDelayTime: CFString = "DelayTime"
/// As ``kCGImagePropertyGIFUnclampedDelayTime``.
public let kCGImagePropertyAPNGUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// As ``kCGImagePropertyGIFLoopCount``.
public let kCGImagePropertyAPNGLoopCount: CFString = "LoopCount"
/// As ``kCGImagePropertyGIFFrameInfoArray``.
public let kCGImagePropertyAPNGFrameInfoArray: CFString = "FrameInfo"
/// As ``kCGImagePropertyGIFCanvasPixelWidth``.
public let kCGImagePropertyAPNGCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// As ``kCGImagePropertyGIFCanvasPixelHeight``.
public let kCGImagePropertyAPNGCanvasPixelHeight: CFString = "CanvasPixelHeight"

/// WebP properties. WebP files are not read.
public let kCGImagePropertyWebPDictionary: CFString = "{WebP}"
/// As ``kCGImagePropertyGIFDelayTime``.
public let kCGImagePropertyWebPDelayTime: CFString = "DelayTime"
/// As ``kCGImagePropertyGIFUnclampedDelayTime``.
public let kCGImagePropertyWebPUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// As ``kCGImagePropertyGIFLoopCount``.
public let kCGImagePropertyWebPLoopCount: CFString = "LoopCount"
/// As ``kCGImagePropertyGIFFrameInfoArray``.
public let kCGImagePropertyWebPFrameInfoArray: CFString = "FrameInfo"
/// As ``kCGImagePropertyGIFCanvasPixelWidth``.
public let kCGImagePropertyWebPCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// As ``kCGImagePropertyGIFCanvasPixelHeight``.
public let kCGImagePropertyWebPCanvasPixelHeight: CFString = "CanvasPixelHeight"
