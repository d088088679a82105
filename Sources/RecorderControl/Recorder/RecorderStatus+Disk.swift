import MediaCore
import TakeReports
import Takes
import VideoRecorder

extension RecorderStatus {
  /// Seconds of room on the disk: at the rate so far, or, before a take tells that, at the codec's target rate;
  /// nil if that is not known.
  package var secondsLeft: Double? {
    progress?.secondsLeft ?? progress?.worstCaseSecondsLeft ?? disk?.worstCaseSecondsLeft
  }
}

extension RecorderStatus.Disk {
  /// The room for a session's next take; nil where the system does not tell.
  ///
  /// - Parameters:
  ///   - disks: Looks for the folder of the next take as well, which a disk that hangs may not tell.
  ///   - folder: The path that it found; nil for none yet.
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
