// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The eyes that a frame is for.
public struct CMStereoViewComponents: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let leftEye = Self(rawValue: 1)
  public static let rightEye = Self(rawValue: 2)
}

/// Distinguishes frames of the same time.
public struct CMTag: Sendable, Hashable {
  enum Meaning: Sendable, Hashable {
    case videoLayerID(Int64)
    case stereoView(CMStereoViewComponents)
  }

  let meaning: Meaning

  /// The layer in which the frame is coded.
  public static func videoLayerID(_ number: Int64) -> CMTag {
    CMTag(meaning: .videoLayerID(number))
  }
  /// The eyes that the frame is for.
  public static func stereoView(_ eyes: CMStereoViewComponents) -> CMTag {
    CMTag(meaning: .stereoView(eyes))
  }
}

/// One of several frames of the same time, for example for two eyes. Nothing here delivers or writes them: see
/// ``AVAssetWriterInputTaggedPixelBufferGroupAdaptor``.
public struct CMTaggedBuffer: Sendable {
  /// The frame of a tagged buffer.
  public enum Buffer: Sendable {
    case pixelBuffer(CVPixelBuffer)
    case sampleBuffer(CMSampleBuffer)
  }

  /// What distinguishes it from the others.
  public var tags: [CMTag]
  public var buffer: Buffer

  public init(tags: [CMTag], buffer: Buffer) { (self.tags, self.buffer) = (tags, buffer) }
  public init(tags: [CMTag], pixelBuffer: CVPixelBuffer) {
    self.init(tags: tags, buffer: .pixelBuffer(pixelBuffer))
  }
  public init(tags: [CMTag], sampleBuffer: CMSampleBuffer) {
    self.init(tags: tags, buffer: .sampleBuffer(sampleBuffer))
  }
}
