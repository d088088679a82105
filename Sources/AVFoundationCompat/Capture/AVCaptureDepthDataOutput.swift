public import Dispatch
public import MediaCore
public import VideoRecorder

/// Receives depth data. No device here measures depth, so it is never called.
public protocol AVCaptureDepthDataOutputDelegate: AnyObject {
  /// Depth was measured.
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection)
  /// Depth was measured and could not be delivered.
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

/// Delivers depth data from cameras. No camera here measures it: the output takes no connection, and `connection(with:
/// .depthData)` is nil.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureDepthDataOutput: CaptureOutput, @unchecked Sendable {
  /// True; setting it has no effect.
  public var alwaysDiscardsLateDepthData: Bool {
    get { true }
    set {}
  }
  /// False: nothing is smoothed. Setting it has no effect.
  public var isFilteringEnabled: Bool {
    get { false }
    set {}
  }
  /// Nil: no delegate is called.
  public var delegate: (any AVCaptureDepthDataOutputDelegate)? { nil }
  /// Nil: no delegate is called.
  public var delegateCallbackQueue: DispatchQueue? { nil }
  /// Takes a delegate that is never called.
  public func setDelegate(
    _ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?
  ) {}
}

/// Depth data of a synchronizer's output. Never delivered.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
  /// The depth.
  public let depthData: AVDepthData
  /// Why it was dropped; `none` if it was not.
  public let droppedReason: AVCaptureOutput.DataDroppedReason
  /// True for depth that could not be delivered in time.
  public var depthDataWasDropped: Bool { droppedReason != .none }

  private init(
    _ depthData: AVDepthData, _ droppedReason: AVCaptureOutput.DataDroppedReason, _ time: CMTime
  ) {
    (self.depthData, self.droppedReason) = (depthData, droppedReason)
    super.init(timestamp: time)
  }
}

/// Depth measured by a camera. No camera here measures depth, so no value of this type exists.
public final class AVDepthData: Sendable {
  /// The quality of a measurement, with Apple's numbers.
  public enum Quality: Int, Sendable, Hashable {
    case low = 0
    case high = 1
  }
  /// The meaning of depth values, with Apple's numbers.
  public enum Accuracy: Int, Sendable, Hashable {
    /// Comparable only within one frame.
    case relative = 0
    /// Meters.
    case absolute = 1
  }

  /// The depth of each pixel.
  public let depthDataMap: CVPixelBuffer
  /// The pixel format of ``depthDataMap``.
  public var depthDataType: OSType { CVPixelBufferGetPixelFormatType(depthDataMap) }
  /// The quality of the measurement.
  public let depthDataQuality: Quality
  /// The meaning of its values.
  public let depthDataAccuracy: Accuracy
  /// True for a measurement that was smoothed.
  public let isDepthDataFiltered: Bool
  /// Nil: the lens is unknown.
  public var cameraCalibrationData: AVCameraCalibrationData? { nil }
  /// The pixel formats to which the measurement can be converted: only its own.
  public var availableDepthDataTypes: [OSType] { [depthDataType] }
  /// The measurement, unchanged.
  public func converting(toDepthDataType depthDataType: OSType) -> AVDepthData { self }

  /// Always throws: depth is not read from files.
  ///
  /// - Throws: An ``AVError`` with the code `operationNotAllowed`.
  public convenience init(
    fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws { throw AVError(.operationNotAllowed, "reading depth from files is not supported") }

  private init(_ map: CVPixelBuffer, _ quality: Quality, _ accuracy: Accuracy, isFiltered: Bool) {
    (depthDataMap, depthDataQuality, depthDataAccuracy) = (map, quality, accuracy)
    isDepthDataFiltered = isFiltered
  }
}
