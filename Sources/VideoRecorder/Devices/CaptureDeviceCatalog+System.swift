extension CaptureDeviceCatalog {
  /// Every kind of device that this library drives; hardware first, so that it is preferred.
  static let system = CaptureDeviceCatalog(sources: [])
}
