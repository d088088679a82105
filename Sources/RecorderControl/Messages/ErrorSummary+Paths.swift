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
  /// The text with each path replaced by its last component, unless its folders contain spaces.
  package var withoutPaths: String {
    // By scalars: a mark that combines with a slash leaves it one.
    let path = #/(^|[\s'"(=])/(?:[^\s/:;,'"()]+/)*([^\s/:;,'"()]+)/?/#
    return replacing(path.matchingSemantics(.unicodeScalar)) { "\($0.1)\($0.2)" }
  }
}
