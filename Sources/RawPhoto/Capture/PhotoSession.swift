import FoundationEssentials
public import MediaCore
import PictureFiles
import Synchronization
public import VideoRecorder

/// Takes photos of a device into files: a capture session with a photo output, from the choice of a
/// format to the names of the files.
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
  /// Which RAW photo is taken.
  public enum RAWKind: String, Sendable, CaseIterable {
    /// One exposure, sample for sample.
    case bayer
    /// Several exposures, merged and made into colors.
    case proraw
  }

  /// Which processed photo is taken.
  public enum ProcessedKind: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg
    /// HEIC.
    case heic

    var fileExtension: String { self == .jpeg ? "jpg" : "heic" }
    var codec: PhotoCodecType { self == .jpeg ? .jpeg : .hevc }

    /// The quality where none was asked for. HEIC is as near to the picture as JPEG at a lower number,
    /// and nearly without loss at JPEG's.
    var usualQuality: Double { self == .jpeg ? 0.92 : 0.75 }
  }

  /// The preview within a RAW file.
  public enum Thumbnail: Sendable, Hashable {
    /// None.
    case none
    /// As large as the photo.
    case full
    /// Of this size at most.
    case size(VideoDimensions)
  }

  /// What is asked for.
  public struct Request: Sendable {
    /// The device's identifier.
    public var deviceID: String
    /// The RAW photo; nil for none.
    public var raw: RAWKind?
    /// The processed photo of the same exposure; nil for none.
    public var processed: ProcessedKind?
    /// The size; nil for the largest.
    public var dimensions: VideoDimensions?
    /// The layout of the sensor's samples, as the device or this package names it; nil for any.
    public var format: String?
    /// Stops from the present exposure: of a Bayer photo each is a photo of its own, of a ProRAW photo
    /// they are merged.
    public var bracket: [Double]?
    /// What matters more; nil for the photo's own.
    public var priority: PhotoQualityPrioritization?
    /// Seconds of exposure; nil for the device's present one.
    public var exposureTime: Double?
    /// Amplification, 1 for none; nil for the device's present one.
    public var gain: Double?
    /// The preview within the RAW file.
    public var thumbnail = Thumbnail.full
    /// How ProRAW photos are compressed; `quality` below 1 is that of processed photos, too.
    public var compression = AppleProRAWCompressionSettings()
    /// Bits of a sample of processed photos: 8, or 10 as HEIC.
    public var processedBitDepth = 8
    /// The path of the sensor's calibration; nil for none.
    public var calibration: String?
    /// The file, or its beginning where there are several; a folder, that is there or ends with a slash, or nil for
    /// names by the time.
    public var output: String?
    /// Captures that are going to be taken.
    public var count = 1
    /// True to replace files of these names.
    public var replacesFiles = false

    /// Photos of a device.
    public init(deviceID: String) { self.deviceID = deviceID }

    /// Of a Bayer bracket each exposure is a photo of its own.
    var isBayerBracket: Bool { raw == .bayer && bracket != nil }

    /// Exposures of which one capture makes photos.
    var exposuresOfACapture: Int { isBayerBracket ? bracket?.count ?? 1 : 1 }
  }

  /// What the session is doing.
  public enum Step: Sendable, Hashable {
    /// It waits for the exposures of a capture, counted from 1.
    case exposing(capture: Int)
    /// It makes the photos of an exposure.
    case processing(exposure: Int)
    /// It writes a file.
    case writing(path: String)
  }

  private let request: Request
  private let device: CaptureDevice
  /// The files that are whole, by the number of their exposure.
  private let written = Mutex<[Int: [PhotoFileSummary]]>([:])
  private let output = CapturePhotoOutput()
  private let session = CaptureSession()
  private let names: Mutex<PhotoNames>

  /// Opens the device and chooses its format and exposure.
  ///
  /// The folder of the files is made where it is missing.
  ///
  /// - Throws: `CaptureError` for a device, format or exposure that is not to be had,
  ///   `fileAlreadyExists` for a file that would have to go, and `invalidArgument` for a name with the ending of another
  ///   kind of picture; ``RawPhotoError`` for a bad calibration, for a compression that ProRAW does not have, and for a
  ///   folder that cannot be made.
  public init(_ request: Request) throws {
    self.request = request
    // A photo that cannot be written is not to be taken.
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

  /// Takes all captures of the request and writes their files, from the device's start to its stop.
  ///
  /// - Parameters:
  ///   - willTake: Told the number of the capture that is next, from 1, and what was taken
  ///   before it.
  ///   - onStep: Told what the session is doing, on its own threads.
  /// - Returns: The files, those of an exposure together.
  /// - Throws: As ``start()`` and ``take(_:onStep:)``. The device is stopped then, and ``files`` stay.
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

  /// The files that are whole so far, those of an exposure together.
  public var files: [[PhotoFileSummary]] {
    written.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Takes a capture and writes its files, each as soon as it is made: the RAW photo first. The
  /// sensor rests meanwhile.
  ///
  /// - Parameters:
  ///   - number: The capture's number, from 1 to the request's count.
  ///   - onStep: Told what the session is doing, on its own threads.
  /// - Returns: The files, those of an exposure together.
  /// - Throws: What the capture, the encoders and the disk throw, and
  ///   ``RawPhotoError/Code/canceled`` in a canceled task. Files that were whole by then stay.
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

  /// The Bayer format: the largest, or what was asked for.
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
          ? "\(device) offers no Bayer format, which photos are made of; choose another device"
          : "\(device) offers no such Bayer format\(near); choose another of the device's formats")
    }
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(best) }
  }

  private func makeFolder() throws(RawPhotoError) {
    guard let output = request.output else { return }
    do throws(PictureFileError) {
      // Of a folder's name itself, too.
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

  /// Compresses ProRAW photos as they were asked for.
  private struct Compression: CapturePhotoFileDataRepresentationCustomizer {
    let settings: AppleProRAWCompressionSettings

    func replacementAppleProRAWCompressionSettings(
      for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings,
      maximumBitDepth: Int
    ) -> AppleProRAWCompressionSettings { settings }
  }
}
