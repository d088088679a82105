import MediaCore
import SystemPackage

extension JobFolderCalls {
  /// Creates a folder that must not exist yet.
  ///
  /// - Throws: ``EncodeJobError/Code/unsuitableFolder``, or ``EncodeJobError/Code/temporary`` if
  ///   the error may be transient.
  func makeNewFolder(_ path: String) throws(EncodeJobError) {
    do throws(Errno) { try makeFolder(path) } catch { throw Self.refusal(path, error) }
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Throws: The errors of ``makeNewFolder(_:)``.
  func makeFolders(_ path: String) throws(EncodeJobError) {
    do throws(Errno) { try makeFolder(path) } catch {
      if error == .fileExists { return }
      let above = FilePath(path).removingLastComponent()
      guard error == .noSuchFileOrDirectory, !above.isEmpty, above.string != path else {
        throw Self.refusal(path, error)
      }
      try makeFolders(above.string)
      do throws(Errno) { try makeFolder(path) } catch {
        // Another process was faster.
        if error != .fileExists { throw Self.refusal(path, error) }
      }
    }
  }

  /// Removes a work folder; a missing one is not an error.
  ///
  /// - Returns: A line that says why it is still there; nil if it is gone.
  func remains(afterRemoving path: String) -> String? {
    do throws(Errno) { try removeFolder(path) } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      return "\(path) was left behind, because it cannot be removed: \(error)"
    }
    return nil
  }

  private static func refusal(_ path: String, _ error: Errno) -> EncodeJobError {
    .refusal("\(path) cannot be created: \(error)", at: path, error)
  }
}

extension EncodeJobError {
  /// The error with another line at the end of its message; unchanged for nil.
  func adding(_ line: String?) -> EncodeJobError {
    guard let line else { return self }
    return EncodeJobError(code, "\(message); \(line)", from: self)
  }

  /// The error of a call in a job's folder, with a remedy appended to the message.
  static func refusal(_ message: String, at path: String, _ error: Errno) -> EncodeJobError {
    let isPassing = RetryJudgment.isPassing(error)
    let remedy = error.remedy(writing: path) ?? (error == .noSpace ? "make room" : nil)
    let words =
      isPassing
      ? (remedy.map { $0 + ", and " } ?? "") + "call it again"
      : remedy ?? "check the folder's permissions and file system"
    return EncodeJobError(
      isPassing ? .temporary : .unsuitableFolder, "\(message); \(words)", errno: error)
  }
}
