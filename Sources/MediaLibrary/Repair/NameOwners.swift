import MediaCore

/// The asset that owns a file name in a folder. Names are compared by bytes first, then as text,
/// which ignores Unicode normalization.
struct NameOwners: Sendable {
  private var byBytes: [PathBytes: Int] = [:]
  private var byText: [String: Int] = [:]
  /// Like `byText`, but only names of a single file.
  private var lone: [String: Int] = [:]
  /// Stems that several files share, companions excepted.
  private var shared: Set<PathBytes> = []

  /// For a folder with these names.
  init(of names: [String]) {
    var known: Set<PathBytes> = []
    for name in names where !Companions.isCompanion(name) {
      let stem = PathBytes(FileName(name).stem)
      if !known.insert(stem).inserted { shared.insert(stem) }
    }
  }

  /// Makes an asset the owner of a stem.
  mutating func set(_ owner: Int, of stem: String) {
    let key = PathBytes(stem)
    byBytes[key] = owner
    byText[stem] = owner
    if !shared.contains(key) { lone[stem] = owner }
  }

  /// The asset of which a file with this stem can be another form. A file that has its other form
  /// in the folder under the same bytes is not matched by text.
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
