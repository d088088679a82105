import DNG

/// Where a picture begins in the active area, and its size, in pixels of the file.
struct PictureExtent {
  var left = 0
  var top = 0
  var width: Int
  var height: Int
}

extension Developer {
  /// The active area before anything is trimmed.
  var activeExtent: PictureExtent {
    PictureExtent(width: negative.activeArea.width, height: negative.activeArea.height)
  }

  /// What opcodes leave of the active area. Gain maps and masks lie over it, as in Adobe's SDK.
  var trimmedExtent: PictureExtent {
    runner(.demosaicked).trim(
      negative.opcodes.demosaicked, runner(.linear).trim(negative.opcodes.linear, activeExtent))
  }

  /// Applies the opcodes of a stage to a picture of full size.
  func runner(_ stage: OpcodeRunner.Stage) -> OpcodeRunner {
    OpcodeRunner(
      stage: stage, isFloat: negative.raw.isFloat,
      pixelHeight: negative.crop.scale.y / negative.crop.scale.x,
      isMosaic: stage != .demosaicked && negative.pattern != nil, isPreview: settings.isDraft,
      correctsLens: settings.correctsLens, isCanceled: isCanceled)
  }

  /// The part that the file shows, in whole pixels of what opcodes leave of the active area. A crop that
  /// reaches beyond it is moved, as in Adobe's SDK.
  var defaultArea: PixelArea {
    let (extent, crop) = (trimmedExtent, negative.crop)
    /// The pixels of an axis; one at least.
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
