import MediaCore
package import TestPattern

/// A capture device made of arithmetic: real 10-bit 4:2:2 video, so that anyone can record, and
/// so that drops and sync can be measured from the recording alone.
///
/// Every frame carries its timecode and number as digits, its number as a strip of cells
/// (`PatternFrameNumber`), a marker that moves with each field, and a field that flashes once a
/// second, together with the beep of ``ToneDeviceDriver``.
package final class PatternDeviceDriver: CaptureDeviceDriver {
  /// The pattern that is drawn.
  package let kind: PatternKind
  /// Pace and faults.
  package let options: PatternOptions
  /// The identity: `pattern:bars`, with options after a question mark.
  package let identity: CaptureDevice.Identity
  private let stage: PatternStage
  /// Always true.
  package var isConnected: Bool { true }

  /// A device of one kind.
  package convenience init(kind: PatternKind = .bars, options: PatternOptions = PatternOptions()) {
    self.init(kind: kind, options: options, query: "", stage: PatternStage())
  }

  /// A device of one kind, whose tones are those of the stage.
  convenience init(kind: PatternKind, stage: PatternStage) {
    self.init(kind: kind, options: PatternOptions(), query: "", stage: stage)
  }

  /// The device of an identifier: `pattern`, `pattern:ramp`, `pattern:bars?pace=none&drop=0.01`.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument``, naming the part that makes no sense.
  package convenience init(identifier: String) throws(CaptureError) {
    try self.init(identifier: identifier, stage: PatternStage())
  }

  /// As ``init(identifier:)``, with the tones of the stage.
  convenience init(identifier: String, stage: PatternStage) throws(CaptureError) {
    let parts = identifier.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? String(parts[1]) : ""
    let names = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard names.first == "pattern", names.count <= 2 else {
      throw CaptureError(
        .invalidArgument, "unknown pattern device '\(identifier)'; write pattern or pattern:bars")
    }
    let name = names.count > 1 && !names[1].isEmpty ? String(names[1]) : PatternKind.bars.rawValue
    guard let kind = PatternKind(rawValue: name) else {
      let names = PatternKind.allCases.map(\.rawValue)
      throw CaptureError(
        .invalidArgument,
        "unknown pattern '\(name)'\(Suggestion.remark(on: name, among: names)); choose one of "
          + names.joined(separator: ", "))
    }
    self.init(kind: kind, options: try PatternOptions(query: query), query: query, stage: stage)
  }

  private init(kind: PatternKind, options: PatternOptions, query: String, stage: PatternStage) {
    self.stage = stage
    self.kind = kind
    self.options = options
    self.identity = CaptureDevice.Identity(
      uniqueID: "pattern:\(kind.rawValue)" + (query.isEmpty ? "" : "?\(query)"),
      localizedName: "Pattern generator (\(kind.rawValue))", modelID: "pattern",
      mediaType: .video)
  }

  /// What the generator offers: 1080 first, 10-bit 4:2:2 first.
  ///
  /// - Throws: Never.
  package func formats() throws(CaptureError) -> [CaptureDevice.Format] { Self.allFormats }

  private static let allFormats: [CaptureDevice.Format] = {
    let layouts: [PixelFormat] = [
      .p210, .v210, .y210, .yuv422p10, .yuv444p10, .yuv444p12, .uyvy, .nv12,
    ]
    let sizes = [(1920, 1080), (1280, 720), (3840, 2160), (7680, 4320), (640, 360)]
    var formats: [CaptureDevice.Format] = []
    func add(_ layout: PixelFormat, _ size: (Int, Int), _ order: FieldOrder, _ rates: [FrameRate]) {
      let details = PixelBuffer.Description(
        format: layout, width: size.0, height: size.1, fieldOrder: order)
      formats.append(
        CaptureDevice.Format(
          formatDescription: .video(VideoFormatDescription(details)),
          nativeCode: layout.descriptor.v4l2Codes.first, frameRates: rates))
    }
    for size in sizes {
      for layout in layouts { add(layout, size, .progressive, FrameRate.standard.reversed()) }
      guard size.1 == 1080 else { continue }
      for layout in layouts { add(layout, size, .topFieldFirst, [.fps30, .fps29_97, .fps25]) }
    }
    return formats
  }()

  /// Paints the frames of a stream.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` for a format or rate that is not offered,
  ///   ``CaptureError/Code/invalidArgument`` for a timecode of another rate,
  ///   ``CaptureError/Code/deviceFailed`` if memory for the frames runs out.
  package func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    guard let offered = Self.allFormats.first(where: { $0.isSameFrame(as: request.format) }),
      let video = offered.video, let layout = video.pixelFormat
    else {
      throw CaptureError(
        .formatUnavailable,
        "the pattern device does not offer \(request.format.dimensions) "
          + "\(request.format.video?.pixelFormat?.description ?? "of that kind"); "
          + "choose one of its formats")
    }
    guard let rate = request.frameRate ?? offered.frameRates.first,
      offered.frameRates.contains(rate)
    else {
      throw CaptureError(
        .formatUnavailable,
        "the pattern device does not offer \(video.dimensions) at that rate; it has "
          + offered.frameRates.map(\.description).joined(separator: ", "))
    }
    if let timecode = request.startTimecode, timecode.format.frameRate != rate {
      throw CaptureError(
        .invalidArgument,
        "the timecode \(timecode) counts \(timecode.format.frameRate) frames per second, "
          + "the pattern device runs at \(rate)")
    }
    let details = PixelBuffer.Description(
      format: layout, width: video.dimensions.width, height: video.dimensions.height,
      color: video.color, fieldOrder: video.fieldOrder)
    let ring = try PatternRing(details, count: request.bufferCount)
    PatternScene(kind, details, phaseCount: ring.phaseCount).paintBackgrounds(ring.slots)
    let schedule = PatternSchedule(frameRate: rate, clockError: options.clockError)
    let conductor = PatternConductor(schedule: schedule, isRealTime: options.isRealTime)
    stage.enter(conductor)
    let pump = PatternPump(
      kind: kind, details: details, schedule: schedule,
      startTimecode: request.startTimecode, options: options, ring: ring,
      conductor: conductor)
    return PatternStream(
      pump, formatDescription: offered.formatDescription, threads: request.threads)
  }
}

extension CaptureDevice.Format {
  /// True if two formats describe the same frames, whatever rates they list.
  fileprivate func isSameFrame(as other: CaptureDevice.Format) -> Bool {
    guard let video, let theirs = other.video else { return false }
    return video.pixelFormat == theirs.pixelFormat && video.dimensions == theirs.dimensions
      && video.fieldOrder == theirs.fieldOrder
  }
}
