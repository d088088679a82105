/// The names in the folder of an export in parts. They are defined here because a search for
/// sources skips such a folder.
package enum EncodeJobLayout {
  /// The file name of the plan.
  package static let plan = "plan.json"
  /// The folder of parts.
  package static let parts = "parts"
  /// The folder for movies if no other one is given.
  package static let movies = "movies"
}
