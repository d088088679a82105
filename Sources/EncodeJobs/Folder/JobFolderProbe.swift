import Foundation
import MediaCore
import SystemPackage

/// Checks, before anything is encoded, that a file system does what a job relies on: it renames
/// folders, but not onto a non-empty one.
struct JobFolderProbe {
  /// The folder in which parts are published.
  let folder: String
  let calls: any JobFolderCalls

  /// - Throws: ``EncodeJobError/Code/unsuitableFolder``, or ``EncodeJobError/Code/temporary`` if
  ///   the check cannot be done now.
  func run() throws(EncodeJobError) {
    let probe = folder + "/.probe-" + WorkerMark.current().text
    defer { try? FileManager.default.removeItem(atPath: probe) }
    for name in ["", "/new", "/taken", "/taken/inside"] {
      do throws(Errno) { try calls.makeFolder(probe + name) } catch {
        throw refusal("no folder can be created (\(error))", error)
      }
    }
    let wasReplaced: Bool
    do throws(Errno) {
      try calls.rename(probe + "/new", probe + "/taken")
      wasReplaced = true
    } catch {
      wasReplaced = false
    }
    guard !wasReplaced else {
      throw refusal("renaming a folder replaces one that is not empty", nil)
    }
    do throws(Errno) { try calls.rename(probe + "/new", probe + "/renamed") } catch {
      throw refusal("the file system does not rename a folder (\(error))", error)
    }
  }

  private func refusal(_ reason: String, _ error: Errno?) -> EncodeJobError {
    let isPassing = error.map(RetryJudgment.isPassing) ?? false
    return EncodeJobError(
      isPassing ? .temporary : .unsuitableFolder,
      "\(folder): \(reason); "
        + (isPassing ? "plan again later" : "plan into a folder on ext4, XFS or NFS"), errno: error)
  }
}
