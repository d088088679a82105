public import MediaCore

extension ProResEncoder {
  /// How the size of frames is decided.
  public enum RateMode: Sendable, Hashable {
    /// Apple's target for the profile and size; a frame that needs less is smaller.
    case target
    /// So many bytes a frame at most, all headers included; no more than 1 GiB.
    case frameBytes(Int)
    /// One quantization index, 1 (best) to 224, for all slices; size follows from the picture.
    case constantQuality(Int)
  }

  /// What an encoder makes of its pictures.
  public struct Configuration: Sendable, Hashable {
    /// The member of the family.
    public var profile: ProResProfile
    /// Pixels in a row, 16 to 8192.
    public var width: Int
    /// Rows of the frame, both fields together, 16 to 8192.
    public var height: Int
    /// Told in the frame header, where the standard has a code for it; nil is unknown.
    public var frameRate: FrameRate?
    /// One picture or two fields, and which is coded first.
    public var fieldOrder: FieldOrder
    /// Told in the frame header; nil takes each picture's own.
    public var color: ColorDescription?
    /// Told in the frame header.
    public var aspectRatio: FrameHeader.AspectRatio
    /// Bits of alpha in the frame: 4444 and XQ only, and only from sources that have alpha.
    public var alpha: FrameHeader.AlphaChannelType
    /// Threads that encode, the caller's included; 0 is one for each processor, 16 at most.
    public var threads: Int
    /// What is asked of the system for the encoder's own threads.
    public var threadOptions: ThreadOptions
    /// How the size of frames is decided.
    public var rateMode: RateMode
    /// Gives flat parts of a frame finer steps at the cost of busy ones, at the same size.
    ///
    /// Off unless asked for, since it measures no gain: `docs/encoder-quality.md` has the numbers.
    public var isPerceptual: Bool
    /// The implementation of the hot loops; nil is the fastest, or what the environment forces.
    public var kernels: KernelChoice?
    /// The encoder's identifier in the frame header.
    public var encoderIdentifier: FourCharCode

    /// A configuration; progressive, at Apple's target rate, unless told otherwise.
    public init(
      profile: ProResProfile, width: Int, height: Int, frameRate: FrameRate? = nil,
      fieldOrder: FieldOrder = .progressive, color: ColorDescription? = nil,
      aspectRatio: FrameHeader.AspectRatio = .unspecified,
      alpha: FrameHeader.AlphaChannelType = .none, threads: Int = 0,
      threadOptions: ThreadOptions = .ordinary, rateMode: RateMode = .target,
      isPerceptual: Bool = false, kernels: KernelChoice? = nil,
      encoderIdentifier: FourCharCode = ProResEncoder.defaultIdentifier
    ) {
      self.profile = profile
      self.width = width
      self.height = height
      self.frameRate = frameRate
      self.fieldOrder = fieldOrder
      self.color = color
      self.aspectRatio = aspectRatio
      self.alpha = alpha
      self.threads = threads
      self.threadOptions = threadOptions
      self.rateMode = rateMode
      self.isPerceptual = isPerceptual
      self.kernels = kernels
      self.encoderIdentifier = encoderIdentifier
    }

    func validate() throws(ProResError) {
      guard (16...8192).contains(width), (16...8192).contains(height) else {
        throw ProResError(
          .invalidConfiguration, "\(width)x\(height): each side of a frame must be 16 to 8192")
      }
      guard alpha == .none || profile.is4444 else {
        throw ProResError(
          .invalidConfiguration, "\(profile.codec) carries no alpha; use ProRes 4444 or XQ")
      }
      guard (0...256).contains(threads) else {
        throw ProResError(.invalidConfiguration, "\(threads) threads; use 0 to 256")
      }
      if case .constantQuality(let index) = rateMode, !QuantizationIndex.range.contains(index) {
        throw ProResError(
          .invalidConfiguration, "constant quality is a quantization index, 1 to 224, not \(index)")
      }
      if case .frameBytes(let bytes) = rateMode, bytes > 1 << 30 {
        throw ProResError(
          .invalidConfiguration, "frames of \(bytes) bytes; allow 1 GiB at most")
      }
    }
  }

  /// The identifier in frames of this encoder.
  public static let defaultIdentifier: FourCharCode = "prec"
}
