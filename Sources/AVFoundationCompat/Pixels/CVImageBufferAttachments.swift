// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A pixel buffer.
public typealias CVBuffer = PixelBuffer
/// Whether an attachment is propagated to buffers made from the buffer.
public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}

public let kCVImageBufferColorPrimariesKey = "CVImageBufferColorPrimaries"
public let kCVImageBufferTransferFunctionKey = "CVImageBufferTransferFunction"
public let kCVImageBufferYCbCrMatrixKey = "CVImageBufferYCbCrMatrix"
public let kCVImageBufferGammaLevelKey = "CVImageBufferGammaLevel"
public let kCVImageBufferICCProfileKey = "CVImageBufferICCProfile"
public let kCVImageBufferCGColorSpaceKey = "CGColorSpace"
public let kCVImageBufferFieldCountKey = "CVFieldCount"
/// Which field comes first.
public let kCVImageBufferFieldDetailKey = "CVFieldDetail"
public let kCVImageBufferFieldDetailTemporalTopFirst = "TemporalTopFirst"
public let kCVImageBufferFieldDetailTemporalBottomFirst = "TemporalBottomFirst"
public let kCVImageBufferFieldDetailSpatialFirstLineEarly = "SpatialFirstLineEarly"
public let kCVImageBufferFieldDetailSpatialFirstLineLate = "SpatialFirstLineLate"
/// The pixel aspect ratio: a dictionary with two spacings.
public let kCVImageBufferPixelAspectRatioKey = "CVPixelAspectRatio"
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The part of the frame that is meant to be seen.
public let kCVImageBufferCleanApertureKey = "CVCleanAperture"
public let kCVImageBufferChromaLocationTopFieldKey = "CVImageBufferChromaLocationTopField"
public let kCVImageBufferChromaLocationBottomFieldKey = "CVImageBufferChromaLocationBottomField"
public let kCVImageBufferChromaLocation_Left = "Left"
public let kCVImageBufferChromaLocation_Center = "Center"
public let kCVImageBufferChromaLocation_TopLeft = "TopLeft"
public let kCVImageBufferColorPrimaries_ITU_R_709_2 = AVVideoColorPrimaries_ITU_R_709_2
public let kCVImageBufferColorPrimaries_SMPTE_C = AVVideoColorPrimaries_SMPTE_C
public let kCVImageBufferColorPrimaries_EBU_3213 = AVVideoColorPrimaries_EBU_3213
public let kCVImageBufferColorPrimaries_P3_D65 = AVVideoColorPrimaries_P3_D65
public let kCVImageBufferColorPrimaries_ITU_R_2020 = AVVideoColorPrimaries_ITU_R_2020
public let kCVImageBufferTransferFunction_ITU_R_709_2 = AVVideoTransferFunction_ITU_R_709_2
public let kCVImageBufferTransferFunction_SMPTE_240M_1995 = AVVideoTransferFunction_SMPTE_240M_1995
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ =
  AVVideoTransferFunction_SMPTE_ST_2084_PQ
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG = AVVideoTransferFunction_ITU_R_2100_HLG
public let kCVImageBufferTransferFunction_Linear = AVVideoTransferFunction_Linear
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2 = AVVideoYCbCrMatrix_ITU_R_709_2
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4 = AVVideoYCbCrMatrix_ITU_R_601_4
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995 = AVVideoYCbCrMatrix_SMPTE_240M_1995
public let kCVImageBufferYCbCrMatrix_ITU_R_2020 = AVVideoYCbCrMatrix_ITU_R_2020

/// A frame's description as Core Video attachments.
enum ImageBufferAttachments {
  static func described(by details: PixelBuffer.Description) -> [String: Any] {
    described(details.color, details.fieldOrder, details.pixelAspectRatio)
  }

  static func described(
    _ color: ColorDescription, _ fieldOrder: FieldOrder, _ pixelAspectRatio: PixelAspectRatio
  ) -> [String: Any] {
    var all: [String: Any] = [:]
    all[kCVImageBufferColorPrimariesKey] = ColorNames.primaries.name(of: color.primaries)
    all[kCVImageBufferTransferFunctionKey] = ColorNames.transferFunctions.name(
      of: color.transferFunction)
    all[kCVImageBufferYCbCrMatrixKey] = ColorNames.matrices.name(of: color.matrix)
    all[kCVImageBufferFieldCountKey] = fieldOrder == .progressive ? 1 : 2
    switch fieldOrder {
    case .topFieldFirst:
      all[kCVImageBufferFieldDetailKey] = kCVImageBufferFieldDetailTemporalTopFirst
    case .bottomFieldFirst:
      all[kCVImageBufferFieldDetailKey] = kCVImageBufferFieldDetailTemporalBottomFirst
    default: break
    }
    all[kCVImageBufferPixelAspectRatioKey] = [
      kCVImageBufferPixelAspectRatioHorizontalSpacingKey: Int(pixelAspectRatio.horizontal),
      kCVImageBufferPixelAspectRatioVerticalSpacingKey: Int(pixelAspectRatio.vertical),
    ]
    return all
  }
}

extension [String: ColorDescription.Primaries] {
  fileprivate func name(of value: Value) -> String? { first { $0.value == value }?.key }
}
extension [String: ColorDescription.TransferFunction] {
  fileprivate func name(of value: Value) -> String? { first { $0.value == value }?.key }
}
extension [String: ColorDescription.Matrix] {
  fileprivate func name(of value: Value) -> String? { first { $0.value == value }?.key }
}

extension PixelBuffer {
  /// The same memory, with the color that its attachments set, if it differs.
  func withAttachedColor() -> PixelBuffer {
    guard let set = attachments.withLock({ $0 })?.contents.withLock({ $0 }).ofBuffer, !set.isEmpty
    else { return self }
    func value<Code>(_ key: String, _ names: [String: Code], _ present: Code) -> Code {
      (set[key]?.value as? String).flatMap { names[$0] } ?? present
    }
    var details = details
    details.color = ColorDescription(
      primaries: value(
        kCVImageBufferColorPrimariesKey, ColorNames.primaries, details.color.primaries),
      transferFunction: value(
        kCVImageBufferTransferFunctionKey, ColorNames.transferFunctions,
        details.color.transferFunction),
      matrix: value(kCVImageBufferYCbCrMatrixKey, ColorNames.matrices, details.color.matrix),
      range: details.color.range)
    guard details != self.details else { return self }
    let planes = (0..<planeCount).map { plane($0) }
    return (try? PixelBuffer(details, planes: planes) { [self] in withExtendedLifetime(self) {} })
      ?? self
  }
}

extension SampleBuffer {
  /// The same sample, with the color that its pixel buffer's attachments set.
  func withAttachedColor() -> SampleBuffer {
    guard let frame = imageBuffer else { return self }
    let colored = frame.withAttachedColor()
    guard colored !== frame else { return self }
    var sample = SampleBuffer(
      .video(colored), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: sourceFacts)
    sample.notes = notes
    return sample
  }
}

/// Attaches a value to a buffer. Attached color applies to the track that the buffer is written to, unless the
/// track's settings set color.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
  buffer.setAttachment(value, forKey: key, mode: attachmentMode.rawValue)
}

/// Attaches several values to a buffer.
public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  CMSetAttachments(buffer, attachments: theAttachments, attachmentMode: attachmentMode.rawValue)
}

/// A value attached to a buffer, or derived from its description.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  guard let (value, mode) = buffer.attachment(forKey: key) else { return nil }
  attachmentMode?.pointee = CVAttachmentMode(rawValue: mode) ?? .shouldNotPropagate
  return value
}

/// Older form of ``CVBufferCopyAttachment(_:_:_:)``.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> UnmanagedAttachment? {
  CVBufferCopyAttachment(buffer, key, attachmentMode).map(UnmanagedAttachment.init)
}

/// Stands for `Unmanaged` with a Core Foundation value.
public struct UnmanagedAttachment {
  let value: Any
  public func takeUnretainedValue() -> CFTypeRef { value }
  public func takeRetainedValue() -> CFTypeRef { value }
}

/// All attachments with a mode; nil if there are none.
public func CVBufferCopyAttachments(
  _ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode
) -> CFDictionary? {
  CMCopyDictionaryOfAttachments(
    allocator: nil, target: buffer, attachmentMode: attachmentMode.rawValue)
}

/// Removes an attachment from a buffer.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  CMRemoveAttachment(buffer, key: key)
}

/// Removes all attachments from a buffer.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { CMRemoveAllAttachments(buffer) }

/// Copies the attachments that propagate from one buffer to another.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  CMPropagateAttachments(sourceBuffer, destination: destinationBuffer)
}

public let kCVImageBufferCleanApertureWidthKey = "Width"
public let kCVImageBufferCleanApertureHeightKey = "Height"
public let kCVImageBufferCleanApertureHorizontalOffsetKey = "HorizontalOffset"
public let kCVImageBufferCleanApertureVerticalOffsetKey = "VerticalOffset"
