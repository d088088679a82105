package import MediaCore

/// Others on the network see names, but no folders.
extension ErrorSummary {
  package var withoutFolders: Self {
    var error = self
    error.message = message.withoutPaths
    return error
  }
}

extension String {
  /// The text with paths shortened to names, provided that the folders contain no blanks.
  package var withoutPaths: String {
    // By scalars: a mark that combines with a slash leaves it one.
    let path = #/(^|[\s'"(=])/(?:[^\s/:;,'"()]+/)*([^\s/:;,'"()]+)/?/#
    return replacing(path.matchingSemantics(.unicodeScalar)) { "\($0.1)\($0.2)" }
  }
}
