import CVideo4Linux
import MediaCore
import Synchronization

/// The settings of a V4L2 camera, through the controls that the kernel has numbers for.
public final class V4L2CameraControl: CameraControl {
  private let open: @Sendable () throws(CaptureError) -> V4L2Handle

  init(open: @escaping @Sendable () throws(CaptureError) -> V4L2Handle) { self.open = open }

  /// Numbers of controls, as v4l2-controls.h has them.
  private static let numbers: [CameraSetting: UInt32] = [
    .exposureMode: 0x009A_0901, .exposureTime: 0x009A_0902, .exposureBias: 0x009A_0913,
    .automaticWhiteBalance: 0x0098_090C, .whiteBalanceOnce: 0x0098_090D,
    .whiteBalanceTemperature: 0x0098_091A, .automaticFocus: 0x009A_090C,
    .focusOnce: 0x009A_091C, .focusPosition: 0x009A_090A, .zoom: 0x009A_090D,
    .powerLineFrequency: 0x0098_0918,
  ]

  private func number(_ setting: CameraSetting) throws(CaptureError) -> UInt32 {
    guard let number = Self.numbers[setting] else {
      throw CaptureError(
        .invalidArgument, "the camera setting \(setting.rawValue) is not supported")
    }
    return number
  }

  /// The values that the control accepts; nil if there is no such control, or it cannot be set.
  ///
  /// - Throws: ``CaptureError`` where the device is gone or cannot be opened.
  public func facts(of setting: CameraSetting) throws(CaptureError) -> CameraSettingFacts? {
    guard let control = try open().control(try number(setting)), !control.isReadOnly else {
      return nil
    }
    var choices: [Int64: String] = [:]
    if case .menu(let items) = control.kind {
      for item in items { choices[item.value] = item.name }
    }
    return CameraSettingFacts(
      range: control.range, step: control.step, defaultValue: control.defaultValue,
      choices: choices, isActive: !control.isInactive)
  }

  /// What the control says now.
  ///
  /// - Throws: ``CaptureError`` where the device is gone, cannot be opened or has no such control.
  public func value(of setting: CameraSetting) throws(CaptureError) -> Int64 {
    try open().value(ofControl: try number(setting))
  }

  /// Sets the control.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for a value that the camera does not take, and where it is
  ///   gone, cannot be opened or has no such control.
  public func setValue(_ value: Int64, of setting: CameraSetting) throws(CaptureError) {
    try open().setValue(value, ofControl: try number(setting))
  }
}

extension V4L2DeviceDriver {
  /// The camera's settings; nil where it has none of them.
  public var cameraControl: (any CameraControl)? {
    camera.withLock { known in
      if let known { return known }
      let control = V4L2CameraControl { [self] () throws(CaptureError) in try open().handle }
      let isThere = CameraSetting.allCases.contains {
        (try? control.facts(of: $0)) != nil
      }
      let found: V4L2CameraControl? = isThere ? control : nil
      known = .some(found)
      return found
    }
  }
}
