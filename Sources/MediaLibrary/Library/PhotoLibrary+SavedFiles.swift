public import FoundationEssentials
import MediaCore

/// Where a file is that was given to a library.
public struct SavedFile: Sendable, Hashable {
  /// The asset that it belongs to; nil where none was made of it.
  public var asset: String?
  /// Its path now.
  public var path: String
}

extension PhotoLibrary {
  /// Where files are after a save that made one asset of each group.
  ///
  /// - Parameters:
  ///   - groups: The files as ``save(photos:moves:)`` or ``save(takes:moves:)`` was given them.
  ///   - changes: What the save returned.
  /// - Returns: For each group its files, in the same order; one that is in no asset with the path
  ///   that was given.
  /// - Throws: As ``fetchAssets(withLocalIdentifiers:)``.
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
