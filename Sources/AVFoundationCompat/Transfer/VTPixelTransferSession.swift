import MediaCore
import Synchronization
import VideoRecorder

/// Converts frames to other sizes and pixel formats with libswscale. Colors are not converted.
public final class VTPixelTransferSession: Sendable {
  private struct State: Sendable {
    var mode: String?
    var isRealTime: Bool?
    var isValid = true
    var error: AVError?
  }

  private let state = Mutex(State())
  private let converter = FrameConverter()

  init() {}

  /// Why the last call was rejected; nil if none was. Not in Apple's API.
  public var error: AVError? { state.withLock { $0.error } }

  /// True until ``VTPixelTransferSessionInvalidate(_:)``.
  var isValid: Bool { state.withLock { $0.isValid } }

  func invalidate() { state.withLock { $0.isValid = false } }

  private func refuse(_ status: OSStatus, _ code: AVError.Code, _ message: String) -> OSStatus {
    state.withLock { $0.error = AVError(code, message) }
    return status
  }

  // MARK: Frames

  func transfer(_ source: PixelBuffer, to target: PixelBuffer) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    let colored = source.withAttachedColor()
    let mode = state.withLock { $0.mode } ?? kVTScalingMode_Normal
    let fit = FrameFit(colored.details, in: target.details, mode)
    guard !fit.isExcessive else {
      return refuse(
        kVTPixelTransferNotSupportedErr, .formatUnsupported,
        "the shapes of \(source.width)x\(source.height) and \(target.width)x\(target.height) are "
          + "too far apart: to fill the one, the other would be scaled to \(fit.size)")
    }
    let wanted = FrameConversion(target.format, range: target.details.color.range)
    guard let made = converted(colored, wanted, fit) else {
      return refuse(
        kVTPixelTransferNotSupportedErr, .formatUnsupported,
        "a frame in \(source.format) cannot be converted to \(target.format) at "
          + "\(target.width)x\(target.height)")
    }
    if fit.leavesMargins {
      guard let black = Self.black(wanted, target) else {
        return refuse(
          kVTPixelTransferNotSupportedErr, .formatUnsupported,
          "black bars are not supported in \(target.format)")
      }
      target.copy(black, FrameFit.Places())
    }
    target.copy(made, fit.places)
    CVBufferPropagateAttachments(source, target)
    let color = ImageBufferAttachments.described(
      colored.color.resolved(forHeight: source.height), source.details.fieldOrder,
      target.details.pixelAspectRatio)
    for key in [
      kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey,
      kCVImageBufferYCbCrMatrixKey,
    ] {
      if let value = color[key] { CVBufferSetAttachment(target, key, value, .shouldPropagate) }
    }
    return noErr
  }

  /// The frame in another pixel format, in the size that fits.
  private func converted(
    _ source: PixelBuffer, _ wanted: FrameConversion, _ fit: FrameFit
  ) -> PixelBuffer? {
    if let turned = Self.turned(source, wanted, fit.size) { return turned }
    let isWhole = fit.size == VideoDimensions(width: source.width, height: source.height)
    // Unconverted, the padding of a v210 row would end up in the margin.
    if wanted.format == .v210, source.format != .v210 || !isWhole || fit.leavesMargins {
      return V210Packing.convert(source, with: converter, fit.size, range: wanted.range)
    }
    return converter.convert(source, to: wanted, size: fit.size)
  }

  /// Converts 32BGRA to 32ARGB or back at the same size, by reversing the bytes of each pixel. Nil for other formats.
  private static func turned(
    _ source: PixelBuffer, _ wanted: FrameConversion, _ size: VideoDimensions
  ) -> PixelBuffer? {
    let formats = [source.format, wanted.format]
    guard formats == [.bgrx32, .xrgb32] || formats == [.xrgb32, .bgrx32],
      size == VideoDimensions(width: source.width, height: source.height)
    else { return nil }
    var details = source.details
    (details.format, details.color.range) = (wanted.format, wanted.range)
    guard var frame = try? MutablePixelBuffer(details) else { return nil }
    frame.withPlanes { planes in
      for row in 0..<source.height {
        let from = source.unsafeAddress(ofPlane: 0) + row * source.bytesPerRow(plane: 0)
        let to = planes.row(row, ofPlane: 0)
        for place in stride(from: 0, to: 4 * source.width, by: 4) {
          // Rows of a program's memory may have any length.
          let pixel = from.loadUnaligned(fromByteOffset: place, as: UInt32.self)
          to.storeBytes(of: pixel.byteSwapped, toByteOffset: place, as: UInt32.self)
        }
      }
    }
    return frame.finish()
  }

  /// A black frame in a pixel format, with the size of another one.
  private static func black(_ wanted: FrameConversion, _ target: PixelBuffer) -> PixelBuffer? {
    if wanted.format == .v210 { return V210Packing.black(like: target) }
    let details = PixelBuffer.Description(
      format: .uyvy, width: target.width, height: target.height)
    guard var frame = try? MutablePixelBuffer(details) else { return nil }
    frame.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      for place in bytes.indices { bytes[place] = place % 2 == 0 ? 128 : 16 }
    }
    return FrameConverter().convert(frame.finish(), to: wanted)
  }

  // MARK: Properties

  /// The supported properties and the strings that each accepts; empty for a Boolean.
  static let properties: [String: [String]] = [
    kVTPixelTransferPropertyKey_ScalingMode: [
      kVTScalingMode_CropSourceToCleanAperture, kVTScalingMode_Letterbox, kVTScalingMode_Normal,
      kVTScalingMode_Trim,
    ],
    kVTPixelTransferPropertyKey_RealTime: [],
  ]

  func set(_ value: Any?, for key: String) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    guard let names = Self.properties[key] else {
      return refuse(
        kVTPropertyNotSupportedErr, .operationNotAllowed,
        "pixel transfer has no property '\(key)' here")
    }
    if names.isEmpty {
      let flag = value as? Bool
      guard value == nil || flag != nil else {
        return refuse(
          kVTParameterErr, .unsupportedOutputSettings, "'\(key)' must be true or false")
      }
      state.withLock { $0.isRealTime = flag }
    } else {
      let name = value as? String
      guard value == nil || name.map(names.contains) == true else {
        return refuse(
          kVTParameterErr, .unsupportedOutputSettings,
          "'\(key)' must be one of \(names.joined(separator: ", "))")
      }
      state.withLock { $0.mode = name }
    }
    return noErr
  }

  func value(of key: String) -> Any? {
    let (mode, isRealTime) = state.withLock { ($0.mode, $0.isRealTime) }
    if key == kVTPixelTransferPropertyKey_ScalingMode { return mode }
    return isRealTime
  }

  /// The supported properties, in the form of a compression session's.
  static var propertyDictionary: [String: Any] {
    properties.mapValues { names in
      var facts: [String: Any] = [
        kVTPropertyTypeKey: names.isEmpty ? kVTPropertyType_Boolean : kVTPropertyType_Enumeration,
        kVTPropertyReadWriteStatusKey: kVTPropertyReadWriteStatus_ReadWrite,
      ]
      if !names.isEmpty { facts[kVTPropertySupportedValueListKey] = names }
      return facts
    }
  }
}
