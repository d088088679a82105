// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore
public import VideoRecorder

/// The number of a screen.
public typealias CGDirectDisplayID = UInt32

/// No screen.
public let kCGNullDirectDisplay: CGDirectDisplayID = 0

/// ``kCGNullDirectDisplay``: screens are not looked for here.
public func CGMainDisplayID() -> CGDirectDisplayID { kCGNullDirectDisplay }

/// Stands where a screen as a session's input does. There is none: no screen can be recorded here.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureScreenInput: CaptureInput, @unchecked Sendable {
  /// Nil, for any screen.
  public init?(displayID: CGDirectDisplayID) { return nil }

  /// The shortest time between two pictures: not set.
  public var minFrameDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// The part of the screen: none.
  public var cropRect: CGRect {
    get { .zero }
    set {}
  }
  /// 1: pictures would be as large as the screen.
  public var scaleFactor: CGFloat {
    get { 1 }
    set {}
  }
  /// False: no clicks are drawn.
  public var capturesMouseClicks: Bool {
    get { false }
    set {}
  }
  /// False: no pointer is drawn.
  public var capturesCursor: Bool {
    get { false }
    set {}
  }
  /// False: every picture would be taken.
  public var removesDuplicateFrames: Bool {
    get { false }
    set {}
  }
}
