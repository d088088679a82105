import Glibc
import SystemPackage

/// An open file of a ``CopyFolder``, closed on deinit.
package struct FileInFolder: ~Copyable {
  let descriptor: Int32
  /// The full path, for messages.
  let path: String
  private let calls: any FolderCalls

  init(descriptor: Int32, path: String, calls: any FolderCalls) {
    self.descriptor = descriptor
    self.path = path
    self.calls = calls
  }

  deinit { calls.close(descriptor) }

  /// The file's status.
  package func facts() throws(ASCMHLError) -> FileFacts {
    do throws(Errno) { return FileFacts(try calls.status(descriptor)) } catch {
      throw .system("look at", path, error)
    }
  }

  /// Reads at an offset; returns 0 at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(ASCMHLError) -> Int {
    while true {
      do throws(Errno) { return try calls.read(descriptor, buffer, at: offset) } catch {
        if error != .interrupted { throw .system("read", path, error) }
      }
    }
  }

  /// Reads the whole file.
  package func forEachChunk(
    _ work: (UnsafeRawBufferPointer) throws(ASCMHLError) -> Void
  ) throws(ASCMHLError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try read(into: buffer, at: offset)
      if count == 0 { return }
      try work(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(ASCMHLError) {
    var done = 0
    while done < bytes.count {
      do throws(Errno) {
        let count = try calls.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]))
        if count == 0 { throw .ioError }
        done += count
      } catch {
        if error != .interrupted { throw .system("write", path, error) }
      }
    }
  }

  /// Flushes the file to the disk.
  package func synchronize() throws(ASCMHLError) {
    do throws(Errno) { try calls.synchronize(descriptor) } catch {
      throw .system("sync", path, error)
    }
  }

  /// Sets the modification time, in nanoseconds since 1970. Errors are ignored, as some file
  /// systems cannot store it.
  package func setModified(_ nanoseconds: Int64) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    calls.setModified(descriptor, seconds: Int(seconds), nanoseconds: Int(rest))
  }

  /// Locks the file until ``unlock()``; false if another process holds the lock or the file system
  /// does not support locks.
  package func lock() -> Bool { tryLock() == true }

  /// As ``lock()``, but nil if the file system does not support locks.
  func tryLock() -> Bool? {
    do throws(Errno) {
      try calls.lock(descriptor)
      return true
    } catch {
      // SMB servers deny access to a file that another client has locked.
      return [.wouldBlock, .permissionDenied, .interrupted].contains(error) ? false : nil
    }
  }

  /// Releases the lock. Closing alone may release it late: if another thread is starting a program
  /// right now, the child holds the file too until it calls exec.
  package func unlock() { calls.unlock(descriptor) }

  /// Drops the file from the page cache, so that it is read from the disk.
  package func dropCache() { calls.dropCache(descriptor) }
}
