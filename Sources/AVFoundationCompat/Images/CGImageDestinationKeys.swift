// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Among a destination's properties: the most pixels that the longer side has. A picture that is larger is made smaller,
/// and of 8 bits.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
/// Among a destination's properties: true for a picture that is brought to sRGB.
public let kCGImageDestinationOptimizeColorForSharing: CFString =
  "kCGImageDestinationOptimizeColorForSharing"
/// Among a destination's properties: what a picture with alpha lies on. Changes nothing: none has alpha.
public let kCGImageDestinationBackgroundColor: CFString = "kCGImageDestinationBackgroundColor"
/// Among a destination's properties: whether to write a thumbnail, too. Changes nothing: none is written.
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
/// Among a destination's properties: whether to leave out where the picture was taken. Changes nothing: no file says it.
public let kCGImageMetadataShouldExcludeGPS: CFString = "kCGImageMetadataShouldExcludeGPS"
