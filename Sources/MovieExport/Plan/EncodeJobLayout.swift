/// The names in the folder of a conversion in parts. They are here because a search for sources leaves
/// such a folder out.
package enum EncodeJobLayout {
  /// The plan.
  package static let plan = "plan.json"
  /// The folder of parts.
  package static let parts = "parts"
  /// The folder that movies are made in where no other one is named.
  package static let movies = "movies"
}
