import AVFoundationCompat
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ErrorTests {
  @Test func error_codes_match_apples_numbers() {
    // From AVError.h and PHError.h.
    let numbers: [AVError.Code: Int] = [
      .unknown: -11800, .outOfMemory: -11801, .sessionNotRunning: -11803, .diskFull: -11807,
      .deviceWasDisconnected: -11808, .mediaChanged: -11809, .maximumDurationReached: -11810,
      .maximumFileSizeReached: -11811, .deviceNotConnected: -11814,
      .deviceInUseByAnotherApplication: -11815, .sessionWasInterrupted: -11818,
      .fileAlreadyExists: -11823, .fileFormatNotRecognized: -11828, .encoderNotFound: -11834,
      .applicationIsNotAuthorizedToUseDevice: -11852, .unsupportedOutputSettings: -11861,
      .operationNotAllowed: -11862, .unsupportedDeviceActiveFormat: -11873,
    ]
    for (code, number) in numbers { #expect(code.rawValue == number) }
    #expect(PHPhotosError.Code.notEnoughSpace.rawValue == 3305)
    #expect(PHPhotosError.Code.accessUserDenied.rawValue == 3311)
  }

  @Test func an_error_bridges_to_nserror_with_domain_and_code() {
    let error: any Error = AVError(.diskFull)
    let bridged = error as NSError
    #expect(bridged.domain == AVError.errorDomain && bridged.code == -11807)
  }

  @Test func every_code_is_also_named_on_the_error_type() {
    let codes = [
      AVError.deviceAlreadyUsedByAnotherSession, AVError.noDataCaptured,
      AVError.sessionConfigurationChanged, AVError.mediaDiscontinuity, AVError.decodeFailed,
      AVError.recordingAlreadyInProgress, AVError.formatUnsupported, AVError.operationCancelled,
      AVError.unknown, AVError.outOfMemory, AVError.sessionNotRunning, AVError.diskFull,
      AVError.deviceWasDisconnected, AVError.mediaChanged, AVError.maximumDurationReached,
      AVError.maximumFileSizeReached, AVError.deviceNotConnected,
      AVError.deviceInUseByAnotherApplication, AVError.sessionWasInterrupted,
      AVError.invalidSourceMedia, AVError.fileAlreadyExists, AVError.encoderNotFound,
      AVError.applicationIsNotAuthorizedToUseDevice, AVError.unsupportedOutputSettings,
      AVError.operationNotAllowed, AVError.unsupportedDeviceActiveFormat,
      AVError.mediaServicesWereReset, AVError.fileFormatNotRecognized,
      AVError.maximumNumberOfSamplesForFileFormatReached,
      AVError.deviceLockedForConfigurationByAnotherProcess, AVError.exportFailed,
      AVError.fileFailedToParse, AVError.maximumStillImageCaptureRequestsExceeded,
      AVError.contentIsProtected, AVError.noImageAtTime, AVError.decoderNotFound,
      AVError.contentIsNotAuthorized, AVError.applicationIsNotAuthorized,
      AVError.deviceIsNotAvailableInBackground, AVError.operationNotSupportedForAsset,
      AVError.decoderTemporarilyUnavailable, AVError.encoderTemporarilyUnavailable,
      AVError.invalidVideoComposition, AVError.invalidOutputURLPathExtension,
      AVError.screenCaptureFailed, AVError.displayWasDisabled, AVError.torchLevelUnavailable,
      AVError.operationInterrupted, AVError.incompatibleAsset, AVError.failedToLoadMediaData,
      AVError.serverIncorrectlyConfigured, AVError.failedToParse, AVError.undecodableMediaData,
      AVError.contentIsUnavailable, AVError.malformedDepth, AVError.noSourceTrack,
      AVError.operationNotSupportedForPreset, AVError.sessionHardwareCostOverage,
      AVError.incorrectlyConfigured, AVError.compositionTrackSegmentsNotContiguous,
      AVError.invalidCompositionTrackSegmentDuration,
      AVError.invalidCompositionTrackSegmentSourceStartTime,
      AVError.invalidCompositionTrackSegmentSourceDuration,
    ]
    #expect(Set(codes) == Set(AVError.Code.allCases))
    for code in codes { #expect(AVError(code).errorCode == code.rawValue) }
  }

  /// The names after periods in code, except in comments. Regular expressions would take seconds.
  private static func members(_ code: [UInt8]) -> Set<String> {
    var members: Set<String> = []
    var index = 0
    while index < code.count {
      let byte = code[index]
      index += 1
      if byte == UInt8(ascii: "/"), index < code.count, code[index] == byte {
        while index < code.count, code[index] != UInt8(ascii: "\n") { index += 1 }
      }
      guard byte == UInt8(ascii: ".") else { continue }
      let first = index
      while index < code.count, isInName(code[index]) { index += 1 }
      if index > first { members.insert(String(decoding: code[first..<index], as: UTF8.self)) }
    }
    return members
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  /// If a code never occurs here, its documentation says so and no other source names it.
  @Test func codes_that_are_never_thrown_are_documented_as_absent() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources/AVFoundationCompat")
      .standardized
    let own = "Errors/AVError+Code.swift"
    let all = try #require(FileManager.default.enumerator(atPath: sources.path))
    let others = all.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && $0 != own && $0 != "Errors/PHPhotosError.swift"
    }
    var members: Set<String> = []
    for file in others {
      let code = try Data(contentsOf: sources.appending(path: file))
      members.formUnion(Self.members([UInt8](code)))
    }
    let list = try String(contentsOf: sources.appending(path: own), encoding: .utf8)
    let entry = try Regex("((?: *///[^\n]*\n)*) *case (\\w+) = -")
    var count = 0
    for match in list.matches(of: entry) {
      let name = String(match.output[2].substring ?? "")
      let isAbsent = match.output[1].substring?.contains("Does not occur here") == true
      let isThrown = members.contains(name)
      #expect(isThrown != isAbsent, "\(name)")
      count += 1
    }
    #expect(count == AVError.Code.allCases.count)
  }

  @Test func an_error_has_apples_domain_number_and_keys() throws {
    let error = AVError(
      CaptureError(.diskFull, "no room", errno: .noSpace, recordingSuccessfullyFinished: true))
    #expect(AVError.errorDomain == AVFoundationErrorDomain && error.errorCode == -11807)
    #expect(error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true)
    #expect(error.recordingSuccessfullyFinished == true)
    #expect(error.localizedDescription == "no room")
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == NSPOSIXErrorDomain && underlying.code == 28)
  }

  @Test func package_errors_are_caught_by_apples_names() {
    func caught(_ error: any Error) -> String {
      do { throw error } catch let error as AVError where error.code == .diskFull {
        return "disk"
      } catch AVError.maximumDurationReached {
        return "duration"
      } catch AVError.fileAlreadyExists {
        return "exists"
      } catch PHPhotosError.notEnoughSpace {
        return "space"
      } catch { return "other" }
    }
    #expect(caught(AVError(AssetWriterError(.diskFull, ""))) == "disk")
    #expect(caught(CaptureError(.maximumDurationReached, "")) == "duration")
    #expect(caught(AssetWriterError(.fileExists, "")) == "exists")
    #expect(caught(MediaLibraryError(.diskFull, "")) == "space")
    #expect(caught(CaptureError(.deviceFailed, "")) == "other")
    #expect(
      AVError(AssetWriterError(.fileFailed, "", errno: .fileTooLarge)).code
        == .maximumFileSizeReached)
    #expect(AVError(CancellationError()).code == .unknown)
    #expect(AVError(RawPhotoError(.notRunning, "")).code == .sessionNotRunning)
    #expect(AVError(MediaCoreError(.outOfMemory, "")).code == .outOfMemory)
  }

  @Test func methods_that_throw_on_apple_throw_averror() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("camera.y4m")
    let frame = Data("FRAME\n".utf8) + Data(repeating: 128, count: 64 * 64 * 3 / 2)
    try (Data("YUV4MPEG2 W64 H64 F25:1 Ip C420\n".utf8) + frame).write(to: file)
    let device = try #require(AVCaptureDevice(uniqueID: "file:\(file.path)"))
    try device.lockForConfiguration()
    device.unlockForConfiguration()
    try FileManager.default.removeItem(at: file)
    do {
      try device.lockForConfiguration()
      Issue.record("a lost device was locked")
    } catch let error as AVError where error.code == .deviceWasDisconnected {
    }
    #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: device) }
    let website = try #require(URL(string: "https://example.org/a.mov"))
    #expect(throws: AVError.self) { try AVAssetWriter(outputURL: website, fileType: .mov) }
  }

  @Test func recording_limits_and_existing_files_have_error_codes() async throws {
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    rig.output.maxRecordedDuration = CMTime(value: 1, timescale: 5)
    rig.session.startRunning()
    defer { rig.session.stopRunning() }
    let url = folder.url("take.mov")
    let limit = await RecordingListener().record(rig.output, to: url) as? AVError
    #expect(limit?.code == .maximumDurationReached && limit?.recordingSuccessfullyFinished == true)
    let taken = await RecordingListener().record(rig.output, to: url) as? AVError
    #expect(taken?.code == .fileAlreadyExists && taken?.recordingSuccessfullyFinished == false)
    rig.output.minFreeDiskSpaceLimit = .max
    let full = await RecordingListener().record(rig.output, to: folder.url("b.mov")) as? AVError
    #expect(full?.code == .diskFull)
  }
}
