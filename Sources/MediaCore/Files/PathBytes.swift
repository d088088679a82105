/// A path by its bytes, as the key of a table: texts that differ only in Unicode's normal forms are equal to
/// Swift, and are the names of two files.
package struct PathBytes: Sendable, Hashable {
  private let bytes: [UInt8]

  package init(_ path: String) { bytes = Array(path.utf8) }
}
