import Foundation
import MediaCore
import SystemPackage

/// Finds out, before anything is encoded, whether a file system does what a job rests on: folders are
/// renamed, and not onto one that holds something.
struct JobFolderProbe {
  /// The folder that parts get their names in.
  let folder: String
  let calls: any JobFolderCalls

  /// - Throws: ``EncodeJobError/Code/unsuitableFolder``, or ``EncodeJobError/Code/temporary`` where it
  ///   cannot be found out now.
  func run() throws(EncodeJobError) {
    let probe = folder + "/.probe-" + WorkerMark.current().text
    defer { try? FileManager.default.removeItem(atPath: probe) }
    for name in ["", "/new", "/taken", "/taken/inside"] {
      do throws(Errno) { try calls.makeFolder(probe + name) } catch {
        throw refusal("no folder can be made (\(error))", error)
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
      throw refusal("a folder that is renamed replaces one that holds something", nil)
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
