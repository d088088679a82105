import Foundation
import Glibc
import Testing

/// A terminal of a test's own: what a person would type is written to it.
final class TypedTerminal: Sendable {
  private let master: FileHandle
  /// What a program has as its standard input.
  let slave: FileHandle

  init() throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(master >= 0)
    self.master = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    // What unlockpt() and ptsname() do, which the C library's module leaves out here.
    var (lock, number) = (Int32(0), Int32(-1))
    let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
    let isReady = ioctl(master, unlock, &lock) == 0 && ioctl(master, getNumber, &number) == 0
    try #require(isReady)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    self.slave = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
  }

  /// Presses keys.
  func type(_ keys: String) throws { try master.write(contentsOf: Data(keys.utf8)) }

  /// True where the terminal waits for whole lines and echoes them, as shells leave it.
  var isInLineMode: Bool {
    var settings = termios()
    let all = tcflag_t(ICANON | ECHO)
    return tcgetattr(slave.fileDescriptor, &settings) == 0 && settings.c_lflag & all == all
  }
}
