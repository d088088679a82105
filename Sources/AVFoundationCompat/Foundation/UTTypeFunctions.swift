// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Type names that predate UTType.

/// A file name's extension.
public let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
/// A MIME type.
public let kUTTagClassMIMEType: CFString = "public.mime-type"

/// Any image.
public let kUTTypeImage: CFString = "public.image"
/// Any RAW image.
public let kUTTypeRawImage: CFString = "public.camera-raw-image"
public let kUTTypeJPEG: CFString = "public.jpeg"
public let kUTTypePNG: CFString = "public.png"
public let kUTTypeTIFF: CFString = "public.tiff"
/// Any movie.
public let kUTTypeMovie: CFString = "public.movie"
/// Video without audio.
public let kUTTypeVideo: CFString = "public.video"
/// Any audio.
public let kUTTypeAudio: CFString = "public.audio"
public let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
public let kUTTypeMPEG4: CFString = "public.mpeg-4"

/// Takes the place of `Unmanaged` around a Core Foundation string.
public struct UnmanagedString: Sendable {
  let value: CFString
  public func takeUnretainedValue() -> CFString { value }
  public func takeRetainedValue() -> CFString { value }
}

/// The preferred extension or MIME type of a type; nil if it has none or is unknown here.
///
/// - Parameters:
///   - inUTI: The type's identifier.
///   - inTagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``.
public func UTTypeCopyPreferredTagWithClass(
  _ inUTI: CFString, _ inTagClass: CFString
) -> UnmanagedString? {
  guard let type = UTType(inUTI) else { return nil }
  let tag: String? =
    switch inTagClass {
    case kUTTagClassFilenameExtension: type.preferredFilenameExtension
    case kUTTagClassMIMEType: type.preferredMIMEType
    default: nil
    }
  return tag.map { UnmanagedString(value: $0) }
}

/// The type for an extension or a MIME type; nil if it is unknown here, for which Apple's implementation invents an
/// identifier.
///
/// - Parameters:
///   - inTagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``.
///   - inTag: The extension, without its dot, or the MIME type.
///   - inConformingToUTI: A type that the result must conform to; nil for any.
public func UTTypeCreatePreferredIdentifierForTag(
  _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> UnmanagedString? {
  guard let wanted = UTType(inConformingToUTI ?? UTType.data.identifier) else { return nil }
  let type: UTType? =
    switch inTagClass {
    case kUTTagClassFilenameExtension: UTType(filenameExtension: inTag, conformingTo: wanted)
    case kUTTagClassMIMEType: UTType(mimeType: inTag, conformingTo: wanted)
    default: nil
    }
  return type.map { UnmanagedString(value: $0.identifier) }
}

/// True for the same type and its supertypes; false for a type that is unknown here.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
  guard let type = UTType(inUTI), let other = UTType(inConformsToUTI) else { return false }
  return type.conforms(to: other)
}
