public import MediaCore
public import VideoRecorder

extension CaptureVideoDataOutput {
  /// The least time from one picture to the next that a delegate is given: those in between are left out, and are no
  /// dropped pictures. Invalid, as at first, and 0 stand for no limit. `sampleBuffers` and a
  /// ``AVCaptureDataOutputSynchronizer`` have all pictures.
  ///
  /// Apple's is deprecated in favor of a connection's `videoMinFrameDuration`, and here of the device's
  /// `activeVideoMinFrameDuration`, which has the camera take fewer pictures.
  public var minFrameDuration: CMTime {
    get { FramePaces.wanted(of: self) ?? .invalid }
    set { FramePaces.set(newValue, of: self) }
  }
}
