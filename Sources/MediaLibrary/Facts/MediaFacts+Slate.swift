extension MediaFacts {
  /// Sets the slate from a movie's metadata, under Apple's keys or this recorder's.
  ///
  /// - Parameter text: Returns the value of a key; nil if the movie does not have it.
  mutating func setSlate(_ text: (String) -> String?) {
    func value(_ keys: String...) -> String? {
      keys.lazy.compactMap(text).first { !$0.isEmpty }
    }
    reel = value("com.apple.proapps.reel", "com.prores-recorder.reel")
    scene = value("com.apple.proapps.scene", "com.prores-recorder.scene")
    // Some cameras store the take as the shot.
    take = value("com.apple.proapps.take", "com.prores-recorder.take", "com.apple.proapps.shot")
    takeIdentifier = value("com.prores-recorder.take-id")
  }
}
