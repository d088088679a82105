// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore
public import VideoRecorder

/// The ID of a screen.
public typealias CGDirectDisplayID = UInt32

/// No screen.
public let kCGNullDirectDisplay: CGDirectDisplayID = 0

/// ``kCGNullDirectDisplay``: screens are not supported here.
public func CGMainDisplayID() -> CGDirectDisplayID { kCGNullDirectDisplay }

/// A screen as a session's input. Not supported: screens cannot be recorded here.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureScreenInput: CaptureInput, @unchecked Sendable {
  /// Always nil.
  public init?(displayID: CGDirectDisplayID) { return nil }

  /// The shortest time between two frames: not set.
  public var minFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// The recorded area: empty.
  public var cropRect: CGRect {
    get { .zero }
    set {}
  }
  /// Always 1.
  public var scaleFactor: CGFloat {
    get { 1 }
    set {}
  }
  /// Always false.
  public var capturesMouseClicks: Bool {
    get { false }
    set {}
  }
  /// Always false.
  public var capturesCursor: Bool {
    get { false }
    set {}
  }
  /// Always false.
  public var removesDuplicateFrames: Bool {
    get { false }
    set {}
  }
}
