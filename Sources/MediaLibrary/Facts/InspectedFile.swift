/// What a file was found to be, and the file that was looked at: as long as the system says the same
/// of it, it need not be looked at again.
struct InspectedFile: Sendable, Hashable {
  /// The file, before it was looked at.
  var status: FileStatus
  var facts: MediaFacts
  /// All its bytes, where they were read by the way: those of small files.
  var content: [UInt8]?
}
