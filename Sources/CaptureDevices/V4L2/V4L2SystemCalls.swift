import CVideo4Linux
import Glibc
import MediaCore
import SystemPackage

/// The system calls of V4L2 capture: the seam at which tests stand in for the kernel.
protocol V4L2SystemCalls: Sendable {
  /// Opens a device node for reading and writing, without blocking.
  func open(_ path: String) throws(Errno) -> Int32
  func close(_ descriptor: Int32)
  /// One ioctl. Not restarted where a signal interrupts it: that is the caller's part.
  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno)
  /// Maps a buffer of the device, and at least 64 readable bytes behind it.
  func map(_ descriptor: Int32, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawPointer
  /// Unmaps what ``map(_:length:offset:)`` mapped.
  func unmap(_ address: UnsafeMutableRawPointer, length: Int)
  /// Waits for the device (POLLIN, POLLPRI) or the wake-up; nil on a time-out.
  func poll(device: Int32, wakeup: Int32, milliseconds: Int32) throws(Errno) -> V4L2Readiness
  /// A descriptor that ``signal(_:)`` makes readable.
  func makeWakeup() throws(Errno) -> Int32
  /// Wakes a poll that waits on the wake-up.
  func signal(_ wakeup: Int32)
  /// A descriptor that becomes readable when names come, go or change their permissions in a
  /// folder.
  func watch(_ folder: String) throws(Errno) -> Int32
  /// Adds a folder to a watch. Does nothing if the watch has it already.
  func watch(_ folder: String, with watch: Int32) throws(Errno)
  /// Reads what a watch has to say, so that it waits for more.
  func drain(_ watch: Int32)
  /// CLOCK_MONOTONIC in nanoseconds.
  func monotonicNanoseconds() -> Int64
  /// Names in a folder; empty where it cannot be read.
  func entries(of folder: String) -> [String]
  /// A short text file, such as one of sysfs, without the line's end; nil where there is none.
  func text(of path: String) -> String?
  /// The path behind symbolic links; nil where there is none.
  func resolved(_ path: String) -> String?
}

/// What poll has to say.
struct V4L2Readiness: OptionSet, Sendable {
  let rawValue: UInt8
  /// A buffer can be dequeued.
  static let buffer = V4L2Readiness(rawValue: 1)
  /// An event can be dequeued.
  static let event = V4L2Readiness(rawValue: 2)
  /// The device is in error or gone; a dequeue says which.
  static let error = V4L2Readiness(rawValue: 4)
  /// The wake-up was signalled.
  static let wakeup = V4L2Readiness(rawValue: 8)
}

/// The kernel itself.
struct LinuxSystemCalls: V4L2SystemCalls {
  private var lastError: Errno { Errno(rawValue: errno) }

  func open(_ path: String) throws(Errno) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw lastError }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    guard cv4l2_ioctl(descriptor, request, argument) >= 0 else { throw lastError }
  }

  // Readers of frames load whole vectors, so up to one beyond a row's end: a page of zeros
  // follows each buffer, because the last row of the last one may end with its page.
  func map(_ descriptor: Int32, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawPointer {
    let reserved = Self.reservation(length)
    guard
      let address = mmap(
        nil, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      address != MAP_FAILED
    else { throw lastError }
    guard
      mmap(
        address, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, off_t(offset))
        == address
    else {
      let error = lastError
      munmap(address, reserved)
      throw error
    }
    return address
  }

  func unmap(_ address: UnsafeMutableRawPointer, length: Int) {
    munmap(address, Self.reservation(length))
  }

  private static func reservation(_ length: Int) -> Int {
    let page = 4096
    return (length + page - 1) / page * page + page
  }

  func poll(device: Int32, wakeup: Int32, milliseconds: Int32) throws(Errno) -> V4L2Readiness {
    // A descriptor below zero is left out, as poll(2) has it.
    var entries: InlineArray<2, pollfd> = [
      pollfd(fd: device, events: Int16(POLLIN | POLLPRI), revents: 0),
      pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
    ]
    let count = withUnsafeMutablePointer(to: &entries) {
      Glibc.poll(UnsafeMutableRawPointer($0).assumingMemoryBound(to: pollfd.self), 2, milliseconds)
    }
    guard count >= 0 else { throw lastError }
    var ready: V4L2Readiness = []
    let found = Int32(entries[0].revents)
    if found & POLLIN != 0 { ready.insert(.buffer) }
    if found & POLLPRI != 0 { ready.insert(.event) }
    if found & (POLLERR | POLLHUP | POLLNVAL) != 0 { ready.insert(.error) }
    if entries[1].revents != 0 { ready.insert(.wakeup) }
    return ready
  }

  func makeWakeup() throws(Errno) -> Int32 {
    let descriptor = cv4l2_eventfd()
    guard descriptor >= 0 else { throw lastError }
    return descriptor
  }

  func signal(_ wakeup: Int32) { _ = cv4l2_eventfd_signal(wakeup) }

  func watch(_ folder: String) throws(Errno) -> Int32 {
    let descriptor = cv4l2_inotify()
    guard descriptor >= 0 else { throw lastError }
    do throws(Errno) { try watch(folder, with: descriptor) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  func watch(_ folder: String, with watch: Int32) throws(Errno) {
    guard cv4l2_inotify_add(watch, folder) >= 0 else { throw lastError }
  }

  func drain(_ watch: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      while read(watch, bytes.baseAddress, bytes.count) > 0 {}
    }
  }

  func monotonicNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  func entries(of folder: String) -> [String] {
    (try? ListedFolder.names(in: folder)) ?? []
  }

  func text(of path: String) -> String? {
    guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? descriptor.close() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard let count = try? bytes.withUnsafeMutableBytes({ try descriptor.read(into: $0) })
    else { return nil }
    var text = String(decoding: bytes[..<count], as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
