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

  /// Names of the masks that the file has.
  public var semanticNames: [String] {
    negative.file.pictures.filter { $0.role == .semanticMask }.compactMap(\.semanticName)
  }

  /// A mask by its name; nil where the file has none.
  ///
  /// - Throws: What decoding throws.
  public func semanticMask(named name: String) throws(RawDevelopError) -> SemanticMask? {
    guard
      let picture = negative.file.pictures.first(where: {
        $0.role == .semanticMask && $0.semanticName == name
      })
    else { return nil }
    return try SemanticMask(picture, of: negative.file)
  }

  /// A matte; nil where the file has none of the kind.
  ///
  /// - Throws: What decoding throws.
  public func matte(_ matte: Matte) throws(RawDevelopError) -> SemanticMask? {
    let found = semanticNames.first { name in
      matte.names.contains { name.lowercased().contains($0) }
    }
    guard let found else { return nil }
    return try semanticMask(named: found)
  }

  /// The largest preview of the file as it is stored, a JPEG file; nil where it has none.
  public var previewImage: [UInt8]? { negative.file.largestJPEGPreview }

  /// The largest preview of the file, decoded; nil where it has none.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` for one that is damaged.
  public func previewPicture() throws(RawDevelopError) -> RenderedPicture? {
    let found = try RawDevelopError.from { () throws(DNGError) in
      try negative.file.decodeLargestPreview()
    }
    guard let found else { return nil }
    return RenderedPicture(
      width: found.width, height: found.height, samples: .uint8(found.pixels), colorSpace: .sRGB)
  }
}
