extension MovieWriter {
  /// Checks whether another program has moved, replaced, deleted or emptied the file. Cheap enough to be
  /// called after each fragment.
  ///
  /// - Returns: What happened since the last check; nil for nothing.
  public func noticeChange() -> MovieFileChange? {
    // What is gone stays gone; report it once.
    guard fileChange == nil || fileChange == .moved else { return nil }
    var marks: [(offset: UInt64, code: String)] = [(4, "ftyp")]
    // The last header but one: it was there before the last fragment was written.
    if let start = fragmentStarts.dropLast().last { marks.append((start + 4, "moof")) }
    guard let change = file.noticeChange(size: position, marks: marks) else { return nil }
    fileChange = change
    return change
  }

  /// Makes the folder again that held a file that was deleted with it, on the same disk.
  ///
  /// - Throws: Errors of the disk.
  public func restoreFolder() throws(QuickTimeError) { try file.restoreFolder() }
}
