/// The facts found in a file. They stay valid while the file's status is unchanged.
struct InspectedFile: Sendable, Hashable {
  /// The file's status before it was inspected.
  var status: FileStatus
  var facts: MediaFacts
  /// All its bytes, if inspection has read them anyway, as it does for small files.
  var content: [UInt8]?
}
