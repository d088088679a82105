import FoundationEssentials
import ImageFiles
public import MediaCore
import Synchronization
public import VideoRecorder

/// Takes photos with a device and writes them to files: a capture session with a photo output that chooses the
/// format and names the files.
///
/// ```swift
/// var request = PhotoSession.Request(deviceID: "pattern:raw")
/// request.raw = .bayer
/// let session = try PhotoSession(request)
/// try await session.start()
/// let exposures = try await session.take(1)
/// await session.stop()
/// ```
public final class PhotoSession: Sendable {
  /// The kind of RAW photo.
  public enum RAWKind: String, Sendable, CaseIterable {
    /// One exposure with unchanged samples.
    case bayer
    /// Several exposures, merged and demosaicked.
    case proraw
  }

  /// The kind of processed photo.
  public enum ProcessedKind: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg
    /// HEIC.
    case heic

    var fileExtension: String { self == .jpeg ? "jpg" : "heic" }
    var codec: PhotoCodecType { self == .jpeg ? .jpeg : .hevc }

    /// The default quality. HEIC needs a lower number than JPEG for the same fidelity, and is nearly lossless at
    /// JPEG's.
    var usualQuality: Double { self == .jpeg ? 0.92 : 0.75 }
  }

  /// The preview in a RAW file.
  public enum Thumbnail: Sendable, Hashable {
    /// None.
    case none
    /// As large as possible.
    case full
    /// With a maximum size.
    case size(VideoDimensions)
  }

  /// A request for photos.
  public struct Request: Sendable {
    /// The device's identifier.
    public var deviceID: String
    /// The RAW photo; nil for none.
    public var raw: RAWKind?
    /// The processed photo of the same exposure; nil for none.
    public var processed: ProcessedKind?
    /// The image size; nil for the largest.
    public var dimensions: VideoDimensions?
    /// The format of the sensor's samples, by the device's or this package's name; nil for any.
    public var format: String?
    /// Offsets in stops from the present exposure: with Bayer each becomes a separate photo, with ProRAW they are
    /// merged.
    public var bracket: [Double]?
    /// The priority of speed or quality; nil for the default.
    public var priority: PhotoQualityPrioritization?
    /// Exposure time in seconds; nil for the device's present one.
    public var exposureTime: Double?
    /// The gain, 1 for none; nil for the device's present one.
    public var gain: Double?
    /// The preview in the RAW file.
    public var thumbnail = Thumbnail.full
    /// The compression of ProRAW photos; a `quality` below 1 also applies to processed photos.
    public var compression = AppleProRAWCompressionSettings()
    /// Bits per sample of processed photos: 8, or 10 for HEIC.
    public var processedBitDepth = 8
    /// The path of the sensor's calibration file; nil for none.
    public var calibration: String?
    /// The file, or the beginning of the names of several files; with nil or a folder (one that exists or a name
    /// with a trailing slash), photos are named by time.
    public var output: String?
    /// The number of captures.
    public var count = 1
    /// True to replace existing files.
    public var replacesFiles = false

    /// A request for photos with a device.
    public init(deviceID: String) { self.deviceID = deviceID }

    /// Each exposure of a Bayer bracket becomes a separate photo.
    var isBayerBracket: Bool { raw == .bayer && bracket != nil }

    /// The number of exposures in a capture that become separate photos.
    var exposuresOfACapture: Int { isBayerBracket ? bracket?.count ?? 1 : 1 }
  }

  /// A step in taking photos.
  public enum Step: Sendable, Hashable {
    /// Waiting for the exposures of a capture, counted from 1.
    case exposing(capture: Int)
    /// Making the photos of an exposure.
    case processing(exposure: Int)
    /// Writing a file.
    case writing(path: String)
  }

  private let request: Request
  private let device: CaptureDevice
  /// The completed files, by the number of their exposure.
  private let written = Mutex<[Int: [PhotoFileSummary]]>([:])
  private let output = CapturePhotoOutput()
  private let session = CaptureSession()
  private let names: Mutex<PhotoNames>

  /// Opens the device and chooses its format and exposure.
  ///
  /// A missing folder for the files is created.
  ///
  /// - Throws: `CaptureError` for an unavailable device, format or exposure, `fileAlreadyExists` for an existing
  ///   file that may not be replaced, and `invalidArgument` for a name with another image format's extension;
  ///   ``RawPhotoError`` for a bad calibration, for an unsupported ProRAW compression, and for a folder that cannot
  ///   be created.
  public init(_ request: Request) throws {
    self.request = request
    // Fail before a photo is taken that could not be written.
    if request.raw == .proraw { _ = try request.compression.compression() }
    let endings = [request.raw.map { _ in "dng" }, request.processed?.fileExtension]
    names = Mutex(
      try PhotoNames(
        output: request.output, endings: endings.compactMap { $0.map { "." + $0 } },
        exposureCount: request.count * request.exposuresOfACapture,
        replaces: request.replacesFiles))
    device = try CaptureDevice.device(identifier: request.deviceID)
    let device = device
    output.maxPhotoQualityPrioritization = .quality
    if let path = request.calibration { output.calibration = try CalibrationFile.read(path: path) }
    try session.configure { session throws(CaptureError) in
      session.sessionPreset = .inputPriority
      try session.add(CaptureDeviceInput(device: device))
      try session.add(output)
    }
    try choose(on: device)
    if request.raw == .proraw { output.isAppleProRAWEnabled = true }
    try setExposure(of: device)
    try makeFolder()
  }

  /// Starts the device.
  ///
  /// - Throws: As `CaptureSession.start()`.
  public func start() async throws(CaptureError) { try await session.start() }

  /// Stops the device.
  public func stop() async {
    await session.stop()
    device.sensorControl?.setResting(false)
  }

  /// Starts the device, takes all captures of the request, writes their files, and stops the device.
  ///
  /// - Parameters:
  ///   - willTake: Called before each capture with its number, from 1, and the files so far.
  ///   - onStep: Called for each step, on the session's own threads.
  /// - Returns: The files, grouped by exposure.
  /// - Throws: As ``start()`` and ``take(_:onStep:)``. The device is then stopped, and ``files`` remain.
  public func takeAll(
    willTake: (_ number: Int, _ taken: [[PhotoFileSummary]]) -> Void = { _, _ in },
    onStep: @escaping @Sendable (Step) -> Void = { _ in }
  ) async throws -> [[PhotoFileSummary]] {
    try await start()
    do {
      for number in 1...max(request.count, 1) {
        willTake(number, files)
        _ = try await take(number, onStep: onStep)
      }
    } catch {
      await stop()
      throw error
    }
    await stop()
    return files
  }

  /// The completed files so far, grouped by exposure.
  public var files: [[PhotoFileSummary]] {
    written.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Takes a capture and writes its files, each as soon as it is made, the RAW photo first. The sensor rests
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - number: The capture's number, from 1 to the request's count.
  ///   - onStep: Called for each step, on the session's own threads.
  /// - Returns: The files, grouped by exposure.
  /// - Throws: Errors of the capture, the encoders and the disk, and ``RawPhotoError/Code/canceled`` in a canceled
  ///   task. Files completed by then remain.
  public func take(
    _ number: Int, onStep: @escaping @Sendable (Step) -> Void = { _ in }
  ) async throws -> [[PhotoFileSummary]] {
    let before = (number - 1) * request.exposuresOfACapture
    device.sensorControl?.setResting(false)
    onStep(.exposing(capture: number))
    try await output.capturePhoto(with: settings()) { [device] progress in
      switch progress {
      case .exposed: device.sensorControl?.setResting(true)
      case .processing(let exposure): onStep(.processing(exposure: before + exposure))
      }
    } deliver: { [self] (photo) throws(RawPhotoError) in
      try write(photo, exposure: before + photo.sequenceCount, onStep)
    }
    return written.withLock { written in
      (1...request.exposuresOfACapture).compactMap { written[before + $0] }
    }
  }

  private func write(
    _ photo: CapturePhoto, exposure: Int, _ onStep: (Step) -> Void
  ) throws(RawPhotoError) {
    let bytes =
      photo.isAppleProRAW
      ? try photo.fileDataRepresentation(with: Compression(settings: request.compression))
      : try photo.fileDataRepresentation()
    let path = names.withLock {
      $0.path(
        "." + photo.fileExtension, exposure: exposure, date: photo.metadata.date ?? Date())
    }
    onStep(.writing(path: path))
    try PhotoFile.write(bytes, to: path, replacing: request.replacesFiles)
    written.withLock {
      $0[exposure, default: []].append(
        PhotoFileSummary(photo, path: path, fileSize: bytes.count))
    }
  }

  /// Chooses the largest Bayer format, or the requested one.
  private func choose(on device: CaptureDevice) throws(CaptureError) {
    let bayer = device.formats.filter { $0.video?.pixelFormat?.isBayer == true }
    let fitting = bayer.filter { candidate in
      let names = [candidate.nativeCode?.description, candidate.video?.pixelFormat?.rawValue]
      return (request.dimensions.map { candidate.dimensions == $0 } ?? true)
        && (request.format.map { names.contains($0) } ?? true)
    }
    // The largest format; among equally large ones, the device's first.
    let area: (CaptureDevice.Format) -> Int = { $0.dimensions.width * $0.dimensions.height }
    guard let most = fitting.map(area).max(), let best = fitting.first(where: { area($0) == most })
    else {
      let layouts = bayer.compactMap { $0.nativeCode?.description }
      let near = request.format.map { Suggestion.remark(on: $0, among: layouts) } ?? ""
      throw CaptureError(
        .formatUnavailable,
        bayer.isEmpty
          ? "\(device) offers no Bayer format, which photos require; choose another device"
          : "\(device) offers no such Bayer format\(near); choose another of the device's formats")
    }
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(best) }
  }

  private func makeFolder() throws(RawPhotoError) {
    guard let output = request.output else { return }
    do throws(ImageFileError) {
      // The added name makes a path with a trailing slash count as a folder itself.
      try WholeFile.makeFolder(of: output.hasSuffix("/") ? output + "photo" : output)
    } catch { throw RawPhotoError(error) }
  }

  private func setExposure(of device: CaptureDevice) throws(CaptureError) {
    guard request.exposureTime != nil || request.gain != nil else { return }
    guard let control = device.sensorControl else {
      throw CaptureError(
        .invalidArgument, "\(device) cannot set its exposure; leave exposure and gain out")
    }
    var wanted = try control.exposure()
    if let time = request.exposureTime { wanted.duration = time }
    if let gain = request.gain { wanted.gain = gain }
    try device.setExposureModeCustom(wanted)
  }

  private func settings() -> CapturePhotoSettings {
    let rawFormat = request.raw.flatMap { raw in
      output.availableRawPhotoPixelFormatTypes.first {
        raw == .bayer
          ? CapturePhotoOutput.isBayerRAWPixelFormat($0)
          : CapturePhotoOutput.isAppleProRAWPixelFormat($0)
      }
    }
    let quality = request.compression.quality
    let processedFormat = request.processed.map {
      CapturePhotoSettings.ProcessedFormat(
        codec: $0.codec, quality: quality < 1 ? quality : $0.usualQuality,
        bitDepth: request.processedBitDepth)
    }
    let bracket = request.isBayerBracket ? request.bracket ?? [] : []
    var settings = CapturePhotoSettings(
      rawPixelFormatType: rawFormat, processedFormat: processedFormat,
      bracketedSettings: bracket.map { .autoExposure(exposureTargetBias: $0) })
    if !request.isBayerBracket { settings.fusionExposureBiases = request.bracket }
    if let priority = request.priority { settings.photoQualityPrioritization = priority }
    settings.rawEmbeddedThumbnailPhotoFormat =
      switch request.thumbnail {
      case .none: nil
      case .full: .init(dimensions: output.maxPhotoDimensions)
      case .size(let size): .init(dimensions: size)
      }
    return settings
  }

  /// Applies the requested compression to ProRAW photos.
  private struct Compression: CapturePhotoFileDataRepresentationCustomizer {
    let settings: AppleProRAWCompressionSettings

    func replacementAppleProRAWCompressionSettings(
      for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings,
      maximumBitDepth: Int
    ) -> AppleProRAWCompressionSettings { settings }
  }
}
