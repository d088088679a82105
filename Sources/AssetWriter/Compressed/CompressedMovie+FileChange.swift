import MediaCore
import QuickTime

/// What others do to the file while it is written.
extension CompressedMovie {
  /// True where the file was taken away or emptied.
  var isLost: Bool { fileChange != nil && fileChange != .moved }

  /// Packets from one look to the next: half a second of most pictures.
  private static let packetsBetweenLooks = 25

  func noticeChange() -> SegmentFileChange? {
    if let change = nameChange() { return change }
    guard let muxer, muxer.packetCount - packetsSeen >= Self.packetsBetweenLooks else { return nil }
    packetsSeen = muxer.packetCount
    return lookAtFile()
  }

  /// Puts the file in the place of the one that it replaces, once it is worth more than that: what it has
  /// is on the disk. Where that cannot be, it goes on under the name that it has.
  func adoptName() throws(QuickTimeError) {
    guard !file.hasName else { return }
    try output?.synchronize()
    do throws(QuickTimeError) { try file.adoptName() } catch { nameError = error }
  }

  /// That the file has another name than it was made for, once.
  private func nameChange() -> SegmentFileChange? {
    guard let error = nameError else { return nil }
    nameError = nil
    fileChange = fileChange ?? .moved
    return SegmentFileChange(change: .moved, path: file.name, newPath: file.name, error: error)
  }

  /// Looks whether others have touched the file since the last look.
  func lookAtFile() -> SegmentFileChange? {
    // What is gone stays gone, and is told once.
    guard !isLost else { return nil }
    let path = file.name
    let size = output?.size ?? 0
    let mark = fileType.firstMark
    // A file that others emptied is as long as before once more is written behind the hole: look at its first bytes.
    let marks = size >= mark.offset + 4 ? [mark] : []
    guard let change = file.noticeChange(size: size, marks: marks) else { return nil }
    fileChange = change
    var failure: QuickTimeError?
    if change == .deleted || change == .replaced {
      do throws(QuickTimeError) { try file.restoreFolder() } catch { failure = error }
    }
    return SegmentFileChange(
      change: change, path: path, newPath: change == .moved ? file.name : nil, error: failure)
  }

  /// Takes the last look before the file is completed.
  ///
  /// - Throws: ``QuickTimeError/Code/damaged`` where what it held is gone.
  func checkFile() throws(QuickTimeError) {
    lastChange = lookAtFile() ?? lastChange
    guard fileChange != .emptied else {
      throw QuickTimeError(
        .damaged, "\(file.name): another program emptied or cut the file while it was recorded")
    }
  }

  /// Gives the complete file its name, and brings it back where that is gone, while it can still be read.
  ///
  /// - Throws: Why it is not there under any name.
  func settleName() throws(QuickTimeError) {
    guard let change = fileChange, change == .deleted || change == .replaced else {
      try adoptName()
      lastChange = nameChange() ?? lastChange
      return
    }
    // It keeps the name beside the file that it was to replace.
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
