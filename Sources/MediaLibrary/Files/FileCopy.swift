import Glibc
import MediaCore

/// Reads a file from start to end, hashing it on the way, and optionally writes it elsewhere.
struct FileCopy {
  /// The result of reading or copying.
  struct Outcome: Sendable, Hashable {
    var size: Int64
    var hash: ContentHash
    /// Set if requested.
    var c4: C4Identifier?
    /// The new file, if one was written.
    var target: FileStatus?
  }

  /// How safely a copy is on the disk.
  enum Assurance: Sendable {
    /// The system writes it out whenever it chooses.
    case none
    /// It was flushed to the disk.
    case synchronized
    /// It was flushed to the disk, and reads back the same.
    case verified
  }

  /// Reads `source`, and passes its blocks to `write`.
  ///
  /// - Parameters:
  ///   - status: The source's status, if known.
  ///   - cancellation: Checked before each block.
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
      // A small file is read in one call, which also found its end.
      if offset == size, count < room { break }
    }
    guard let value = hash.hash else {
      throw MediaLibraryError(.ioFailed, "no memory to hash \(source.path)", errno: ENOMEM)
    }
    return Outcome(size: offset, hash: value, c4: c4.identifier())
  }

  /// Copies `source` to a new file.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` if the copy differs from what was
  ///   written.
  static func copy(
    _ source: borrowing OpenFile, status: FileStatus, to path: String, files: LibraryFiles,
    assurance: Assurance, meter: ProgressMeter?
  ) throws(MediaLibraryError) -> Outcome {
    let access = assurance == .verified ? O_RDWR : O_WRONLY
    let target = try files.open(path, access | O_CREAT | O_EXCL)
    return try copy(source, status: status, into: target, assurance: assurance, meter: meter)
  }

  /// Copies `source` to a new open file, which must also be readable if the copy is to be verified.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` if the copy differs from what was
  ///   written.
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

  /// Reads a flushed copy back from the disk, through the descriptor that wrote it, because its
  /// path may lead to another file by now.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` if it differs from what was written.
  static func verify(
    _ file: borrowing OpenFile, against outcome: Outcome, unless cancellation: Cancellation? = nil
  ) throws(MediaLibraryError) {
    file.dropCache()
    let copy = try read(file, unless: cancellation)
    guard copy.hash == outcome.hash, copy.size == outcome.size else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(file.path): does not have the bytes that were copied (\(copy.hash) for "
          + "\(outcome.hash)); check the disk")
    }
  }

  /// Writes the content of a file, read earlier, to a new one.
  ///
  /// - Parameter status: The file's status before it was read.
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
