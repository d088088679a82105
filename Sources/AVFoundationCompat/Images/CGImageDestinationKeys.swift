// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Among a destination's properties: the most pixels that the longer side has. A picture that is larger is made smaller.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
/// Among a destination's properties: true for a picture that is brought to sRGB.
public let kCGImageDestinationOptimizeColorForSharing: CFString =
  "kCGImageDestinationOptimizeColorForSharing"
/// Among a destination's properties: the ``CGColor`` that a picture with alpha lies on, which is not converted; white where
/// there is none. No alpha is written.
public let kCGImageDestinationBackgroundColor: CFString = "kCGImageDestinationBackgroundColor"
/// Among a destination's properties: whether to write a thumbnail, too. Changes nothing: none is written.
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
/// Among a destination's properties: true to leave out where the picture was taken.
public let kCGImageMetadataShouldExcludeGPS: CFString = "kCGImageMetadataShouldExcludeGPS"
/// Among a destination's properties: true to leave out XMP.
public let kCGImageMetadataShouldExcludeXMP: CFString = "kCGImageMetadataShouldExcludeXMP"
