public import FoundationEssentials
import MediaCore

/// Where a file given to a library is now.
public struct SavedFile: Sendable, Hashable {
  /// The asset that contains it; nil if it was not added.
  public var asset: String?
  /// The file's current path.
  public var path: String
}

extension PhotoLibrary {
  /// Where files are after a save that created one asset for each group.
  ///
  /// - Parameters:
  ///   - groups: The files as passed to ``save(photos:moves:)`` or ``save(takes:moves:)``.
  ///   - changes: The result of the save.
  /// - Returns: The files of each group, in the same order. A file that is in no asset keeps its
  ///   given path.
  /// - Throws: Errors of ``fetchAssets(withLocalIdentifiers:)``.
  public func savedFiles(
    _ groups: [[URL]], in changes: ChangeReport
  ) throws(MediaLibraryError) -> [[SavedFile]] {
    let assets = try fetchAssets(withLocalIdentifiers: changes.createdAssets)
    let resources = Dictionary(
      assets.map { ($0.localIdentifier, $0.resources) }, uniquingKeysWith: { first, _ in first })
    return groups.enumerated().map { place, files in
      let id = place < changes.createdAssets.count ? changes.createdAssets[place] : nil
      return files.map { file in
        let resource = id.flatMap { resources[$0] }?.first {
          PathBytes($0.originalFilename) == PathBytes(file.lastPathComponent)
        }
        return SavedFile(asset: id, path: resource?.fileURL.path ?? file.path)
      }
    }
  }
}
