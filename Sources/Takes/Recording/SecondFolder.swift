public import CaptureDevices
import MediaCore

/// The folder that gets each movie of a take as well, and whether one disk has both.
public struct SecondFolder: Sendable, Hashable, Encodable {
  private enum CodingKeys: CodingKey { case path, sharesDisk }

  /// Its path, as it was given.
  public let path: String
  /// True where both folders are on one disk, in one file system or in two partitions, so that the loss
  /// of that disk takes both files. False where they are not, and where the system does not tell.
  public let sharesDisk: Bool
  /// True where it is the other folder itself, as far as both can be followed: no take can begin.
  public let isFirst: Bool
  /// The path of the other folder.
  private let first: String

  /// Asks the system. Where a disk hangs, so does this.
  ///
  /// - Parameters:
  ///   - path: The second folder's path.
  ///   - first: The path of the folder of the movies themselves.
  public init(_ path: String, beside first: String) {
    self.init(path, beside: first, calls: .system)
  }

  init(_ path: String, beside first: String, calls: DiskCalls) {
    self.path = path
    self.first = first.count > 1 && first.hasSuffix("/") ? String(first.dropLast()) : first
    let disk = calls.disk(holding: path)
    sharesDisk = disk != nil && disk == calls.disk(holding: first)
    isFirst = calls.isSame(path, self.first)
  }

  /// A warning about the folder, in one line; nil for none.
  public var warning: String? {
    if isFirst {
      return
        "\(path) is the folder of the movies itself, and no take can start; name a second folder on "
        + "another disk"
    }
    guard sharesDisk else { return nil }
    return
      "\(path) and \(first) are on the same disk, and a take does not survive its loss; name a "
      + "second folder on another disk"
  }
}

extension RecordingRequest {
  /// The path of the folder that gets each movie as well; nil for none.
  var secondFolderPath: String? { secondFolder ?? preset.secondFolder }

  /// Where the movies of a name are written as well; nil where they have one place.
  ///
  /// - Parameter output: A movie's path, or a folder that is there, as a recording takes it; nil for the
  ///   request's folder, or the working one.
  /// - Throws: `CaptureError.Code.invalidArgument`, as ``MovieName`` does.
  public func secondFolder(beside output: String?) throws(CaptureError) -> SecondFolder? {
    guard let secondFolderPath else { return nil }
    let output = output ?? outputFolder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let name = try MovieName(output: output, standardName: preset.fileName)
    return SecondFolder(secondFolderPath, beside: name.folderPath)
  }
}

extension TakeSession {
  /// Where the movies of the next takes are written as well; nil where they have one place.
  public var secondFolder: SecondFolder? { try? setup.request.secondFolder(beside: name) }
}
