extension CaptureDeviceCatalog {
  /// Every kind of device that this library drives; hardware first, so that it is preferred.
  static let system = CaptureDeviceCatalog(sources: [.v4l2])
}

extension CaptureDeviceCatalog.Source {
  /// Cards and cameras: `v4l2:<bus path, serial or node>`.
  fileprivate static let v4l2 = Self(
    schemes: ["v4l2"], discover: { V4L2DeviceDriver.discover() }, open: nil)
}
