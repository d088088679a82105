import MediaCore

/// A library's places during one change, under its lock: each folder is checked once.
struct CheckedPlaces {
  private let layout: LibraryLayout
  private let files: LibraryFiles
  /// Folders, relative to the library's, that are neither links nor reached through one.
  private var folders: Set<PathBytes> = []

  init(layout: LibraryLayout, files: LibraryFiles) {
    self.layout = layout
    self.files = files
  }

  /// Like ``LibraryLayout/place(_:_:)``.
  mutating func place(_ text: String) throws(MediaLibraryError) -> String {
    text.isAbsolutePath ? text : try path(of: text)
  }

  /// Like ``LibraryLayout/path(of:files:)``.
  mutating func path(of relative: String) throws(MediaLibraryError) -> String {
    guard let slash = relative.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return try layout.path(of: relative, files: files)
    }
    let folder = PathBytes(String(relative[..<slash]))
    let name = relative.utf8[slash...].dropFirst()
    let isName = !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
    if isName, !name.contains(0), folders.contains(folder) { return layout.root + "/" + relative }
    let path = try layout.path(of: relative, files: files)
    folders.insert(folder)
    return path
  }
}
