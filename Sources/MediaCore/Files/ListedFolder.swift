package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Folders that are read whole.
package enum ListedFolder {
  /// The names of a folder's entries, except `.` and `..`, in no particular order.
  ///
  /// - Parameter failure: Makes an error from a line that says what failed, and the system's error number.
  package static func names<Failure: Error>(
    in folder: String, or failure: (String, Errno?) -> Failure
  ) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else {
      let number = Errno(rawValue: errno)
      throw failure(
        "\(folder) cannot be read: \(number); see that it is a folder and yours to read", number)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
