package import MediaCore

extension PixelBuffer.Description {
  /// Describes how frames differ from earlier ones; nil if they can be treated alike. Colors and
  /// field orders may differ.
  ///
  /// - Parameter shapesCount: True if another pixel aspect ratio counts as a change.
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

  /// Like ``change(from:shapesCount:)``, for an encoder, which handles each frame's range and
  /// chroma siting.
  package func encodedChange(from before: PixelBuffer.Description) -> String? {
    if width != before.width || height != before.height {
      return "from \(before.width)x\(before.height) to \(width)x\(height) pixels"
    }
    return format == before.format ? nil : "from the layout \(before.format) to \(format)"
  }
}

extension AssetReaderError {
  /// The error for frames that change on the way.
  ///
  /// - Parameters:
  ///   - change: What changes, in the words of
  ///     ``PixelBuffer/Description/change(from:shapesCount:)``.
  ///   - time: The time of the change, from the start of the movie.
  package static func frameChange(
    _ change: String, at time: MediaTime, in name: String
  ) -> AssetReaderError {
    AssetReaderError(
      .unsupported,
      "\(name): the frames change \(change) at \(max(time.seconds, 0).text(decimals: 3)) s; encode the parts "
        + "before and after it separately")
  }
}

extension VideoProcessing {
  /// True if the result depends on the pixel aspect ratio.
  var looksAtShapes: Bool { scaling.map { [.fit, .fill].contains($0.fitting) } ?? false }

  /// True if every frame is scaled to one size and nothing depends on frame counts.
  var followsChanges: Bool {
    scaling.map { $0.fitting != .crop } ?? false && frameRate == nil
      && burnIns.isSubset(of: [.name])
  }
}
