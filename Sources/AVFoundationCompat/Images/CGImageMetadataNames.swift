// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Image I/O's names for XMP namespaces and their prefixes in paths.

public let kCGImageMetadataNamespaceDublinCore: CFString = "http://purl.org/dc/elements/1.1/"
public let kCGImageMetadataNamespaceExif: CFString = "http://ns.adobe.com/exif/1.0/"
public let kCGImageMetadataNamespaceExifAux: CFString = "http://ns.adobe.com/exif/1.0/aux/"
public let kCGImageMetadataNamespaceExifEX: CFString = "http://cipa.jp/exif/1.0/"
public let kCGImageMetadataNamespaceIPTCCore: CFString =
  "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
public let kCGImageMetadataNamespacePhotoshop: CFString = "http://ns.adobe.com/photoshop/1.0/"
public let kCGImageMetadataNamespaceTIFF: CFString = "http://ns.adobe.com/tiff/1.0/"
public let kCGImageMetadataNamespaceXMPBasic: CFString = "http://ns.adobe.com/xap/1.0/"
public let kCGImageMetadataNamespaceXMPRights: CFString = "http://ns.adobe.com/xap/1.0/rights/"

public let kCGImageMetadataPrefixDublinCore: CFString = "dc"
public let kCGImageMetadataPrefixExif: CFString = "exif"
public let kCGImageMetadataPrefixExifAux: CFString = "aux"
public let kCGImageMetadataPrefixExifEX: CFString = "exifEX"
public let kCGImageMetadataPrefixIPTCCore: CFString = "Iptc4xmpCore"
public let kCGImageMetadataPrefixPhotoshop: CFString = "photoshop"
public let kCGImageMetadataPrefixTIFF: CFString = "tiff"
public let kCGImageMetadataPrefixXMPBasic: CFString = "xmp"
public let kCGImageMetadataPrefixXMPRights: CFString = "xmpRights"
