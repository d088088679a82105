import MediaCore
import QuickTime
import Takes
import VideoRecorder

/// Checks the disks of a recording.
extension RecordingCheck {
  /// - Parameters:
  ///   - folder: The folder of the movies.
  ///   - second: The folder that gets a second copy of each movie; nil for none.
  ///   - reserve: The space to leave free, in seconds of the recording.
  ///   - seconds: How long each disk is measured.
  mutating func checkDisks(
    _ folder: String, _ second: SecondFolder?, reserve: Double, seconds: Double = 2
  ) {
    // One disk for both files has twice the work.
    let share = second?.sharesDisk == true ? 2.0 : 1.0
    if let speed = measure(folder, seconds, named: "disk") {
      disk = speed
      minutesThatFit = judge(speed, reserve: reserve, filesOnDisk: share, named: "")
    }
    guard let second else { return }
    guard !second.isFirst else {
      return add(
        "second disk", false,
        "\(second.path) is the folder of the movies itself, and no take can start; name a folder on "
          + "another disk")
    }
    if let speed = measure(second.path, seconds, named: "second disk") {
      secondDisk = speed
      secondMinutesThatFit = judge(speed, reserve: reserve, filesOnDisk: share, named: "second ")
    }
  }

  private mutating func measure(
    _ folder: String, _ seconds: Double, named name: String
  ) -> DiskSpeed? {
    do throws(QuickTimeError) {
      return try DiskSpeed.measure(folder: folder, seconds: seconds)
    } catch {
      add(name, false, error.message)
      return nil
    }
  }

  /// Judges a disk's speed and free space.
  ///
  /// - Parameters:
  ///   - filesOnDisk: How many of the take's files go to the disk.
  ///   - name: The prefix of the items' names.
  /// - Returns: The minutes that fit; nil if the data rate is unknown.
  mutating func judge(
    _ speed: DiskSpeed, reserve: Double, filesOnDisk: Double, named name: String
  ) -> Double? {
    let needed = (neededBytesPerSecond ?? 0) * filesOnDisk
    let isFast = speed.bytesPerSecond >= needed * Self.margin
    add(
      name + "disk", isFast,
      "\(Self.number(speed.bytesPerSecond / 1e6)) MB/s"
        + (needed > 0 ? " of \(Self.number(needed / 1e6)) MB/s needed" : "")
        + (needed > 0 && filesOnDisk > 1 ? " for both files, which are on one disk" : "")
        + ", at most \(Self.number(speed.slowestWriteMilliseconds)) ms for a write"
        + (isFast ? "" : "; record to a faster disk or with a lower codec"))
    let scarcity = Self.scarcity(of: speed)
    guard needed > 0 else {
      if let scarcity { add(name + "room", false, scarcity) }
      return nil
    }
    let seconds = DiskRoom.seconds(
      freeBytes: speed.freeBytes, bytesPerSecond: needed, reserveSeconds: reserve)
    let minutes = (seconds ?? 0) / 60
    add(
      name + "room", minutes >= 1 && scarcity == nil,
      "\(Self.number(minutes)) minutes fit in the worst case, Apple's target rate ("
        + "\(Self.number(Double(speed.freeBytes) / 1e9)) GB free); the live line of a "
        + "recording also shows those at the current rate"
        + (minutes >= 1
          ? "" : "; less than a minute is too little: make room, or record to another disk")
        + (scarcity.map { "; " + $0 } ?? ""))
    return minutes
  }

  /// Enough files for a take or two: each movie has a sidecar, and each file has another name while
  /// it is written.
  private static let fewFiles: Int64 = 8

  /// With less free space in bytes, a disk is full. File systems that allocate inodes dynamically,
  /// such as XFS, then have none left either, and deleting small files would not help.
  private static let fewBytes: Int64 = 1 << 20

  /// A message, with a remedy, that a disk with free space takes hardly any more files; nil if it
  /// does.
  private static func scarcity(of speed: DiskSpeed) -> String? {
    guard let files = speed.freeFiles, files < fewFiles, speed.freeBytes >= fewBytes else {
      return nil
    }
    return "the disk has room for only \(files) more files (inodes): delete files, or "
      + "record to another disk"
  }
}
