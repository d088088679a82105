// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
import Foundation
public import MediaCore

/// A description cannot be made from the arguments.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Creates a description of a pixel buffer.
///
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The pixel buffer.
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
  /// The atom in a sample entry with the decoder configuration of H.264 or HEVC; nil for other codecs.
  var recordName: String? { interframeCodec.map { $0 == .h264 ? "avcC" : "hvcC" } }

  /// The description with the decoder configuration in extensions; nil for other extensions, and for a configuration
  /// that a decoder cannot start with.
  fileprivate func described(by extensions: CFDictionary) -> VideoFormatDescription? {
    let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    guard extensions.count == 1, let atoms = extensions[key] as? [String: Data], atoms.count == 1,
      let record = recordName.flatMap({ atoms[$0] })
    else { return nil }
    var described = self
    described.decoderConfiguration = [UInt8](record)
    guard let sequence = described.decoder?.sequence else { return nil }
    (described.color, described.pixelAspectRatio) = (sequence.color, sequence.pixelAspectRatio)
    return described
  }
}

/// Creates a description of video of a codec or in a pixel format `kCVPixelFormatType_…`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - codecType: The codec or pixel format.
///   - width: The width in pixels, at least 1.
///   - height: The height in pixels, at least 1.
///   - extensions: Nil, empty, or for H.264 and HEVC only
///     ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms`` with one atom: `avcC` or `hvcC` as `Data`.
///     Color and pixel aspect ratio are taken from it.
///   - formatDescriptionOut: Set to the description; nil on failure.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for an invalid size, another extension, or a damaged
///   atom.
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
    formatDescriptionOut = video.described(by: extensions).map { .video($0) }
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
  /// A description of video of a codec or in a pixel format `kCVPixelFormatType_…`.
  ///
  /// - Throws: ``AVError/Code/formatUnsupported`` for an invalid size.
  public init(videoCodecType: MediaSubType, width: Int, height: Int) throws {
    var description: FormatDescription?
    _ = CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: videoCodecType.rawValue, width: Int32(clamping: width),
      height: Int32(clamping: height), extensions: nil, formatDescriptionOut: &description)
    guard let description else {
      throw AVError(.formatUnsupported, "invalid frame size \(width)x\(height)")
    }
    self = description
  }

  /// The description of a pixel buffer.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public init(imageBuffer: CVImageBuffer) throws {
    self = .video(VideoFormatDescription(imageBuffer.withAttachedColor().details))
  }
}

/// True if both descriptions are equal, or both are nil.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription == otherFormatDescription
}
