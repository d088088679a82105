import DNG

extension RAWFilter {
  /// What a matte of Apple's photos shows.
  public enum Matte: String, Sendable, Hashable, CaseIterable {
    /// People.
    case portraitEffects
    /// Skin of people.
    case skin
    /// Hair of people.
    case hair
    /// Glasses that people wear.
    case glasses
    /// The sky.
    case sky
    /// Teeth of people.
    case teeth

    /// Words of DNG's SemanticName that stand for it.
    fileprivate var names: [String] {
      self == .portraitEffects ? ["person", "people", "portrait"] : [rawValue]
    }
  }

  /// Names of the masks that the file has, each once, in its order.
  public var semanticNames: [String] {
    var names: [String] = []
    for case let name? in negative.masks.map(\.semanticName) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The masks of a name in the order of the file, which ``SemanticMask/instanceID`` tells apart; empty where the
  /// file has none.
  ///
  /// - Throws: What decoding throws.
  public func semanticMasks(named name: String) throws(RawDevelopError) -> [SemanticMask] {
    try SemanticMask.all(negative.masks(named: name), of: negative.file)
  }

  /// A matte of all masks of its kind, in the first one's size; nil where the file has none of the kind.
  ///
  /// - Throws: What decoding throws.
  public func matte(_ matte: Matte) throws(RawDevelopError) -> SemanticMask? {
    let masks = negative.masks.filter { mask in
      let name = mask.semanticName?.lowercased() ?? ""
      return matte.names.contains { name.contains($0) }
    }
    return try SemanticMask.union(try SemanticMask.all(masks, of: negative.file))
  }

  /// The largest preview of the file as it is stored, a JPEG file; nil where it has none.
  public var previewImage: [UInt8]? { negative.file.largestJPEGPreview }

  /// The largest preview of the file, decoded, in the color space that the file states of it: sRGB where it states
  /// none; nil where it has none.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for one that is damaged.
  public func previewPicture() throws(RawDevelopError) -> RenderedPicture? {
    let found = try RawDevelopError.from { () throws(DNGError) in
      try negative.file.decodeLargestPreview()
    }
    guard let found else { return nil }
    let space: PictureColorSpace =
      switch found.colorSpace {
      case 3: .adobeRGB
      case 4: PictureColorSpace(primaries: .proPhoto, curve: .gamma18)
      default: .sRGB
      }
    return RenderedPicture(
      width: found.width, height: found.height, samples: .uint8(found.pixels), colorSpace: space)
  }
}
