// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Names of kinds of files from before UTType.

/// A file name's extension.
public let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
/// A MIME type.
public let kUTTagClassMIMEType: CFString = "public.mime-type"

/// Any picture.
public let kUTTypeImage: CFString = "public.image"
/// Any RAW picture.
public let kUTTypeRawImage: CFString = "public.camera-raw-image"
public let kUTTypeJPEG: CFString = "public.jpeg"
public let kUTTypePNG: CFString = "public.png"
public let kUTTypeTIFF: CFString = "public.tiff"
/// Any movie.
public let kUTTypeMovie: CFString = "public.movie"
/// Pictures without sound.
public let kUTTypeVideo: CFString = "public.video"
/// Any sound.
public let kUTTypeAudio: CFString = "public.audio"
public let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
public let kUTTypeMPEG4: CFString = "public.mpeg-4"

/// Stands where `Unmanaged` does around a text of Core Foundation.
public struct UnmanagedString: Sendable {
  let value: CFString
  /// The text.
  public func takeUnretainedValue() -> CFString { value }
  /// The text.
  public func takeRetainedValue() -> CFString { value }
}

/// The usual extension or MIME type of a kind of files; nil for a kind without one, or that is not known here.
///
/// - Parameters:
///   - inUTI: The kind's identifier.
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

/// The kind of the files that have an extension or a MIME type; nil for one that is not known here, where Apple's makes
/// a name up.
///
/// - Parameters:
///   - inTagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``.
///   - inTag: The extension, without its dot, or the MIME type.
///   - inConformingToUTI: What the kind has to be a case of; nil for any.
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

/// True for the same kind and each that it is a case of; false for one that is not known here.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
  guard let type = UTType(inUTI), let other = UTType(inConformsToUTI) else { return false }
  return type.conforms(to: other)
}
