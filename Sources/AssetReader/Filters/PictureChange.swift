package import MediaCore

extension PixelBuffer.Description {
  /// How pictures differ from others that came before, in words; nil where they can be treated alike. Colors and
  /// field orders may differ.
  ///
  /// - Parameter shapesCount: True where another shape of pixels is a change.
  package func change(
    from before: PixelBuffer.Description, shapesCount: Bool = false
  ) -> String? {
    if let change = encodedChange(from: before) { return change }
    if color.range != before.color.range {
      return "from \(before.color.range) range to \(color.range) range"
    }
    if chromaSiting != before.chromaSiting {
      return "from chroma at \(before.chromaSiting.rawValue) to chroma at \(chromaSiting.rawValue)"
    }
    guard shapesCount, pixelAspectRatio != before.pixelAspectRatio else { return nil }
    return "from a pixel aspect ratio of \(before.pixelAspectRatio) to \(pixelAspectRatio)"
  }

  /// As ``change(from:shapesCount:)``, for an encoder, which looks at each picture's range and chroma.
  package func encodedChange(from before: PixelBuffer.Description) -> String? {
    if width != before.width || height != before.height {
      return "from \(before.width)x\(before.height) to \(width)x\(height) pixels"
    }
    return format == before.format ? nil : "from the layout \(before.format) to \(format)"
  }
}

extension AssetReaderError {
  /// The refusal of pictures that change on the way.
  ///
  /// - Parameters:
  ///   - change: What changes, as ``PixelBuffer/Description/change(from:shapesCount:)`` says it.
  ///   - time: When, from the movie's beginning.
  package static func pictureChange(
    _ change: String, at time: MediaTime, in name: String
  ) -> AssetReaderError {
    AssetReaderError(
      .unsupported,
      "\(name): the pictures change \(change) at \(max(time.seconds, 0).text(decimals: 3)) s; encode what lies "
        + "before and behind that apart")
  }
}

extension PictureProcessing {
  /// True where the result depends on the shape of pixels.
  var looksAtShapes: Bool { scaling.map { [.fit, .fill].contains($0.fitting) } ?? false }

  /// True where each picture is brought to one size, whatever its own is, and nothing counts pictures.
  var followsChanges: Bool {
    scaling.map { $0.fitting != .crop } ?? false && frameRate == nil
      && burnIns.isSubset(of: [.name])
  }
}
