import MediaCore
public import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The measured speed at which a folder's disk takes a movie, and its free space.
public struct DiskSpeed: Sendable, Codable {
  /// The folder.
  public var folder: String
  /// The number of bytes written for the measurement.
  public var bytesWritten: Int
  /// Bytes per second that reach the disk.
  public var bytesPerSecond: Double
  /// The longest time that a fragment took to reach the disk, in milliseconds.
  public var slowestWriteMilliseconds: Double
  /// Free space for this user, in bytes.
  public var freeBytes: Int64
  /// The number of files that can still be created; nil if the file system has no fixed limit.
  public var freeFiles: Int64?

  /// Writes fragments of 8 MiB, each flushed to disk like a recording's, for about `seconds`. They
  /// go to a file without a name, which vanishes however the process ends.
  ///
  /// - Throws: `QuickTimeError` if the folder cannot be written to.
  public static func measure(folder: String, seconds: Double = 2) throws(QuickTimeError)
    -> DiskSpeed
  {
    try measure(folder: folder, seconds: seconds) {}
  }

  /// - Parameter didWrite: Called after each fragment.
  static func measure(
    folder: String, seconds: Double, didWrite: () -> Void
  ) throws(QuickTimeError) -> DiskSpeed {
    let room = try room(folder)
    let path = (folder.hasSuffix("/") ? folder : folder + "/") + ".recordctl-check-\(getpid())"
    do throws(QuickTimeError) {
      return try measure(folder: folder, room, seconds: seconds, by: path, didWrite: didWrite)
    } catch {
      // Name the folder: the user does not know the temporary file and cannot find it.
      throw QuickTimeError(
        error.code, error.message.replacing(path, with: folder), from: error)
    }
  }

  /// - Parameter path: The file to write to.
  private static func measure(
    folder: String, _ room: VolumeRoom, seconds: Double, by path: String, didWrite: () -> Void
  ) throws(QuickTimeError) -> DiskSpeed {
    let free = room.bytes
    let file = try PosixMovieFile(path: path, mode: .create)
    try? file.remove()
    defer {
      try? file.close()
      // In case the file system does not remove open files.
      try? file.remove()
    }
    // Not zeros, which some disks do not actually write.
    let block = Self.noise(8 << 20)
    let limit = min(Int64(2) << 30, free / 4)
    let clock = ContinuousClock()
    let start = clock.now
    var written = 0
    var slowest = Duration.zero
    repeat {
      let before = clock.now
      var failure: QuickTimeError?
      block.withUnsafeBytes { bytes in
        do throws(QuickTimeError) {
          try file.write([bytes], at: UInt64(written))
          try file.synchronize()
        } catch { failure = error }
      }
      if let failure { throw failure }
      written += block.count
      didWrite()
      slowest = max(slowest, before.duration(to: clock.now))
    } while start.duration(to: clock.now) < .seconds(seconds) && Int64(written) < limit
    let elapsed = start.duration(to: clock.now) / .seconds(1)
    return DiskSpeed(
      folder: folder, bytesWritten: written, bytesPerSecond: Double(written) / elapsed,
      slowestWriteMilliseconds: slowest / .milliseconds(1), freeBytes: free,
      freeFiles: room.fileCount)
  }

  /// Random bytes, different each time (xorshift64*).
  private static func noise(_ count: Int) -> [UInt8] {
    var state = UInt64.random(in: 1 ... .max)
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      let words = UnsafeMutableRawBufferPointer(bytes)
      while filled + 8 <= count {
        state ^= state &>> 12
        state ^= state &<< 25
        state ^= state &>> 27
        words.storeBytes(
          of: state &* 0x2545_F491_4F6C_DD1D, toByteOffset: filled, as: UInt64.self)
        filled += 8
      }
    }
  }

  private static func room(_ folder: String) throws(QuickTimeError) -> VolumeRoom {
    guard let room = VolumeRoom(at: folder) else {
      throw QuickTimeError(
        .notFound, "\(folder): \(String(cString: strerror(errno))); name a folder that exists",
        errno: errno)
    }
    return room
  }
}
