extension AssetResource {
  /// Pixels in a row, and rows, as the file says now; 0 for what has no pictures, and for what cannot be read.
  package var pixelSize: (width: Int, height: Int) {
    do throws(MediaLibraryError) {
      let core = try library.core(for: .reading)
      try library.checkReading(core)
      let path = try core.layout.path(of: record.path, files: core.files)
      let facts = try MediaInspector(files: core.files).facts(
        path, as: type, name: originalFilename)
      return (facts.width, facts.height)
    } catch { return (0, 0) }
  }
}
