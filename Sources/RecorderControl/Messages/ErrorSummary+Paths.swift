package import MediaCore

/// What is told to others on the network has names, and no folders.
extension ErrorSummary {
  package var withoutFolders: Self {
    var error = self
    error.message = message.withoutPaths
    return error
  }
}

extension String {
  /// The text with names in the place of paths, as far as their folders have no blanks.
  package var withoutPaths: String {
    // By scalars: a mark that combines with a slash leaves it one.
    let path = #/(^|[\s'"(=])/(?:[^\s/:;,'"()]+/)*([^\s/:;,'"()]+)/?/#
    return replacing(path.matchingSemantics(.unicodeScalar)) { "\($0.1)\($0.2)" }
  }
}
