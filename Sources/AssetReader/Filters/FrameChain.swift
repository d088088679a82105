import CFFmpeg
import MediaCore

/// A libavfilter chain that applies a ``VideoProcessing`` to frames of one description.
struct FrameChain: Hashable {
  /// Filters in libavfilter's syntax.
  private(set) var filters: [String] = []
  private let frame: PixelBuffer.Description
  private let processing: VideoProcessing
  private let name: String
  /// The frame size and pixel aspect ratio after the filters so far.
  private var width: Int
  private var height: Int
  private var aspect: PixelAspectRatio
  private var isInterlaced: Bool

  var text: String { filters.isEmpty ? "null" : filters.joined(separator: ",") }

  /// - Parameters:
  ///   - timecode: The first frame's, at the chain's output rate.
  ///   - name: The source's name, for messages and burn-in.
  /// - Throws: ``AssetReaderError/Code/invalidArgument`` for processing that is impossible with
  ///   these frames, ``AssetReaderError/Code/unsupported`` if the installed libavfilter lacks a
  ///   filter.
  init(
    _ processing: VideoProcessing, _ frame: PixelBuffer.Description, timecode: Timecode?,
    name: String
  ) throws(AssetReaderError) {
    self.frame = frame
    self.processing = processing
    self.name = name
    (width, height) = (frame.width, frame.height)
    aspect = frame.pixelAspectRatio
    isInterlaced = frame.fieldOrder.isInterlaced
    try deinterlace()
    try turn()
    if let rate = processing.frameRate {
      try add("fps", "fps=\(rate.numerator)/\(rate.denominator):round=near")
    }
    try lookUp()
    try scale()
    for kind in VideoProcessing.BurnIn.allCases where processing.burnIns.contains(kind) {
      try draw(kind, timecode)
    }
    try lay()
  }

  /// Converts to the requested layout, with libswscale.
  private mutating func lay() throws(AssetReaderError) {
    guard let layout = processing.layout else { return }
    guard let word = layout.format.descriptor.libavName else {
      throw AssetReaderError(
        .unsupported, "\(name): frames cannot be converted to the layout \(layout.format.rawValue)")
    }
    let range = layout.range == .full ? "full" : "limited"
    let subsampling = layout.format.descriptor.subsampling
    if subsampling == .yuv444, layout.range == .video { try leaveFullRange() }
    // Bit-exact, because parts of a movie may be made on different processors.
    let exact = subsampling == .yuv444 ? "+bitexact" : ""
    try add(
      "scale",
      "out_range=\(range):flags=bicubic+accurate_rnd+full_chroma_int\(exact)"
        + chromaPlaces(in: subsampling))
    try add("format", "pix_fmts=\(word)")
  }

  /// Converts full-range luma and chroma to video range with `zscale`: libswscale uses factors of 8
  /// bits, whatever the depth.
  private mutating func leaveFullRange() throws(AssetReaderError) {
    guard frame.color.range == .full, !isConverted, !isRGB else { return }
    try spreadOddChroma()
    // Without a matrix, because the source may not name one.
    try add(
      "zscale", chromaSetting + "filter=spline36:rangein=full:range=limited:dither=none")
    filters.append("format=\(Self.full(frame))")
    (isConverted, hasFullChroma) = (true, true)
  }

  /// Upsamples chroma to 4:4:4 if a side has an odd length, at the source's depth and range:
  /// libzimg rejects chroma that extends beyond the frame. libswscale stretches it to the frame's
  /// edges, by less than a pixel.
  private mutating func spreadOddChroma() throws(AssetReaderError) {
    let isOdd =
      subsampling.horizontalShift > 0 && width % 2 != 0
      || subsampling.verticalShift > 0 && height % 2 != 0
    guard isOdd else { return }
    let range = frame.color.range == .full ? "full" : "limited"
    let depth = frame.format.descriptor.bitDepth
    try add(
      "scale",
      "out_range=\(range):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
        + chromaPlaces(in: .yuv444))
    filters.append("format=yuv444p" + (depth > 8 ? "\(depth)le" : ""))
    isSpread = true
  }

  /// The source and target chroma positions for `scale`, in 1/256 pixel. `scale` ignores the
  /// frames' own chroma location.
  private func chromaPlaces(in target: PixelFormat.Subsampling) -> String {
    var places = ""
    if subsampling.horizontalShift > 0 {
      let isBetween = !isConverted && frame.chromaSiting.isBetweenColumns
      places += ":in_h_chr_pos=\(isBetween ? 128 : 0)"
    }
    if subsampling.verticalShift > 0 {
      let place =
        switch frame.chromaSiting.rows {
        case .upper: 0
        case .between: 128
        case .lower: 256
        }
      places += ":in_v_chr_pos=\(place)"
    }
    return target.horizontalShift > 0 ? places + ":out_h_chr_pos=0" : places
  }

  /// The chroma subsampling after the filters so far.
  private var subsampling: PixelFormat.Subsampling {
    guard !isConverted else { return hasFullChroma ? .yuv444 : .yuv422 }
    return isSpread ? .yuv444 : frame.format.descriptor.subsampling
  }

  /// The first `zscale`'s setting for the source's chroma siting; its output is
  /// ``ChromaSiting/left``.
  private var chromaSetting: String {
    isConverted || subsampling.horizontalShift == 0
      ? "" : "chromalin=\(frame.chromaSiting.rawValue.lowercased()):"
  }

  /// True if the filters keep the chroma siting.
  var keepsChroma: Bool { !isConverted && processing.layout == nil }

  private mutating func add(_ filter: String, _ settings: String) throws(AssetReaderError) {
    guard try FilterGraph.has(filter, for: name) else {
      throw AssetReaderError(
        .unsupported, "\(name): the libavfilter that is installed has no filter \(filter)")
    }
    filters.append(settings.isEmpty ? filter : "\(filter)=\(settings)")
  }

  private func refusal(_ reason: String) -> AssetReaderError {
    AssetReaderError(.invalidArgument, "\(name): \(reason)")
  }

  private mutating func deinterlace() throws(AssetReaderError) {
    guard let mode = processing.deinterlacing else { return }
    guard isInterlaced else {
      throw refusal(
        "the source is progressive; if it is interlaced, name the field order, or have it detected")
    }
    let send = mode == .frames ? "send_frame" : "send_field"
    // Automatic, because each frame carries its own field order.
    try add("bwdif", "mode=\(send):parity=auto:deint=all")
    isInterlaced = false
  }

  private mutating func turn() throws(AssetReaderError) {
    let quarters = (processing.quarterTurns % 4 + 4) % 4
    guard quarters > 0 || processing.isMirrored else { return }
    guard !isInterlaced || quarters == 0 else {
      throw refusal("fields cannot be turned; deinterlace the source")
    }
    // Chroma cosited with the first of two pixels would end up on the last one, or between rows.
    if subsampling.horizontalShift > 0 { try convert(to: Self.full(frame)) }
    if processing.isMirrored { try add("hflip", "") }
    guard quarters != 2 else {
      try add("hflip", "")
      try add("vflip", "")
      return
    }
    guard quarters > 0 else { return }
    try add("transpose", quarters == 1 ? "clock" : "cclock")
    (width, height) = (height, width)
    aspect = PixelAspectRatio(aspect.vertical, aspect.horizontal)
  }

  // MARK: Colors

  /// The color without unspecified values, as `zscale` requires.
  private var color: ColorDescription { frame.color.resolved(forHeight: frame.height) }

  private var isRGB: Bool { frame.format.descriptor.subsampling == .rgb }

  private static func full(_ frame: PixelBuffer.Description) -> String {
    frame.format.descriptor.hasAlpha ? "yuva444p16le" : "yuv444p16le"
  }

  /// A 16-bit format with the chroma of the source or the requested layout, at least 4:2:2; 4:4:4
  /// for an odd width.
  private func working(atWidth width: Int) -> String {
    let table = frame.format.descriptor
    let isFull =
      table.hasAlpha || table.subsampling == .yuv444 || table.subsampling == .rgb || width % 2 != 0
      || processing.layout?.format.descriptor.subsampling == .yuv444
    return isFull ? Self.full(frame) : "yuv422p16le"
  }

  private var matrix: Int32 { color.matrix == .identity ? 1 : Int32(color.matrix.rawValue) }

  /// Converts frames to a layout, at video range.
  private mutating func convert(
    to layout: String, size: String = "", filter: String = "spline36"
  ) throws(AssetReaderError) {
    let isFull = frame.color.range == .full && !isConverted
    if isRGB, !isConverted { filters.append("format=gbrp") }
    if !isConverted { try spreadOddChroma() }
    let source = isRGB && !isConverted ? "gbr" : "\(matrix)"
    try add(
      "zscale",
      size + chromaSetting + "filter=\(filter):matrixin=\(source):matrix=\(matrix):"
        + "rangein=\(isFull ? "full" : "limited"):range=limited:dither=none")
    filters.append("format=\(layout)")
    isConverted = true
    hasFullChroma = layout == Self.full(frame)
  }

  private var isConverted = false
  private var hasFullChroma = false
  /// True once ``spreadOddChroma()`` has upsampled chroma.
  private var isSpread = false

  private static let interpolation = "interp=tetrahedral"

  /// True for libavfilter's message on a look-up table: FFmpeg 5.1 repeats its settings, FFmpeg 7 calls its data invalid.
  static func isAboutTable(_ message: String) -> Bool {
    message.contains(interpolation) || message.contains("Invalid data found")
  }

  private mutating func lookUp() throws(AssetReaderError) {
    guard let lut = processing.lut else { return }
    if let fault = CubeFile(lut).fault {
      throw AssetReaderError(.invalidArgument, "\(lut): \(fault)")
    }
    let isFull = frame.color.range == .full && !isConverted
    if isRGB, !isConverted {
      filters.append("format=gbrp")
      try add("zscale", "matrixin=gbr:matrix=gbr:rangein=full:range=full")
    } else {
      if !isConverted { try spreadOddChroma() }
      try add(
        "zscale",
        chromaSetting + "filter=spline36:matrixin=\(matrix):matrix=gbr:"
          + "rangein=\(isFull ? "full" : "limited"):range=full:dither=none")
    }
    // `lut3d` has no floating-point format with alpha.
    filters.append(
      frame.format.descriptor.hasAlpha ? "format=gbrap16le" : "format=gbrpf32le")
    try add("lut3d", "file=\(Self.quoted(lut)):\(Self.interpolation)")
    try add(
      "zscale",
      "filter=spline36:matrixin=gbr:matrix=\(matrix):rangein=full:range=limited:dither=none")
    let working = working(atWidth: width)
    filters.append("format=\(working)")
    isConverted = true
    hasFullChroma = working == Self.full(frame)
  }

  // MARK: Size

  private mutating func scale() throws(AssetReaderError) {
    guard let scaling = processing.scaling else { return }
    let size = scaling.size
    guard size.width % 2 == 0, size.height % 2 == 0 else {
      throw refusal("\(size): both sides of a size must be even")
    }
    if scaling.fitting == .crop { return try cutOut(size) }
    let seen = Self.seen(width, height, aspect, scaling)
    guard !isInterlaced || height == seen.height else {
      throw refusal("fields cannot be scaled in height; deinterlace the source")
    }
    try convert(
      to: working(atWidth: seen.width), size: "w=\(seen.width):h=\(seen.height):",
      filter: scaling.filter.rawValue)
    filters.append("setsar=1")
    (width, height, aspect) = (seen.width, seen.height, .square)
    switch scaling.fitting {
    case .fit:
      guard seen.width < size.width || seen.height < size.height else { return }
      try add(
        "pad",
        "\(size.width):\(size.height):\((size.width - seen.width) / 4 * 2):"
          + "\((size.height - seen.height) / 4 * 2):black")
    case .fill: try cutOut(size)
    case .stretch, .crop: break
    }
  }

  /// The size that the whole frame is scaled to, in even numbers: never larger than the target for
  /// a fit, never smaller for a fill.
  static func seen(
    _ width: Int, _ height: Int, _ aspect: PixelAspectRatio, _ scaling: VideoProcessing.Scaling
  ) -> VideoDimensions {
    let size = scaling.size
    guard scaling.fitting != .stretch else { return size }
    let shape =
      Double(width) * Double(aspect.horizontal) / (Double(height) * Double(aspect.vertical))
    let isWider = shape > Double(size.width) / Double(size.height)
    let followsWidth = isWider == (scaling.fitting == .fit)
    func even(_ number: Double, _ bound: Int) -> Int {
      let nearest = Int((number / 2).rounded()) * 2
      return max(scaling.fitting == .fit ? min(nearest, bound) : max(nearest, bound), 2)
    }
    return followsWidth
      ? VideoDimensions(
        width: size.width, height: even(Double(size.width) / shape, size.height))
      : VideoDimensions(
        width: even(Double(size.height) * shape, size.width), height: size.height)
  }

  private mutating func cutOut(_ size: VideoDimensions) throws(AssetReaderError) {
    guard size.width <= width, size.height <= height else {
      throw refusal("\(size) cannot be cut out of \(width)x\(height)")
    }
    // Steps of four rows keep fields and their chroma aligned.
    let step = isInterlaced ? 4 : 2
    let (x, y) = ((width - size.width) / 4 * 2, (height - size.height) / 2 / step * step)
    try add("crop", "\(size.width):\(size.height):\(x):\(y)")
    (width, height) = (size.width, size.height)
  }

  // MARK: Text

  private mutating func draw(
    _ kind: VideoProcessing.BurnIn, _ timecode: Timecode?
  ) throws(AssetReaderError) {
    let place: String
    switch kind {
    case .timecode:
      guard let timecode else {
        throw refusal("the source has no timecode to draw; give the first frame's")
      }
      let rate = timecode.format.frameRate
      place =
        "timecode=\(Self.quoted(timecode.description)):rate=\(rate.numerator)/\(rate.denominator):"
        + "x=(w-tw)/2:y=h-2*th"
    case .frame: place = "text='%{n}':x=w-tw-th:y=h-2*th"
    case .name:
      let file = name.pathParts().last.map(String.init) ?? name
      place = "text=\(Self.quoted(file)):expansion=none:x=th:y=th"
    }
    try add(
      "drawtext", "\(place):fontsize=h/20:fontcolor=white:box=1:boxcolor=black@0.5:boxborderw=6")
  }

  /// A value escaped for libavfilter: once for the filter, once for the graph.
  static func quoted(_ text: String) -> String {
    let inner = text.flatMap { character -> [Character] in
      "\\':".contains(character) ? ["\\", character] : [character]
    }
    return String(
      inner.flatMap { character -> [Character] in
        "\\'[],;".contains(character) ? ["\\", character] : [character]
      })
  }
}
