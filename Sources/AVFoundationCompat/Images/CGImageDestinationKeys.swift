// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Destination property: the maximum number of pixels on the longer side. Larger images are scaled down.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
/// Destination property: true to convert the image to sRGB.
public let kCGImageDestinationOptimizeColorForSharing: CFString =
  "kCGImageDestinationOptimizeColorForSharing"
/// Destination property: the ``CGColor`` behind an image with alpha, used without conversion; default white. Alpha is
/// not written.
public let kCGImageDestinationBackgroundColor: CFString = "kCGImageDestinationBackgroundColor"
/// Destination property: whether to embed a thumbnail. Has no effect: none is written.
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
/// Destination property: true to omit GPS data.
public let kCGImageMetadataShouldExcludeGPS: CFString = "kCGImageMetadataShouldExcludeGPS"
/// Destination property: true to omit XMP.
public let kCGImageMetadataShouldExcludeXMP: CFString = "kCGImageMetadataShouldExcludeXMP"
