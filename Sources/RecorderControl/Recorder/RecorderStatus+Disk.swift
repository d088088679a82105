import MediaCore
import TakeReports
import Takes
import VideoRecorder

extension RecorderStatus {
  /// Seconds of recording that fit on the disk, at the take's rate so far, or at the codec's target rate
  /// before that is known; nil if neither is.
  package var secondsLeft: Double? {
    progress?.secondsLeft ?? progress?.worstCaseSecondsLeft ?? disk?.worstCaseSecondsLeft
  }
}

extension RecorderStatus.Disk {
  /// The disk space for a session's next take; nil if the system does not report it.
  ///
  /// - Parameters:
  ///   - disks: Measures the free space. It also finds the folder of the next take, because a disk that hangs
  ///     may delay that.
  ///   - folder: The path that it found; nil before it found one.
  init?(_ session: TakeSession, _ disks: DiskWatch, folder: () -> String?) {
    let setup = session.setup
    guard let free = disks.bytes(in: session.destination) else { return nil }
    self.init(
      freeSpace: free,
      worstCaseSecondsLeft: DiskRoom.seconds(
        freeBytes: free, bytesPerSecond: setup.targetBytesPerSecond,
        reserveSeconds: setup.request.preset.limits.minimumFreeSeconds),
      folderName: folder()?.pathParts().last.map { String($0) })
  }
}
