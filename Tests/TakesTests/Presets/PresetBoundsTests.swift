import CaptureTestSupport
import MediaCore
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct PresetBoundsTests {
  @Test func preset_bounds_determine_size_and_rate() throws {
    let uhd = CaptureDevice.Format.frames(.v210, 3840, 2160, rates: [.fps60, .fps30])
    let hd = CaptureDevice.Format.frames(.v210, 1920, 1080, rates: [.fps60, .fps30])
    let device = CaptureDevice(driver: ScriptedDriver(formats: [uhd, hd]))
    var preset = Preset(name: "bounded")
    preset.video.modes = [
      .init(
        maximumDimensions: VideoDimensions(width: 3840, height: 2160), maximumFrameRate: .fps30),
      .init(
        maximumDimensions: VideoDimensions(width: 1920, height: 1080), maximumFrameRate: .fps60),
    ]
    var criteria = FormatCriteria(preset: preset)
    #expect(try device.findFormat(where: criteria) == hd)
    #expect(criteria.frameRate(for: uhd) == .fps30)
    #expect(criteria.frameRate(for: hd) == .fps60)
    criteria.frameRate = .fps60
    #expect(try device.findFormat(where: criteria) == hd)
    criteria.frameRate = .fps30
    criteria.dimensions = uhd.dimensions
    #expect(try device.findFormat(where: criteria) == uhd)
    criteria.frameRate = .fps60
    let error = #expect(throws: CaptureError.self) { try device.findFormat(where: criteria) }
    #expect(error?.message.contains("its rates are") == true)
  }
}
