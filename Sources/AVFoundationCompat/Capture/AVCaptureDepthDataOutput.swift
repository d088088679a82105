public import Dispatch
public import MediaCore
public import VideoRecorder

/// Is told how far things are. No device here measures it: nothing is ever told.
public protocol AVCaptureDepthDataOutputDelegate: AnyObject {
  /// Depth was measured.
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection)
  /// Depth was measured and could not be given.
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason)
}

extension AVCaptureDepthDataOutputDelegate {
  /// Does nothing.
  public func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {}
  /// Does nothing.
  public func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
  ) {}
}

/// Gives a program the depth that cameras measure. None here does: the output takes no connection, and
/// `connection(with: .depthData)` is nil.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureDepthDataOutput: CaptureOutput, @unchecked Sendable {
  /// True; setting it changes nothing.
  public var alwaysDiscardsLateDepthData: Bool {
    get { true }
    set {}
  }
  /// False: nothing is smoothed. Setting it changes nothing.
  public var isFilteringEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: nobody is called.
  public var delegate: (any AVCaptureDepthDataOutputDelegate)? { nil }
  /// Nil: nobody is called.
  public var delegateCallbackQueue: DispatchQueue? { nil }
  /// Takes a delegate that is never called.
  public func setDelegate(
    _ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?
  ) {}
}

/// Depth of a synchronizer's output. None is ever given.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds `let`s of
/// `Sendable` types.
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
  /// The depth.
  public let depthData: AVDepthData
  /// Why it was dropped; `none` where it was not.
  public let droppedReason: AVCaptureOutput.DataDroppedReason
  /// True for depth that could not be given in time.
  public var depthDataWasDropped: Bool { droppedReason != .none }

  private init(
    _ depthData: AVDepthData, _ droppedReason: AVCaptureOutput.DataDroppedReason, _ time: CMTime
  ) {
    (self.depthData, self.droppedReason) = (depthData, droppedReason)
    super.init(timestamp: time)
  }
}

/// What a camera of depth measures. There is none here, and no value of the type.
public final class AVDepthData: Sendable {
  /// How good a measurement is, with Apple's numbers.
  public enum Quality: Int, Sendable, Hashable {
    case low = 0
    case high = 1
  }
  /// What numbers of depth mean, with Apple's numbers.
  public enum Accuracy: Int, Sendable, Hashable {
    /// Alike within one picture.
    case relative = 0
    /// Meters.
    case absolute = 1
  }

  /// The depth of each pixel.
  public let depthDataMap: CVPixelBuffer
  /// The layout of ``depthDataMap``.
  public var depthDataType: OSType { CVPixelBufferGetPixelFormatType(depthDataMap) }
  /// How good the measurement is.
  public let depthDataQuality: Quality
  /// What its numbers mean.
  public let depthDataAccuracy: Accuracy
  /// True for a measurement that was smoothed.
  public let isDepthDataFiltered: Bool
  /// Nil: no lens is known.
  public var cameraCalibrationData: AVCameraCalibrationData? { nil }
  /// The layouts that the measurement can be brought to: its own.
  public var availableDepthDataTypes: [OSType] { [depthDataType] }
  /// The measurement as it is.
  public func converting(toDepthDataType depthDataType: OSType) -> AVDepthData { self }

  /// None: no file's depth is read here.
  ///
  /// - Throws: An ``AVError`` of the code `operationNotAllowed`.
  public convenience init(
    fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws { throw AVError(.operationNotAllowed, "depth is not read from files here") }

  private init(_ map: CVPixelBuffer, _ quality: Quality, _ accuracy: Accuracy, isFiltered: Bool) {
    (depthDataMap, depthDataQuality, depthDataAccuracy) = (map, quality, accuracy)
    isDepthDataFiltered = isFiltered
  }
}
