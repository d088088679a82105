import Glibc
import SystemPackage

/// An open file of a ``CopyFolder``; closed when its owner goes.
package struct FileInFolder: ~Copyable {
  let descriptor: Int32
  /// The path for messages.
  let path: String
  private let calls: any FolderCalls

  init(descriptor: Int32, path: String, calls: any FolderCalls) {
    self.descriptor = descriptor
    self.path = path
    self.calls = calls
  }

  deinit { calls.close(descriptor) }

  /// What the system says of the file.
  package func facts() throws(ASCMHLError) -> FileFacts {
    do throws(Errno) { return FileFacts(try calls.status(descriptor)) } catch {
      throw .system("look at", path, error)
    }
  }

  /// Reads from a place on; 0 at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(ASCMHLError) -> Int {
    while true {
      do throws(Errno) { return try calls.read(descriptor, buffer, at: offset) } catch {
        if error != .interrupted { throw .system("read", path, error) }
      }
    }
  }

  /// Reads the file from its beginning to its end.
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

  /// Brings the file to the disk.
  package func synchronize() throws(ASCMHLError) {
    do throws(Errno) { try calls.synchronize(descriptor) } catch {
      throw .system("sync", path, error)
    }
  }

  /// Gives the file a time of change, in nanoseconds since 1970; a file system that cannot hold it
  /// keeps its own.
  package func setModified(_ nanoseconds: Int64) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    calls.setModified(descriptor, seconds: Int(seconds), nanoseconds: Int(rest))
  }

  /// Takes the file for this process until ``unlock()``; false where another one has it.
  package func lock() -> Bool { tryLock() == true }

  /// As ``lock()``; nil where the file system knows no locks.
  func tryLock() -> Bool? {
    do throws(Errno) {
      try calls.lock(descriptor)
      return true
    } catch {
      // SMB servers refuse access to what another one has locked.
      return [.wouldBlock, .permissionDenied, .interrupted].contains(error) ? false : nil
    }
  }

  /// Gives the file back. Closing alone does that later where another thread starts a program at this moment: that
  /// one has the file too until it runs.
  package func unlock() { calls.unlock(descriptor) }

  /// Drops what the page cache holds of the file, so that it is read from the disk.
  package func dropCache() { calls.dropCache(descriptor) }
}
