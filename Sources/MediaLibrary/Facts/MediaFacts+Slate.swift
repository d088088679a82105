extension MediaFacts {
  /// Takes what a movie's metadata say of its slate, under Apple's keys or this recorder's own.
  ///
  /// - Parameter text: The text of a key; nil where the movie has none.
  mutating func setSlate(_ text: (String) -> String?) {
    func value(_ keys: String...) -> String? {
      keys.lazy.compactMap(text).first { !$0.isEmpty }
    }
    reel = value("com.apple.proapps.reel", "com.prores-recorder.reel")
    scene = value("com.apple.proapps.scene", "com.prores-recorder.scene")
    // Some cameras have the take under the name of the shot.
    take = value("com.apple.proapps.take", "com.prores-recorder.take", "com.apple.proapps.shot")
    takeIdentifier = value("com.prores-recorder.take-id")
  }
}
