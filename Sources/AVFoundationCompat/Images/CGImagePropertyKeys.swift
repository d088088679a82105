// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Image I/O's names of what pictures of other formats say of themselves, with Apple's texts: to look for, as code for
// several formats does. ``CGImageSourceCopyPropertiesAtIndex(_:_:_:)`` tells those that are not said to be untold.

/// Pixels in a row, among what ``kCGImagePropertyExifDictionary`` holds.
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// Rows, among what ``kCGImagePropertyExifDictionary`` holds.
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// True if pixels may be transparent.
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
/// Bits of a sample. Not told of DNG files.
public let kCGImagePropertyDepth: CFString = "Depth"
/// True for samples that are floats.
public let kCGImagePropertyIsFloat: CFString = "IsFloat"
/// The layout of a pixel. Not told here.
public let kCGImagePropertyPixelFormat: CFString = "PixelFormat"
/// The model of color: `RGB`, `Gray` or `CMYK`. Not told of DNG files.
public let kCGImagePropertyColorModel: CFString = "ColorModel"
/// The name of the ICC profile.
public let kCGImagePropertyProfileName: CFString = "ProfileName"
/// How the samples are compressed, among what ``kCGImagePropertyTIFFDictionary`` holds.
public let kCGImagePropertyTIFFCompression: CFString = "Compression"
/// The date, among what ``kCGImagePropertyGPSDictionary`` holds.
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
/// The time, among what ``kCGImagePropertyGPSDictionary`` holds.
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"

/// What an agency says of a picture. Not told here.
public let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
/// Keywords.
public let kCGImagePropertyIPTCKeywords: CFString = "Keywords"
/// A caption.
public let kCGImagePropertyIPTCCaptionAbstract: CFString = "Caption/Abstract"
/// What Apple's phones say of their pictures. Not told here.
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"
/// What a JPEG file says of itself.
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
/// What an OpenEXR file says of itself. Not told here.
public let kCGImagePropertyOpenEXRDictionary: CFString = "{OpenEXR}"

/// What a GIF file says of itself. There is no source of one.
public let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
/// Seconds that a picture is shown, 0.1 at least.
public let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// Seconds that a picture is shown.
public let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// How often the pictures are shown; 0 for ever.
public let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// A dictionary for each picture.
public let kCGImagePropertyGIFFrameInfoArray: CFString = "FrameInfo"
/// Pixels in a row of the whole.
public let kCGImagePropertyGIFCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// Rows of the whole.
public let kCGImagePropertyGIFCanvasPixelHeight: CFString = "CanvasPixelHeight"

/// What a sequence of HEIC pictures says of itself. There is no source of one.
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

/// What a PNG file says of itself.
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

/// What a WebP file says of itself. There is no source of one.
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
