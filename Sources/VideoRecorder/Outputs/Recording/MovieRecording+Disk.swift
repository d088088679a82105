import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
import Synchronization

/// The disk's limits.
extension MovieRecording {
  /// Refuses file names that are taken and disks without room, as far as known before the
  /// first frame.
  func check(_ url: URL) throws(CaptureError) {
    let folders: [String?] = [url.deletingLastPathComponent().path, plan.options.secondFolder]
    // May block: a hanging disk would delay the take anyway, since its file is created there next.
    if let error = shortage(in: folders.compactMap(\.self), bytes: disks.bytesAtLast) {
      throw error
    }
    let policy = plan.options.segments
    guard !plan.options.overwritesExistingFile, policy.numbersFirstFile else { return }
    // A later segment would skip a taken number, and leave a hole in the take's numbering.
    for number in 1...99 {
      let path = policy.url(ofSegment: number, of: url).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      throw CaptureError(
        .fileAlreadyExists, "\(path) exists; choose another name or allow overwriting")
    }
  }

  /// Looks at source and disk four times a second, as long as the recording lasts.
  func watch() {
    queue.asyncAfter(deadline: .now() + SourceWatch.lookInterval) { [weak self] in
      guard let self, isActive else { return }
      if !isStandingBy {
        checkDisk()
        checkDiskSpeed()
      }
      checkSource()
      watch()
    }
  }

  /// The folders that are written to. First that of the present movie, which may have been moved, or of the
  /// requested name before there is one; then the second folder. Without folders that were given up.
  var folders: [String] {
    let movie = presentMovie.withLock { $0 }.map { URL(filePath: $0) } ?? url
    return disks.remaining(
      of: [movie.deletingLastPathComponent().path, plan.options.secondFolder].compactMap(\.self))
  }

  private func checkDisk() {
    if writer.status == .failed {
      let error = writer.error.map { CaptureError($0) }
      stop(error.map { .init(writingFailure: $0) } ?? .writingFailed, error: error)
    } else if let error = shortage(in: folders, bytes: disks.bytes) {
      stop(.minimumFreeDiskSpaceReached, error: error)
    }
  }

  /// The take's bytes per second: measured so far, or the codec's target rate until there is enough to measure.
  private var bytesPerSecond: Double {
    let seconds = recordedDuration.seconds
    let bytes = Double(writer.writtenByteCount)
    return seconds > 1 && bytes > 0 ? bytes / seconds : plan.targetBytesPerSecond
  }

  /// The bytes to leave free: the larger of a number of bytes and a number of seconds at this take's rate.
  var diskReserve: Double {
    let options = plan.options
    return max(
      Double(options.minFreeDiskSpaceLimit), bytesPerSecond * options.minFreeDiskSeconds)
  }

  /// The error that every place is below its reserve. A take in two places continues while one of them is not.
  private func shortage(
    in folders: [String], bytes: (_ folder: String) -> Int64?
  ) -> CaptureError? {
    let places = folders.compactMap { folder in
      bytes(folder).map { (folder: folder, free: $0) }
    }
    guard let (folder, free) = places.max(by: { $0.free < $1.free }) else { return nil }
    let reserve = diskReserve
    guard Double(free) < reserve else { return nil }
    return CaptureError(
      .diskFull,
      "\(folder) has \(Self.text(free)) free, less than the reserve of "
        + "\(Self.text(Int64(saturating: reserve))); make room or record elsewhere")
  }

  private static func text(_ bytes: Int64) -> String {
    bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
  }
}
