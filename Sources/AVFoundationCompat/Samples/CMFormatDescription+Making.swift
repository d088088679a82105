// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
import Foundation
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

extension VideoFormatDescription {
  /// The atom of a sample entry that tells a decoder of H.264 or HEVC what it has to know; nil for other pictures.
  var recordName: String? { interframeCodec.map { $0 == .h264 ? "avcC" : "hvcC" } }

  /// The same pictures with what the atom of a sample entry says of them; nil for other extensions than that, and for an
  /// atom that no decoder can begin with.
  fileprivate func told(by extensions: CFDictionary) -> VideoFormatDescription? {
    let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    guard extensions.count == 1, let atoms = extensions[key] as? [String: Data], atoms.count == 1,
      let record = recordName.flatMap({ atoms[$0] })
    else { return nil }
    var told = self
    told.decoderConfiguration = [UInt8](record)
    guard let pictures = told.decoder?.sequence else { return nil }
    (told.color, told.pixelAspectRatio) = (pictures.color, pictures.pixelAspectRatio)
    return told
  }
}

/// Describes pictures of a codec, or in one of the layouts of `kCVPixelFormatType_…`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - codecType: The codec's code, or the layout's.
///   - width: Pixels in a row, 1 or more.
///   - height: Rows, 1 or more.
///   - extensions: Nil, empty, or of H.264 and HEVC ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``
///     alone, with one atom: `avcC` or `hvcC` as `Data`. Color and the shape of pixels are those that it says.
///   - formatDescriptionOut: Set to the description; nil if there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for a size that no picture can have, for another
///   extension, and for an atom that is damaged.
@discardableResult
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32,
  extensions: CFDictionary?, formatDescriptionOut: inout CMVideoFormatDescription?
) -> OSStatus {
  formatDescriptionOut = nil
  guard width > 0, height > 0 else { return kCMFormatDescriptionError_InvalidParameter }
  let size = VideoDimensions(width: Int(width), height: Int(height))
  if let extensions, !extensions.isEmpty {
    let video = VideoFormatDescription(
      codec: MediaCore.FourCharCode(rawValue: codecType), dimensions: size)
    formatDescriptionOut = video.told(by: extensions).map { .video($0) }
    return formatDescriptionOut == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
  }
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
