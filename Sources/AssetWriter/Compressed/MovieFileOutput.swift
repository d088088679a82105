import CFFmpeg
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A movie file as libavformat writes it: through a buffer, in whatever order it likes.
final class MovieFileOutput {
  let file: any MovieFile
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  /// What went wrong when the file was written.
  private(set) var failure: QuickTimeError?
  /// The first byte that nothing was written to, or behind.
  private(set) var size: UInt64 = 0
  /// True while something is written that the disk has not confirmed.
  private(set) var isUnconfirmed = false
  /// True once a sync has failed. Its data may be lost even if the next sync, which then finds nothing to
  /// write, succeeds.
  private(set) var isInDoubt = false
  /// The end of what a sync has confirmed, on one disk at least.
  private var confirmedSize: UInt64 = 0
  /// The end of what is in the file for all that is known.
  var reliableSize: UInt64 {
    isInDoubt ? min(confirmedSize, file.confirmedSize ?? .max) : size
  }
  private var position: UInt64 = 0
  /// True while what libavformat has collected is let go.
  private var isDiscarding = false

  /// Bytes that are collected before the system is called.
  private static let bufferSize: Int32 = 1 << 20

  /// - Throws: ``QuickTimeError/Code/outOfMemory``.
  init(_ file: any MovieFile) throws(QuickTimeError) {
    self.file = file
    let owner = Unmanaged.passUnretained(self).toOpaque()
    context = cffmpeg_output(
      owner, Self.bufferSize,
      { owner, bytes, count in
        guard let owner, let bytes else { return cffmpeg_averror(EINVAL) }
        return Unmanaged<MovieFileOutput>.fromOpaque(owner).takeUnretainedValue()
          .write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      },
      { owner, offset, whence in
        guard let owner else { return -1 }
        return Unmanaged<MovieFileOutput>.fromOpaque(owner).takeUnretainedValue()
          .seek(to: offset, whence)
      })
    guard context != nil else {
      throw QuickTimeError(.outOfMemory, "\(file.name): no memory to write through")
    }
  }

  deinit { cffmpeg_output_free(context) }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if isDiscarding {
      position += UInt64(bytes.count)
      return Int32(bytes.count)
    }
    guard failure == nil else { return cffmpeg_averror(EIO) }
    do throws(QuickTimeError) {
      try file.write([bytes], at: position)
    } catch {
      failure = error
      return cffmpeg_averror(EIO)
    }
    position += UInt64(bytes.count)
    size = max(size, position)
    isUnconfirmed = true
    return Int32(bytes.count)
  }

  private func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    let base: Int64? =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: Int64(position)
      case SEEK_END: Int64(size)
      default: nil
      }
    guard let base else { return whence == cffmpeg_seek_size ? Int64(size) : -1 }
    guard let place = UInt64(exactly: base + offset) else { return -1 }
    position = place
    return Int64(place)
  }

  /// Hands what is collected to the system.
  ///
  /// - Throws: What went wrong with the file.
  func flush() throws(QuickTimeError) {
    avio_flush(context)
    if let failure { throw failure }
  }

  /// Goes on after a failure as though nothing had been written from a byte on: what lies there gives way to what
  /// completes the file.
  ///
  /// - Parameter end: No more than ``reliableSize``.
  /// - Throws: Errors of the disk.
  func resume(at end: UInt64) throws(QuickTimeError) {
    failure = nil
    isInDoubt = false
    confirmedSize = min(confirmedSize, end)
    context?.pointee.error = 0
    isDiscarding = true
    avio_flush(context)
    isDiscarding = false
    avio_seek(context, Int64(clamping: end), SEEK_SET)
    position = end
    size = end
    isUnconfirmed = true
    try file.truncate(to: end)
  }

  /// Brings what was handed over to the disk.
  ///
  /// - Throws: Errors of the disk.
  func synchronize() throws(QuickTimeError) {
    if isInDoubt, let failure { throw failure }
    guard isUnconfirmed else { return }
    try confirm()
    isUnconfirmed = false
    confirmedSize = size
  }

  private func confirm() throws(QuickTimeError) {
    do throws(QuickTimeError) { try file.synchronize() } catch {
      failure = failure ?? error
      isInDoubt = true
      throw error
    }
  }

  /// Truncates the file, which is not written to afterwards.
  ///
  /// - Parameter end: At most ``reliableSize``.
  /// - Returns: False if the disk does not confirm the rest.
  func end(at end: UInt64) -> Bool {
    try? file.truncate(to: end)
    size = min(size, end)
    return (try? confirm()) != nil
  }
}
