package import Foundation
import Synchronization
import Testing

/// A terminal whose other end is the test.
package final class PseudoTerminal: Sendable {
  /// The path that a process opens.
  package let path: String
  private let master: Int32
  private let state = Mutex(State())

  private struct State {
    var bytes = Data()
    var isClosed = false
  }

  package init(columns: UInt16 = 80) throws {
    // What unlockpt(3) and ptsname(3) do, which Swift's Glibc module lacks.
    let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0, "pseudo-terminals are unavailable")
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    try #require(ioctl(master, setLock, &unlocked) == 0 && ioctl(master, getNumber, &number) == 0)
    path = "/dev/pts/\(number)"
    resize(columns: columns)
    let thread = Thread { [self] in read() }
    thread.start()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !state.withLock({ $0.isClosed }) {
      var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 50) > 0 else { continue }
      state.withLock { state in
        guard !state.isClosed else { return }
        let count = Foundation.read(master, &buffer, buffer.count)
        if count > 0 { state.bytes += buffer[..<count] }
      }
      // There is nothing to read before the first process opens the terminal.
      if Int32(ready.revents) & POLLHUP != 0 { Thread.sleep(forTimeInterval: 0.02) }
    }
  }

  /// Everything written to it so far.
  package var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

  /// All lines written, including those drawn over others, without colors.
  package var lines: [String] {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline)
      .map(String.init)
  }

  /// The standard input for a program.
  package func makeStandardInput() throws -> FileHandle {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// True if the terminal waits for whole lines and echoes them, as shells leave it.
  package var isInLineMode: Bool {
    var settings = termios()
    let all = tcflag_t(ICANON | ECHO)
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & all == all
  }

  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  package func resize(columns: UInt16) {
    var size: (UInt16, UInt16, UInt16, UInt16) = (24, columns, 0, 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the other end, as when a connection breaks.
  package func hangUp() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      close(master)
    }
  }
}
