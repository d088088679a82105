import DNG

extension RAWFilter {
  /// The subject of a matte in Apple's photos.
  public enum Matte: String, Sendable, Hashable, CaseIterable {
    case portraitEffects
    /// People's skin.
    case skin
    /// People's hair.
    case hair
    /// People's glasses.
    case glasses
    case sky
    /// People's teeth.
    case teeth

    /// Words in DNG's SemanticName that identify the subject.
    fileprivate var names: [String] {
      self == .portraitEffects ? ["person", "people", "portrait"] : [rawValue]
    }
  }

  /// The names of the file's masks in file order, without duplicates.
  public var semanticNames: [String] {
    var names: [String] = []
    for case let name? in negative.masks.map(\.semanticName) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The masks of a name in file order, which ``SemanticMask/instanceID`` distinguishes; empty if there are none.
  ///
  /// - Throws: What decoding throws.
  public func semanticMasks(named name: String) throws(RawDevelopError) -> [SemanticMask] {
    try SemanticMask.all(negative.masks(named: name), of: negative.file)
  }

  /// The union of all masks of a kind, in the first one's size; nil if there are none.
  ///
  /// - Throws: What decoding throws.
  public func matte(_ matte: Matte) throws(RawDevelopError) -> SemanticMask? {
    let masks = negative.masks.filter { mask in
      let name = mask.semanticName?.lowercased() ?? ""
      return matte.names.contains { name.contains($0) }
    }
    return try SemanticMask.union(try SemanticMask.all(masks, of: negative.file))
  }

  /// The file's largest preview, a JPEG file, as stored; nil if there is none.
  public var previewImage: [UInt8]? { negative.file.largestJPEGPreview }

  /// The file's largest preview, decoded, in the color space that the file states, or sRGB if it states none; nil
  /// if there is no preview.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for a damaged preview.
  public func decodedPreview() throws(RawDevelopError) -> RenderedImage? {
    let found = try RawDevelopError.from { () throws(DNGError) in
      try negative.file.decodeLargestPreview()
    }
    guard let found else { return nil }
    let space: ImageColorSpace =
      switch found.colorSpace {
      case 3: .adobeRGB
      case 4: ImageColorSpace(primaries: .proPhoto, curve: .gamma18)
      default: .sRGB
      }
    return RenderedImage(
      width: found.width, height: found.height, samples: .uint8(found.pixels), colorSpace: space)
  }
}
