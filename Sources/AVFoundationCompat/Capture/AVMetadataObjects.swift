public import Foundation
public import MediaCore
public import VideoRecorder

// Objects that phones detect in frames. Detection is not supported, so none of these is ever created.

extension AVMetadataObject.ObjectType {
  public static let humanBody = Self(rawValue: "humanBody")
  public static let humanFullBody = Self(rawValue: "humanFullBody")
  public static let catBody = Self(rawValue: "catBody")
  public static let dogBody = Self(rawValue: "dogBody")
  public static let salientObject = Self(rawValue: "salientObject")
}

extension AVMetadataObject {
  /// Invalid: the duration is unknown.
  public var duration: CMTime { .invalid }
}

extension AVMetadataMachineReadableCodeObject {
  /// None.
  public var corners: [CGPoint] { [] }
  /// Nil.
  public var descriptor: CIBarcodeDescriptor? { nil }
}

/// The content of a code. Codes are not read here.
public final class CIBarcodeDescriptor: Sendable, ComparedByIdentity {
  private init() {}
}

/// A face. Never detected: see ``AVMetadataObject``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {
  /// 0.
  public var faceID: Int { 0 }
  /// False.
  public var hasRollAngle: Bool { false }
  /// 0 degrees.
  public var rollAngle: CGFloat { 0 }
  /// False.
  public var hasYawAngle: Bool { false }
  /// 0 degrees.
  public var yawAngle: CGFloat { 0 }
}

/// A body. Never detected: see ``AVMetadataObject``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public class AVMetadataBodyObject: AVMetadataObject, @unchecked Sendable {
  /// 0.
  public var bodyID: Int { 0 }
}

/// The upper part of a human's body: see ``AVMetadataBodyObject``.
///
/// Unchecked like its superclass: it adds no stored property.
public final class AVMetadataHumanBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// A human's body: see ``AVMetadataBodyObject``.
///
/// Unchecked like its superclass: it adds no stored property.
public final class AVMetadataHumanFullBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// A cat's body: see ``AVMetadataBodyObject``.
///
/// Unchecked like its superclass: it adds no stored property.
public final class AVMetadataCatBodyObject: AVMetadataBodyObject, @unchecked Sendable {}
/// A dog's body: see ``AVMetadataBodyObject``.
///
/// Unchecked like its superclass: it adds no stored property.
public final class AVMetadataDogBodyObject: AVMetadataBodyObject, @unchecked Sendable {}

/// A salient object. Never detected: see ``AVMetadataObject``.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public final class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {
  /// 0.
  public var objectID: Int { 0 }
}

/// Objects detected in a frame of a synchronizer's output. Never delivered.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds no stored property.
public final class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData,
  @unchecked Sendable
{
  /// None.
  public var metadataObjects: [AVMetadataObject] { [] }
}

extension CaptureOutput {
  /// Nil: nothing is ever detected.
  public func transformedMetadataObject(
    for metadataObject: AVMetadataObject, connection: AVCaptureConnection
  ) -> AVMetadataObject? { nil }
}

extension AVCaptureVideoPreviewLayer {
  /// Nil: nothing is ever detected.
  public func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
    nil
  }
}

/// No value of this type is ever created.
extension AVCameraCalibrationData {
  /// 0x0.
  public var intrinsicMatrixReferenceDimensions: CGSize { .zero }
  /// 0 millimeters.
  public var pixelSize: Float { 0 }
  /// Nil.
  public var lensDistortionLookupTable: Data? { nil }
  /// Nil.
  public var inverseLensDistortionLookupTable: Data? { nil }
  /// (0, 0).
  public var lensDistortionCenter: CGPoint { .zero }
}
