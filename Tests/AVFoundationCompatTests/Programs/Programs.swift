// Programs as people write them for AVFoundation, one for each feature that public recorders were
// found to need, in Apple's names alone. Each checks what it gets, and exits with a nonzero status
// if something is not as promised.
//
//   ported-programs NAME FOLDER     runs one; its files go to the folder
import AVFoundationCompat

@main
enum Programs {
  static let all: [String: @Sendable () async throws -> Void] = [
    "codec-fallback": { try await CodecFallback.run() },
    "output-identity": { try await OutputIdentity.run() },
    "retimed-samples": { try await RetimedSamples.run() },
    "sample-attachments": { try await SampleNotes.run() },
    "format-descriptions": { try await FormatFacts.run() },
    "bgra-fallback": { try await LayoutFallback.run() },
    "connection-setup": { try await ConnectionSetup.run() },
    "observed-properties": { try await ObservedProperties.run() },
    "file-type-fallback": { try await FileTypeFallback.run() },
    "camera-search": { try await CameraSearch.run() },
    "exposure-and-focus": { try await ExposureAndFocus.run() },
    "preview-layer": { try await PreviewLayer.run() },
    "turned-track": { try await TurnedTrack.run() },
    "preset-ladder": { try await PresetLadder.run() },
    "error-handling": { try await ErrorHandling.run() },
    "device-notifications": { try await DeviceNotifications.run() },
    "sound-formats": { try await AudioFormats.run() },
    "settings-assistant": { try await SettingsAssistant.run() },
    "color-spaces": { try await ColorSpaces.run() },
    "cut-and-join": { try await CutAndJoin.run() },
    "rotation-and-library": { try await RotationAndLibrary.run() },
  ]

  static func main() async {
    guard let program = CommandLine.arguments.dropFirst().first.flatMap({ all[$0] }) else {
      print(all.keys.sorted().joined(separator: "\n"))
      exit(2)
    }
    do { try await program() } catch {
      print("threw \(error)")
      exit(1)
    }
  }
}

/// Ends the program unless the condition holds.
func expect(_ condition: Bool, _ what: String, line: Int = #line, file: String = #fileID) {
  guard !condition else { return }
  print("\(file):\(line): \(what)")
  exit(1)
}

/// A file in the program's folder.
func scratchURL(_ name: String) -> URL {
  let folder = CommandLine.arguments.dropFirst(2).first ?? NSTemporaryDirectory()
  return URL(fileURLWithPath: folder).appendingPathComponent(name)
}

extension AVCaptureDevice {
  /// The test pattern, 640x360 in ten bits at 25 frames a second.
  static func testCamera() throws -> AVCaptureDevice {
    guard let device = AVCaptureDevice(uniqueID: "pattern:bars") else {
      throw AVError(.deviceNotConnected)
    }
    let format = device.formats.first { candidate in
      let size = CMVideoFormatDescriptionGetDimensions(candidate.formatDescription)
      return size.width == 640 && size.height == 360
        && CMFormatDescriptionGetMediaSubType(candidate.formatDescription)
          == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
    }
    guard let format else { throw AVError(.formatUnsupported) }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    device.activeFormat = format
    device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 25)
    device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 25)
    return device
  }
}
