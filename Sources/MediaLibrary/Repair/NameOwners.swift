import MediaCore

/// Which asset has the files of a name in a folder: by the name's bytes, else by its text, which is
/// one for both spellings of a letter.
struct NameOwners: Sendable {
  private var byBytes: [PathBytes: Int] = [:]
  private var byText: [String: Int] = [:]
  /// As `byText`, of names that one file has alone.
  private var lone: [String: Int] = [:]
  /// What several files are called before the last dot, but for what belongs to others.
  private var shared: Set<PathBytes> = []

  /// For a folder that holds these names.
  init(of names: [String]) {
    var known: Set<PathBytes> = []
    for name in names where !Companions.isCompanion(name) {
      let stem = PathBytes(FileName(name).stem)
      if !known.insert(stem).inserted { shared.insert(stem) }
    }
  }

  /// Makes an asset the owner of a name without what stands after the last dot.
  mutating func set(_ owner: Int, of stem: String) {
    let key = PathBytes(stem)
    byBytes[key] = owner
    byText[stem] = owner
    if !shared.contains(key) { lone[stem] = owner }
  }

  /// The asset of which a file of this name can be another form. One that has its own other form in
  /// the folder is none for the other spelling.
  func partner(of stem: String) -> Int? {
    let key = PathBytes(stem)
    return byBytes[key] ?? (shared.contains(key) ? nil : lone[stem])
  }

  /// The asset that a companion of this name belongs to: `take` of `take.json`, `take.mov` of
  /// `take.mov.json`.
  func owner(ofCompanion stem: String) -> Int? {
    let short = FileName(stem).stem
    return byBytes[PathBytes(stem)] ?? byBytes[PathBytes(short)] ?? byText[stem] ?? byText[short]
  }
}
