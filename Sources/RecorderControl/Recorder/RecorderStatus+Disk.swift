import MediaCore
import TakeReports
import Takes
import VideoRecorder

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
