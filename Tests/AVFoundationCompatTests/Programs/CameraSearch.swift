import AVFoundationCompat

/// Looks for a phone's best camera, then for any.
struct CameraSearch {
  static let types: [AVCaptureDevice.DeviceType] = [
    .builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera,
    .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInTrueDepthCamera,
    .builtInLiDARDepthCamera, .continuityCamera, .deskViewCamera,
  ]

  func bestCamera(in position: AVCaptureDevice.Position) -> AVCaptureDevice? {
    let discovery = AVCaptureDevice.DiscoverySession(
      deviceTypes: Self.types, mediaType: .video, position: position)
    return discovery.devices.first { $0.position == position }
  }

  func anyCamera() -> AVCaptureDevice? {
    if let back = bestCamera(in: .back) { return back }
    if let wide = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front) {
      return wide
    }
    return AVCaptureDevice.default(for: .video)
  }

  func cameraNames() -> [String: AVCaptureDevice.DeviceType] {
    let all = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.external, .builtInWideAngleCamera], mediaType: nil, position: .unspecified)
    return Dictionary(all.devices.map { ($0.localizedName, $0.deviceType) }) { first, _ in first }
  }

  static func run() async throws {
    let search = CameraSearch()
    expect(search.bestCamera(in: .back) == nil, "there is a phone's camera")
    guard let camera = search.anyCamera() else { throw AVError(.deviceNotConnected) }
    expect(camera.hasMediaType(.video) && camera.isConnected, "the camera delivers no video")
    expect(!camera.uniqueID.isEmpty && !camera.localizedName.isEmpty, "the camera has no name")
    expect(
      !camera.isContinuityCamera && camera.companionDeskViewCamera == nil, "the camera is a phone")
    switch camera.deviceType {
    case .builtInWideAngleCamera, .builtInTelephotoCamera, .builtInUltraWideCamera:
      expect(false, "the camera is a phone's")
    case .external:
      expect(search.cameraNames().values.contains(.external), "the camera is not found again")
    default: break
    }
    let again = AVCaptureDevice(uniqueID: camera.uniqueID)
    expect(again == camera, "a second lookup finds another camera")
    switch AVCaptureDevice.authorizationStatus(for: .video) {
    case .authorized: break
    case .notDetermined:
      expect(await AVCaptureDevice.requestAccess(for: .video), "access was denied")
    case .denied, .restricted: expect(false, "access is denied")
    @unknown default: break
    }
  }
}
