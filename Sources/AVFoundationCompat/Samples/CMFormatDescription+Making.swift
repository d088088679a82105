// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// No description is made of what was given.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Describes a picture.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - formatDescriptionOut: Set to the description.
/// - Returns: ``noErr``.
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: inout CMVideoFormatDescription?
) -> OSStatus {
  formatDescriptionOut = .video(VideoFormatDescription(imageBuffer.withAttachedColor().details))
  return noErr
}

/// Describes pictures of a codec, or in one of the layouts of `kCVPixelFormatType_…`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - codecType: The codec's code, or the layout's.
///   - width: Pixels in a row, 1 or more.
///   - height: Rows, 1 or more.
///   - extensions: Nil or empty: color and the like are members of the typed description.
///   - formatDescriptionOut: Set to the description; nil where there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for a size that no picture can have, and
///   for extensions.
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32,
  extensions: CFDictionary?, formatDescriptionOut: inout CMVideoFormatDescription?
) -> OSStatus {
  formatDescriptionOut = nil
  guard width > 0, height > 0, extensions?.isEmpty != false else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  let size = VideoDimensions(width: Int(width), height: Int(height))
  if let layout = PixelBuffer.Description(code: codecType, width: size.width, height: size.height) {
    formatDescriptionOut = .video(VideoFormatDescription(layout))
  } else {
    formatDescriptionOut = .video(
      VideoFormatDescription(codec: MediaCore.FourCharCode(rawValue: codecType), dimensions: size))
  }
  return noErr
}

/// True for descriptions of the same; nil is like nil alone.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription == otherFormatDescription
}
