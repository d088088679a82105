import CVideo4Linux
import MediaCore
import QuickTime
import Testing

@testable import CaptureDevices

/// HDR10 metadata that a receiver reads from its signal.
@Suite struct V4L2HighRangeTests {
  /// A P3 display of 1,000 cd/m²; primaries in the order of the kernel's documentation.
  private static let display = v4l2_ctrl_hdr10_mastering_display(
    display_primaries_x: (13_250, 7_500, 34_000), display_primaries_y: (34_500, 3_000, 16_000),
    white_point_x: 15_635, white_point_y: 16_450, max_display_mastering_luminance: 10_000_000,
    min_display_mastering_luminance: 50)
  private static let light = v4l2_ctrl_hdr10_cll_info(
    max_content_light_level: 1000, max_pic_average_light_level: 400)

  private func metadata(
    _ display: v4l2_ctrl_hdr10_mastering_display? = display,
    _ light: v4l2_ctrl_hdr10_cll_info? = light, transfer: v4l2_xfer_func = V4L2_XFER_FUNC_SMPTE2084
  ) throws -> CaptureStreamMetadata {
    var device = FakeDevice()
    device.colorspace = V4L2_COLORSPACE_BT2020
    device.transferFunction = transfer
    if let display {
      device.structures[0x00A5_0901] = withUnsafeBytes(of: display) { Array($0) }
    }
    if let light { device.structures[0x00A5_0900] = withUnsafeBytes(of: light) { Array($0) } }
    let driver = try V4L2DeviceDriver(
      identifier: "/dev/video0", calls: FakeKernel(["/dev/video0": device]))
    let format = try #require(try driver.formats().first)
    let stream = try driver.openStream(CaptureStreamRequest(format: format))
    defer { stream.stop() }
    return stream.metadata
  }

  @Test func a_receivers_hdr_metadata_is_read() throws {
    let metadata = try metadata()
    #expect(
      metadata.masteringDisplay
        == MasteringDisplayColorVolume(
          "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"))
    #expect(
      metadata.contentLightLevel == ContentLightLevel(maximum: 1000, maximumFrameAverage: 400))
  }

  @Test func primaries_are_identified_by_their_coordinates() throws {
    var other = Self.display
    other.display_primaries_x = (34_000, 13_250, 7_500)
    other.display_primaries_y = (16_000, 34_500, 3_000)
    #expect(try metadata(other).masteringDisplay == metadata().masteringDisplay)
  }

  @Test func missing_or_empty_hdr_metadata_is_ignored() throws {
    #expect(try metadata(nil, nil) == CaptureStreamMetadata())
    let empty = try metadata(v4l2_ctrl_hdr10_mastering_display(), v4l2_ctrl_hdr10_cll_info())
    #expect(empty == CaptureStreamMetadata())
  }

  @Test func hdr_metadata_is_ignored_unless_the_signal_is_pq() throws {
    #expect(try metadata(transfer: V4L2_XFER_FUNC_709) == CaptureStreamMetadata())
  }
}
