// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// For whose eyes a picture is.
public struct CMStereoViewComponents: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let leftEye = Self(rawValue: 1)
  public static let rightEye = Self(rawValue: 2)
}

/// What a picture is among several of one instant.
public struct CMTag: Sendable, Hashable {
  enum Meaning: Sendable, Hashable {
    case videoLayerID(Int64)
    case stereoView(CMStereoViewComponents)
  }

  let meaning: Meaning

  /// The number of the layer that the picture is coded in.
  public static func videoLayerID(_ number: Int64) -> CMTag {
    CMTag(meaning: .videoLayerID(number))
  }
  /// Whose eye's the picture is.
  public static func stereoView(_ eyes: CMStereoViewComponents) -> CMTag {
    CMTag(meaning: .stereoView(eyes))
  }
}

/// A picture of several that belong to one instant, as those of two eyes. Nothing here gives or writes any: see
/// ``AVAssetWriterInputTaggedPixelBufferGroupAdaptor``.
public struct CMTaggedBuffer: Sendable {
  /// What a tagged buffer holds.
  public enum Buffer: Sendable {
    case pixelBuffer(CVPixelBuffer)
    case sampleBuffer(CMSampleBuffer)
  }

  /// What it is among the others.
  public var tags: [CMTag]
  /// The picture.
  public var buffer: Buffer

  /// A picture with its tags.
  public init(tags: [CMTag], buffer: Buffer) { (self.tags, self.buffer) = (tags, buffer) }
  /// Pixels with their tags.
  public init(tags: [CMTag], pixelBuffer: CVPixelBuffer) {
    self.init(tags: tags, buffer: .pixelBuffer(pixelBuffer))
  }
  /// A sample with its tags.
  public init(tags: [CMTag], sampleBuffer: CMSampleBuffer) {
    self.init(tags: tags, buffer: .sampleBuffer(sampleBuffer))
  }
}
