import MediaCore
import SystemPackage

extension JobFolderCalls {
  /// Makes a folder that nobody else uses.
  ///
  /// - Throws: ``EncodeJobError/Code/unsuitableFolder``, or ``EncodeJobError/Code/temporary`` where the reason
  ///   may pass.
  func makeNewFolder(_ path: String) throws(EncodeJobError) {
    do throws(Errno) { try makeFolder(path) } catch { throw Self.refusal(path, error) }
  }

  /// Makes a folder and those above it, as far as they are not there.
  ///
  /// - Throws: As ``makeNewFolder(_:)``.
  func makeFolders(_ path: String) throws(EncodeJobError) {
    do throws(Errno) { try makeFolder(path) } catch {
      if error == .fileExists { return }
      let above = FilePath(path).removingLastComponent()
      guard error == .noSuchFileOrDirectory, !above.isEmpty, above.string != path else {
        throw Self.refusal(path, error)
      }
      try makeFolders(above.string)
      do throws(Errno) { try makeFolder(path) } catch {
        // Another one was faster.
        if error != .fileExists { throw Self.refusal(path, error) }
      }
    }
  }

  private static func refusal(_ path: String, _ error: Errno) -> EncodeJobError {
    .refusal("\(path) cannot be made: \(error)", at: path, error)
  }
}

extension EncodeJobError {
  /// The error of a call in a job's folder, with what helps behind the message.
  static func refusal(_ message: String, at path: String, _ error: Errno) -> EncodeJobError {
    let isPassing = RetryJudgment.isPassing(error)
    let remedy = error.remedy(writing: path) ?? (error == .noSpace ? "make room" : nil)
    let words =
      isPassing
      ? (remedy.map { $0 + ", and " } ?? "") + "call it again"
      : remedy ?? "look at the folder's rights and file system"
    return EncodeJobError(
      isPassing ? .temporary : .unsuitableFolder, "\(message); \(words)", errno: error)
  }
}
