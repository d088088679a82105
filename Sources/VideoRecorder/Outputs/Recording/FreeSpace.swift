import MediaCore

/// How many bytes are free for a file. Tests substitute their own numbers.
package struct FreeSpace: Sendable {
  /// Bytes that may be written beside a file; nil where the system does not say.
  package var bytes: @Sendable (_ path: String) -> Int64?

  package init(_ bytes: @escaping @Sendable (_ path: String) -> Int64?) { self.bytes = bytes }

  /// What the file system says.
  package static let system = FreeSpace { path in VolumeRoom(at: path)?.bytes }
}
