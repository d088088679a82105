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
@discardableResult
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
@discardableResult
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

extension FormatDescription {
  /// A description of pictures of a codec, or in one of the layouts of `kCVPixelFormatType_…`.
  ///
  /// - Throws: ``AVError/Code/formatUnsupported`` for a size that no picture can have.
  public init(videoCodecType: MediaSubType, width: Int, height: Int) throws {
    var description: FormatDescription?
    _ = CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: videoCodecType.rawValue, width: Int32(clamping: width),
      height: Int32(clamping: height), extensions: nil, formatDescriptionOut: &description)
    guard let description else {
      throw AVError(.formatUnsupported, "no picture is \(width)x\(height)")
    }
    self = description
  }

  /// The description of a picture.
  ///
  /// - Throws: Nothing here; Apple's does.
  public init(imageBuffer: CVImageBuffer) throws {
    self = .video(VideoFormatDescription(imageBuffer.withAttachedColor().details))
  }
}

/// True for descriptions of the same; nil is like nil alone.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription == otherFormatDescription
}
