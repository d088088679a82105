import MediaCore
import QuickTime

/// What others do to the file while it is written.
extension CompressedMovie {
  /// True where the file was taken away or emptied.
  var isLost: Bool { fileChange != nil && fileChange != .moved }

  /// Packets between two checks: half a second of most video.
  private static let packetsBetweenLooks = 25

  func noticeChange() -> SegmentFileChange? {
    if let change = nameChange() { return change }
    guard let muxer, muxer.packetCount - packetsSeen >= Self.packetsBetweenLooks else { return nil }
    packetsSeen = muxer.packetCount
    return inspectFile()
  }

  /// Synchronizes the file, and only then lets it replace the one whose name it is to take. If that fails, the movie
  /// keeps its present name.
  func adoptName() throws(QuickTimeError) {
    guard !file.hasName else { return }
    try output?.synchronize()
    do throws(QuickTimeError) { try file.adoptName() } catch { nameError = error }
  }

  /// Reports once that the file did not get the name it was made for.
  private func nameChange() -> SegmentFileChange? {
    guard let error = nameError else { return nil }
    nameError = nil
    fileChange = fileChange ?? .moved
    return .keptName(file.name, after: error)
  }

  /// Looks whether others have touched the file since the last look.
  func inspectFile() -> SegmentFileChange? {
    // A lost file stays lost, and is reported once.
    guard !isLost else { return nil }
    let path = file.name
    let size = output?.size ?? 0
    let mark = fileType.firstMark
    // An emptied file regains its length with the next write, as a hole: only its first bytes tell.
    let marks = size >= mark.offset + 4 ? [mark] : []
    guard let change = file.noticeChange(size: size, marks: marks) else { return nil }
    fileChange = change
    return .noticed(change, by: file, formerly: path) { () throws(QuickTimeError) in
      try file.restoreFolder()
    }
  }

  /// Checks the file one last time before it is completed.
  ///
  /// - Throws: ``QuickTimeError/Code/damaged`` if its contents are gone.
  func checkFile() throws(QuickTimeError) {
    lastChange = inspectFile() ?? lastChange
    guard fileChange != .emptied else {
      throw QuickTimeError(
        .damaged, "\(file.name): another program emptied or cut the file while it was recorded")
    }
  }

  /// Gives the complete file its name. If its name was taken away, copies it back while it is still open.
  ///
  /// - Throws: Why the file exists under no name.
  func settleName() throws(QuickTimeError) {
    guard let change = fileChange, change == .deleted || change == .replaced else {
      try adoptName()
      lastChange = nameChange() ?? lastChange
      return
    }
    // On failure it keeps its present name, which restore() below reports or mends.
    if !file.hasName { try? file.adoptName() }
    let path = file.name
    do throws(QuickTimeError) { try file.restore() } catch {
      restoreError = error
      lastChange = SegmentFileChange(change: change, path: path, newPath: nil, error: error)
      throw error
    }
  }
}

extension FileType {
  /// A code that each file of the kind begins with, and its place.
  fileprivate var firstMark: (offset: UInt64, code: String) {
    switch self {
    case .mov, .mp4, .m4v, .m4a: (4, "ftyp")
    case .wav: (8, "WAVE")
    case .aiff: (0, "FORM")
    case .caf: (0, "caff")
    }
  }
}
