public import Dispatch
public import Foundation
public import MediaCore
public import VideoRecorder

/// An object detected in a frame. Detection is not supported, so none is ever created.
///
/// Unchecked because the compiler accepts `Sendable` only for final classes: every property is a `let` of a `Sendable`
/// type, and the initializer is internal, so that no subclass elsewhere can add state.
public class AVMetadataObject: @unchecked Sendable {
  /// A kind of object, by Apple's name.
  public struct ObjectType: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let aztec = Self(rawValue: "org.iso.Aztec")
    public static let codabar = Self(rawValue: "Codabar")
    public static let code128 = Self(rawValue: "org.iso.Code128")
    public static let code39 = Self(rawValue: "org.iso.Code39")
    public static let code39Mod43 = Self(rawValue: "org.iso.Code39Mod43")
    public static let code93 = Self(rawValue: "com.intermec.Code93")
    public static let dataMatrix = Self(rawValue: "org.iso.DataMatrix")
    public static let ean13 = Self(rawValue: "org.gs1.EAN-13")
    public static let ean8 = Self(rawValue: "org.gs1.EAN-8")
    public static let face = Self(rawValue: "face")
    public static let interleaved2of5 = Self(rawValue: "org.ansi.Interleaved2of5")
    public static let itf14 = Self(rawValue: "org.gs1.ITF14")
    public static let pdf417 = Self(rawValue: "org.iso.PDF417")
    public static let qr = Self(rawValue: "org.iso.QRCode")
    public static let upce = Self(rawValue: "org.gs1.UPC-E")
  }

  /// The kind of object.
  public let type: ObjectType
  /// When it was detected.
  public let time: CMTime
  /// Its rectangle in the frame, from 0 to 1.
  public let bounds: CGRect

  init(_ type: ObjectType, time: CMTime, bounds: CGRect) {
    (self.type, self.time, self.bounds) = (type, time, bounds)
  }
}

/// A one- or two-dimensional barcode. Detection is not supported, so none is ever created.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds one `let` of a `Sendable` type.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
  /// The decoded text; nil if the content is not text.
  public let stringValue: String?

  init(_ type: ObjectType, time: CMTime, bounds: CGRect, stringValue: String?) {
    self.stringValue = stringValue
    super.init(type, time: time, bounds: bounds)
  }
}

/// Receives objects detected in frames.
public protocol AVCaptureMetadataOutputObjectsDelegate: AnyObject {
  /// Objects were detected.
  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection)
}

extension AVCaptureMetadataOutputObjectsDelegate {
  /// Does nothing.
  public func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {}
}

/// Would detect codes and faces in frames. Not supported: the output takes no connection and lists no object types.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureMetadataOutput: CaptureOutput, @unchecked Sendable {
  /// None.
  public var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] { [] }
  /// None; setting it has no effect.
  public var metadataObjectTypes: [AVMetadataObject.ObjectType] {
    get { [] }
    set {}
  }
  /// The whole frame; setting it has no effect.
  public var rectOfInterest: CGRect {
    get { CGRect(x: 0, y: 0, width: 1, height: 1) }
    set {}
  }
  /// Nil: no delegate is called.
  public var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? { nil }
  /// Takes a delegate that is never called.
  public func setMetadataObjectsDelegate(
    _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?,
    queue objectsCallbackQueue: DispatchQueue?
  ) {}
}
