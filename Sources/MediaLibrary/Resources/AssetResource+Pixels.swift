extension AssetResource {
  /// Width and height in pixels, read from the file; 0 if it has no image, or cannot be read.
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
