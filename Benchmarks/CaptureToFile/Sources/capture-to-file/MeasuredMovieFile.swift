import Foundation
import QuickTime
import Synchronization

/// This thread's processor time in nanoseconds, including time in the kernel.
func threadTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The whole process's processor time in nanoseconds.
func processTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Processor time spent in the calls of a movie file, in nanoseconds.
final class FileCosts: Sendable {
  let write = Atomic<Int64>(0)
  let synchronize = Atomic<Int64>(0)
  let reserve = Atomic<Int64>(0)
  let isDirect = Atomic<Bool>(false)
}

/// Measures the processor time of each call to the real file.
final class MeasuredMovieFile: MovieFile {
  private let file: PosixMovieFile
  private let costs: FileCosts

  init(path: String, costs: FileCosts) throws(QuickTimeError) {
    file = try PosixMovieFile(path: path, mode: .overwrite)
    self.costs = costs
  }

  var name: String { file.name }

  func size() throws(QuickTimeError) -> UInt64 { try file.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }

  func write(
    _ buffers: [UnsafeRawBufferPointer], at offset: UInt64
  ) throws(QuickTimeError) {
    let began = threadTime()
    try file.write(buffers, at: offset)
    costs.write.add(threadTime() - began, ordering: .relaxed)
    costs.isDirect.store(file.usesDirectOutput, ordering: .relaxed)
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool {
    let began = threadTime()
    defer { costs.reserve.add(threadTime() - began, ordering: .relaxed) }
    return try file.preallocate(offset: offset, count: count)
  }

  func truncate(to size: UInt64) throws(QuickTimeError) { try file.truncate(to: size) }

  func synchronize() throws(QuickTimeError) {
    let began = threadTime()
    try file.synchronize()
    costs.synchronize.add(threadTime() - began, ordering: .relaxed)
  }

  func synchronizeParentDirectory() throws(QuickTimeError) {
    try file.synchronizeParentDirectory()
  }

  func close() throws(QuickTimeError) { try file.close() }
  func remove() throws(QuickTimeError) { try file.remove() }
  var hasName: Bool { file.hasName }
  func adoptName() throws(QuickTimeError) { try file.adoptName() }
}
