import DNG

/// An image's origin in the active area, and its size, in pixels of the file.
struct ImageExtent {
  var left = 0
  var top = 0
  var width: Int
  var height: Int
}

extension Developer {
  /// The active area, before trimming.
  var activeExtent: ImageExtent {
    ImageExtent(width: negative.activeArea.width, height: negative.activeArea.height)
  }

  /// The active area as trimmed by opcodes. As in Adobe's SDK, gain maps and masks cover this area.
  var trimmedExtent: ImageExtent {
    runner(.demosaicked).trim(
      negative.opcodes.demosaicked, runner(.linear).trim(negative.opcodes.linear, activeExtent))
  }

  /// A runner for the opcodes of a stage, for a full-size image.
  func runner(_ stage: OpcodeRunner.Stage) -> OpcodeRunner {
    OpcodeRunner(
      stage: stage, isFloat: negative.raw.isFloat,
      pixelHeight: negative.crop.scale.y / negative.crop.scale.x,
      isMosaic: stage != .demosaicked && negative.pattern != nil, isPreview: settings.isDraft,
      correctsLens: settings.correctsLens, isCanceled: isCanceled)
  }

  /// The file's visible area, in whole pixels of the trimmed active area. As in Adobe's SDK, a crop that extends
  /// beyond it is moved.
  var defaultArea: PixelArea {
    let (extent, crop) = (trimmedExtent, negative.crop)
    /// The pixels along an axis, at least one.
    func pixels(_ origin: Double, _ size: Double, of count: Int) -> Range<Int> {
      let count = max(count, 1)
      let length = min(max(Int(size.rounded()), 1), count)
      let first = min(max(Int(origin.rounded()), 0), count - length)
      return first..<first + length
    }
    let columns = pixels(crop.origin.x, crop.size.x, of: extent.width)
    let rows = pixels(crop.origin.y, crop.size.y, of: extent.height)
    return PixelArea(
      top: rows.lowerBound, left: columns.lowerBound, bottom: rows.upperBound,
      right: columns.upperBound)
  }
}
