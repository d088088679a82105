import CaptureDevices
import DNG
import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing
import VideoRecorder

@testable import RawPhoto

@Suite(.serialized) struct CapturePhotoOutputTests {
  /// A session on a synthetic sensor of 640x480.
  private struct Camera {
    let device: CaptureDevice
    let output = CapturePhotoOutput()
    let session = CaptureSession()

    init(_ options: String = "", format: PixelFormat = .grbg12, proRAW: Bool = false) throws {
      device = try CaptureDevice.device(identifier: "pattern:raw" + options)
      let wanted = try #require(
        device.formats.first {
          $0.video?.pixelFormat == format && $0.dimensions.width == 640
        })
      try device.configure { device throws(CaptureError) in try device.setActiveFormat(wanted) }
      try session.configure { [session, device, output] _ throws(CaptureError) in
        try session.add(CaptureDeviceInput(device: device))
        try session.add(output)
      }
      output.isAppleProRAWEnabled = proRAW
    }
  }

  private func code(_ body: () async throws -> Void) async -> RawPhotoError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? RawPhotoError)?.code
    }
  }

  @Test func a_sensors_frame_rates_are_limited_by_its_identifier() async throws {
    let slow = try CaptureDevice.device(identifier: "pattern:raw?rate=5")
    #expect(!slow.formats.isEmpty)
    let rates = [5, 1].compactMap { FrameRate($0) }
    #expect(slow.formats.allSatisfy { $0.frameRates == rates })
    let error = #expect(throws: CaptureError.self) {
      try CaptureDevice.device(identifier: "pattern:raw?rate=7")
    }
    #expect(error?.message.contains("'rate=7'") == true)
  }

  @Test func formats_need_a_source_and_list_proraw_after_bayer() async throws {
    let output = CapturePhotoOutput()
    #expect(output.availableRawPhotoPixelFormatTypes.isEmpty)
    #expect(!output.isAppleProRAWSupported && output.availablePhotoCodecTypes.isEmpty)
    let camera = try Camera()
    let formats = camera.output.availableRawPhotoPixelFormatTypes
    #expect(formats.count == 1 && CapturePhotoOutput.isBayerRAWPixelFormat(formats[0]))
    camera.output.isAppleProRAWEnabled = camera.output.isAppleProRAWSupported
    #expect(
      camera.output.availableRawPhotoPixelFormatTypes
        == formats + [CapturePhotoOutput.appleProRAWPixelFormat])
    #expect(camera.output.maxPhotoDimensions == VideoDimensions(width: 640, height: 480))
    try await camera.session.start()
    camera.output.isAppleProRAWEnabled = false
    #expect(camera.output.isAppleProRAWEnabled, "the setting is fixed once the session runs")
    await camera.session.stop()
  }

  @Test(arguments: [
    PixelFormat.rggb8, .bggr10, .gbrg10p, .grbg12, .rggb12p, .bggr14, .gbrg14p, .rggb16,
  ])
  func a_bayer_photo_contains_the_sensors_samples(format: PixelFormat) async throws {
    let camera = try Camera("?pace=none", format: format)
    try await camera.session.start()
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let photos = try await camera.output.capturePhoto(
      with: CapturePhotoSettings(rawPixelFormatType: raw))
    await camera.session.stop()
    let photo = try #require(photos.first)
    #expect(photos.count == 1 && photo.isRawPhoto && photo.resolvedSettings.warnings.isEmpty)
    let file = try DNGFile(photo.fileDataRepresentation())
    #expect(try file.verifyDigest() == true)
    let pixels = try file.decodePixels(of: file.rawImage())
    // The frame's number is unknown: only the noise of its seed matches.
    let driver = try #require(SyntheticSensorDriver() as SyntheticSensorDriver?)
    let scene = SyntheticScene(width: 640, height: 480)
    let found = (0..<64).contains { index in
      driver.sensor(for: format).expose(
        scene, photo.exposure, width: 640, height: 480, seed: UInt64(1 + index))
        == pixels.samples
    }
    #expect(found)
  }

  @Test func a_bracket_of_three_with_companions_gives_six_photos() async throws {
    let camera = try Camera("?pace=none")
    try await camera.session.start()
    let before = try #require(try camera.device.sensorControl?.exposure())
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let settings = CapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: .init(codec: .jpeg),
      bracketedSettings: [-2, 0, 2].map { .autoExposure(exposureTargetBias: $0) })
    let photos = try await camera.output.capturePhoto(with: settings)
    await camera.session.stop()
    #expect(photos.map(\.photoCount) == [1, 2, 3, 4, 5, 6])
    #expect(photos.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 6 })
    #expect(photos.map(\.isRawPhoto) == [true, false, true, false, true, false])
    #expect(photos.map(\.sequenceCount) == [1, 1, 2, 2, 3, 3])
    let times = photos.filter(\.isRawPhoto).map { $0.exposure.duration / before.duration }
    #expect(times == [0.25, 1, 4])
    #expect(try camera.device.sensorControl?.exposure() == before)
    let summary = try DNGSummary(DNGFile(photos[4].fileDataRepresentation()))
    #expect(summary.exposureBias == 2)
  }

  @Test func invalid_photo_settings_are_refused_with_their_error_codes() async throws {
    let camera = try Camera("?pace=none", proRAW: true)
    let output = camera.output
    let bayer = output.availableRawPhotoPixelFormatTypes[0]
    let proRAW = CapturePhotoOutput.appleProRAWPixelFormat
    #expect(
      await code {
        _ = try await output.capturePhoto(with: CapturePhotoSettings(rawPixelFormatType: bayer))
      } == .notRunning)
    try await camera.session.start()
    let settings = CapturePhotoSettings(rawPixelFormatType: bayer)
    _ = try await output.capturePhoto(with: settings)
    #expect(await code { _ = try await output.capturePhoto(with: settings) } == .settingsReused)
    _ = try await output.capturePhoto(with: CapturePhotoSettings(from: settings))
    var slow = CapturePhotoSettings(rawPixelFormatType: bayer)
    slow.photoQualityPrioritization = .balanced
    #expect(await code { _ = try await output.capturePhoto(with: slow) } == .qualityUnavailable)
    var best = CapturePhotoSettings(rawPixelFormatType: proRAW)
    best.photoQualityPrioritization = .quality
    #expect(await code { _ = try await output.capturePhoto(with: best) } == .qualityUnavailable)
    #expect(
      await code {
        _ = try await output.capturePhoto(with: CapturePhotoSettings(rawPixelFormatType: "BYR2"))
      } == .formatUnavailable)
    let long = CapturePhotoSettings(
      rawPixelFormatType: bayer, processedFormat: nil,
      bracketedSettings: [CaptureBracketedStillImageSettings](
        repeating: .autoExposure(exposureTargetBias: 0), count: 10))
    #expect(await code { _ = try await output.capturePhoto(with: long) } == .invalidBracket)
    let far = CapturePhotoSettings(
      rawPixelFormatType: bayer, processedFormat: nil,
      bracketedSettings: [.manualExposure(SensorExposure(duration: 60))])
    #expect(await code { _ = try await output.capturePhoto(with: far) } == .invalidBracket)
    await camera.session.stop()
  }

  @Test func a_proraw_photo_is_merged_and_its_file_follows_the_customizer() async throws {
    let camera = try Camera("?pace=none&shake=3", proRAW: true)
    try await camera.session.start()
    var settings = CapturePhotoSettings(
      rawPixelFormatType: CapturePhotoOutput.appleProRAWPixelFormat,
      processedFormat: .init(codec: .hevc, bitDepth: 10))
    settings.rawEmbeddedThumbnailPhotoFormat = .init(
      dimensions: VideoDimensions(width: 9999, height: 9999))
    settings.previewMaximumSide = 160
    let photos = try await camera.output.capturePhoto(with: settings)
    await camera.session.stop()
    #expect(photos.count == 2)
    let photo = photos[0]
    #expect(photo.isAppleProRAW && photo.previewPixelBuffer?.width == 160)
    #expect(photo.resolvedSettings.exposures.count == 3)
    let file = try DNGFile(photo.fileDataRepresentation())
    let summary = try DNGSummary(file)
    #expect(summary.kind == "linear" && summary.hasGainMap && summary.isDigestValid == true)
    #expect(summary.baselineExposure == 2)
    let preview = try #require(summary.pictures.first { $0.role == .preview })
    #expect(preview.width == 637 && preview.height == 478)
    struct Ten: CapturePhotoFileDataRepresentationCustomizer {
      var quality = 1.0
      func replacementAppleProRAWCompressionSettings(
        for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings,
        maximumBitDepth: Int
      ) -> AppleProRAWCompressionSettings {
        var settings = defaultSettings
        settings.bitDepth = maximumBitDepth - 2
        settings.quality = quality
        return settings
      }
    }
    let ten = try DNGFile(photo.fileDataRepresentation(with: Ten())).rawImage()
    #expect(ten.bitDepth == 10 && ten.compression == .jpeg)
    let lossy = try DNGFile(photo.fileDataRepresentation(with: Ten(quality: 0.8))).rawImage()
    #expect(lossy.bitDepth == 8 && lossy.compression == .lossyJPEG)
    let heic = try photos[1].fileDataRepresentation()
    #expect(String(decoding: heic[4..<8], as: UTF8.self) == "ftyp")
    // sRGB in the codes of ISO/IEC 23091-2: primaries 1, transfer 13, matrix 6, full range.
    let color = try #require(heic.firstRange(of: Array("colrnclx".utf8)))
    #expect(Array(heic[color.upperBound...].prefix(7)) == [0, 1, 0, 13, 0, 6, 0x80])
  }

  /// Records the calls.
  private final class Witness: CapturePhotoCaptureDelegate {
    let events = Mutex<[String]>([])
    let finished = DispatchSemaphore(value: 0)

    func photoOutput(
      _ output: CapturePhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings
    ) { events.withLock { $0.append("begin") } }
    func photoOutput(
      _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings
    ) { events.withLock { $0.append("captured") } }
    func photoOutput(_ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto) {
      events.withLock { $0.append("photo \(photo.photoCount)") }
    }
    func photoOutput(
      _ output: CapturePhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings,
      error: RawPhotoError?
    ) {
      events.withLock { $0.append("end \(error?.code.name ?? "well")") }
      finished.signal()
    }
    func wait() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          self.finished.wait()
          continuation.resume()
        }
      }
    }
  }

  @Test func a_delegate_receives_all_events_in_order() async throws {
    let camera = try Camera("?pace=none")
    try await camera.session.start()
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let witness = Witness()
    try camera.output.capturePhoto(
      with: CapturePhotoSettings(rawPixelFormatType: raw, processedFormat: .init(codec: .jpeg)),
      delegate: witness)
    await witness.wait()
    await camera.session.stop()
    #expect(
      witness.events.withLock { $0 } == ["begin", "captured", "photo 1", "photo 2", "end well"])
  }

  @Test func short_frames_are_skipped_and_a_lost_device_is_an_error() async throws {
    let short = try Camera("?pace=none&short=0")
    try await short.session.start()
    let raw = try #require(short.output.availableRawPhotoPixelFormatTypes.first)
    let photos = try await short.output.capturePhoto(
      with: CapturePhotoSettings(rawPixelFormatType: raw))
    #expect(photos.count == 1)
    await short.session.stop()
    for (option, expected) in [
      ("format=7", RawPhotoError.Code.formatChanged), ("unplug=7", .deviceFailed),
    ] {
      let camera = try Camera("?\(option)")
      // Slow frames: the capture begins long before the fault.
      try camera.device.setExposureModeCustom(SensorExposure(duration: 0.25))
      try await camera.session.start()
      let bracket = CapturePhotoSettings(
        rawPixelFormatType: raw, processedFormat: nil,
        bracketedSettings: (0..<9).map { .autoExposure(exposureTargetBias: Double($0) / 20) })
      let found = await code { _ = try await camera.output.capturePhoto(with: bracket) }
      #expect(found == expected)
      await camera.session.stop()
    }
  }

  @Test func a_photo_is_written_whole_and_replaces_files_only_if_allowed() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("photo.dng").path
    // Left by a process with the same number, such as the first one in another container.
    let left = "photo.dng.\(getpid()).unfinished"
    try folder.write([9], left)
    try PhotoFile.write([1, 2, 3], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    // An existing file stays unless it is to be replaced.
    let error = #expect(throws: RawPhotoError.self) {
      try PhotoFile.write([4], to: path, replacing: false)
    }
    #expect(error?.errno == .fileExists)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    try PhotoFile.write([5], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([5]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["photo.dng", left])
  }

  @Test func a_calibration_file_is_read_and_its_errors_are_named() throws {
    let good = """
      model = "Example Camera 1"
      bit-depth = 12
      black-level = 64
      white-level = 4000
      noise = [1.0e-4, 6.0e-8]
      [[profile]]
      illuminant = "D65"
      color-matrix = [3.2, -1.5, -0.5, -0.97, 1.88, 0.04, 0.06, -0.2, 1.06]
      """
    let facts = try CalibrationFile.read(text: good, name: "good.toml")
    #expect(facts.blackLevel == [64, 64, 64, 64] && facts.isCalibrated)
    for (old, new, word) in [
      ("bit-depth = 12", "bit-depth = 40", "bit-depth"), ("noise =", "nois =", "nois"),
      ("\"D65\"", "\"D64\"", "illuminant"), ("3.2, ", "", "color-matrix"),
      ("white-level = 4000", "white-level = 9", "white level"),
      ("model = ", "model = = ", "bad.toml:1:"),
    ] {
      do {
        _ = try CalibrationFile.read(text: good.replacing(old, with: new), name: "bad.toml")
        Issue.record("\(new) was accepted")
      } catch {
        #expect(error.code == .invalidCalibration && error.message.contains(word))
      }
    }
  }
}
