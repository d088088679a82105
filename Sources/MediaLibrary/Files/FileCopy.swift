import Glibc
import MediaCore

/// Reads a file from begin to end, takes its hashes on the way, and writes it elsewhere where that
/// is wanted.
struct FileCopy {
  /// What went by.
  struct Outcome: Sendable, Hashable {
    var size: Int64
    var hash: ContentHash
    /// Where it was wanted.
    var c4: C4Identifier?
    /// The new file, where one was written.
    var target: FileStatus?
  }

  /// How certain a copy is to be on the disk.
  enum Assurance: Sendable {
    /// The system writes it in its own time.
    case none
    /// It was brought to the disk.
    case synchronized
    /// It was brought to the disk, and has the same bytes when it is read from there.
    case verified
  }

  /// Reads `source`, and hands it to `write`.
  ///
  /// - Parameters:
  ///   - status: The source's, where it is known.
  ///   - cancellation: Looked at with each block.
  static func read(
    _ source: borrowing OpenFile, status: FileStatus? = nil, takesC4: Bool = false,
    unless cancellation: Cancellation? = nil,
    write: (UnsafeRawBufferPointer) throws(MediaLibraryError) -> Void = { _ in }
  ) throws(MediaLibraryError) -> Outcome {
    let size = if let status { status.size } else { try source.status().size }
    let whole = CopyBuffer.take()
    defer { CopyBuffer.give(whole) }
    let room = Int(min(max(size + 1, 4096), Int64(CopyBuffer.size)))
    let buffer = UnsafeMutableRawBufferPointer(rebasing: whole.bytes[..<room])
    let hash = ContentHash.Stream()
    let c4 = C4Identifier.Stream(isWanted: takesC4)
    var offset: Int64 = 0
    while true {
      try cancellation?.check()
      let count = try source.read(into: buffer, at: offset)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.add(bytes)
      c4.add(bytes)
      try write(bytes)
      offset += Int64(count)
      // A small file is read at once, and what comes after its end was asked for with it.
      if offset == size, count < room { break }
    }
    guard let value = hash.hash else {
      throw MediaLibraryError(.ioFailed, "no memory to hash \(source.path)", errno: ENOMEM)
    }
    return Outcome(size: offset, hash: value, c4: c4.identifier())
  }

  /// Copies `source` to a new file.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` where the copy is not what was written.
  static func copy(
    _ source: borrowing OpenFile, status: FileStatus, to path: String, files: LibraryFiles,
    assurance: Assurance, meter: ProgressMeter?
  ) throws(MediaLibraryError) -> Outcome {
    let access = assurance == .verified ? O_RDWR : O_WRONLY
    let target = try files.open(path, access | O_CREAT | O_EXCL)
    return try copy(source, status: status, into: target, assurance: assurance, meter: meter)
  }

  /// Copies `source` to a new file that is open, for reading too where the copy is verified.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` where the copy is not what was written.
  static func copy(
    _ source: borrowing OpenFile, status: FileStatus? = nil, into target: borrowing OpenFile,
    takesC4: Bool = false, assurance: Assurance, meter: ProgressMeter? = nil,
    unless cancellation: Cancellation? = nil
  ) throws(MediaLibraryError) -> Outcome {
    let status = if let status { status } else { try source.status() }
    var outcome = try read(source, status: status, takesC4: takesC4, unless: cancellation) {
      bytes throws(MediaLibraryError) in
      try target.write(bytes)
      try meter?.advance(bytes.count)
    }
    target.setModified(status)
    outcome.target = try target.status()
    if assurance != .none { try target.synchronize() }
    if assurance == .verified { try verify(target, against: outcome, unless: cancellation) }
    return outcome
  }

  /// Reads a copy that was brought to the disk again from there, by the descriptor that wrote it:
  /// its path may lead to another file by now.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` where it is not what was written.
  static func verify(
    _ file: borrowing OpenFile, against outcome: Outcome, unless cancellation: Cancellation? = nil
  ) throws(MediaLibraryError) {
    file.dropCache()
    let copy = try read(file, unless: cancellation)
    guard copy.hash == outcome.hash, copy.size == outcome.size else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(file.path): does not have the bytes that were copied (\(copy.hash) for "
          + "\(outcome.hash)); see to the disk")
    }
  }

  /// Writes what was read of a file before to a new one.
  ///
  /// - Parameter status: The file's, before it was read.
  static func write(
    _ bytes: [UInt8], status: FileStatus, to path: String, files: LibraryFiles, synchronizes: Bool
  ) throws(MediaLibraryError) -> Outcome {
    let target = try files.open(path, O_WRONLY | O_CREAT | O_EXCL)
    try target.write(bytes)
    target.setModified(status)
    let written = try target.status()
    if synchronizes { try target.synchronize() }
    return Outcome(size: Int64(bytes.count), hash: ContentHash(of: bytes), target: written)
  }
}
