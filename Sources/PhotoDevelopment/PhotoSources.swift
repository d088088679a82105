import Foundation
import MediaCore

/// Finds photos from paths of files and folders.
public enum PhotoSources {
  /// The files, those in a folder ordered by name; duplicates count once.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/fileFailed`` for a missing path, and for a folder that cannot be read
  ///   or has no DNG files.
  public static func files(_ paths: [String]) throws(PhotoDevelopmentError) -> [String] {
    var files: [String] = []
    // As bytes, because texts that look alike, such as é in two forms, may name different files.
    var known: Set<[UInt8]> = []
    for path in paths {
      guard FileManager.default.fileExists(atPath: path) else {
        throw PhotoDevelopmentError(
          .fileFailed, "\(path) does not exist; name another photo or folder")
      }
      let found = isFolder(path) ? try contents(of: path) : [path]
      for file in found
      where known.insert(Array(URL(filePath: file).standardizedFileURL.path.utf8)).inserted {
        files.append(file)
      }
    }
    return files
  }

  /// True for an existing folder.
  public static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  private static func contents(of folder: String) throws(PhotoDevelopmentError) -> [String] {
    let names = try ListedFolder.names(in: folder) { message, errno in
      PhotoDevelopmentError(.fileFailed, message, errno: errno)
    }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    let photos = names.sorted().filter { $0.lowercased().hasSuffix(".dng") && !$0.hasPrefix(".") }
      .map { start + $0 }.filter { !isFolder($0) }
    guard !photos.isEmpty else {
      throw PhotoDevelopmentError(
        .fileFailed, "\(folder) has no DNG files; name another folder, or photos")
    }
    return photos
  }
}
