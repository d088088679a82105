import CVideo4Linux
import MediaCore
import QuickTime

extension V4L2Handle {
  /// The HDR10 metadata that an HDMI receiver got from the source. Only PQ has them: with other
  /// signals a driver may still hold those of an earlier one.
  ///
  /// - Throws: `CaptureError` where the device is gone.
  func highRangeMetadata(of color: ColorDescription) throws(CaptureError) -> CaptureStreamMetadata {
    var metadata = CaptureStreamMetadata()
    guard color.transferFunction == .pq else { return metadata }
    metadata.masteringDisplay = try structure(
      ofControl: CV4L2_CID_HDR10_MASTERING_DISPLAY, v4l2_ctrl_hdr10_mastering_display()
    ).flatMap(MasteringDisplayColorVolume.init)
    metadata.contentLightLevel = try structure(
      ofControl: CV4L2_CID_HDR10_CLL_INFO, v4l2_ctrl_hdr10_cll_info()
    ).flatMap(ContentLightLevel.init)
    return metadata
  }

  /// The value of a control that is a structure; nil where the device has no such control.
  private func structure<Value: BitwiseCopyable>(
    ofControl id: UInt32, _ empty: Value
  ) throws(CaptureError) -> Value? {
    var value = empty
    let isThere = try withUnsafeMutableBytes(of: &value) { bytes throws(CaptureError) in
      var control = v4l2_ext_control()
      control.id = id
      control.size = UInt32(bytes.count)
      control.ptr = bytes.baseAddress
      return try withUnsafeMutablePointer(to: &control) { pointer throws(CaptureError) in
        var list = v4l2_ext_controls()
        list.count = 1
        list.controls = pointer
        return try ask(.getControls, list) != nil
      }
    }
    return isThere ? value : nil
  }
}

extension MasteringDisplayColorVolume {
  /// The kernel's form of SMPTE ST 2086, in the same units. Nil if it is empty or impossible.
  ///
  /// The primaries are in no fixed order. CTA-861 identifies them by their coordinates: red has the largest x, green
  /// the largest y.
  init?(_ raw: v4l2_ctrl_hdr10_mastering_display) {
    let (x, y) = (raw.display_primaries_x, raw.display_primaries_y)
    var primaries = [
      Chromaticity(x: x.0, y: y.0), Chromaticity(x: x.1, y: y.1), Chromaticity(x: x.2, y: y.2),
    ]
    let white = Chromaticity(x: raw.white_point_x, y: raw.white_point_y)
    guard (primaries + [white]).allSatisfy({ 1...50_000 ~= $0.x && 1...50_000 ~= $0.y }),
      raw.max_display_mastering_luminance > raw.min_display_mastering_luminance
    else { return nil }
    primaries.sort { $0.x > $1.x }
    let red = primaries.removeFirst()
    primaries.sort { $0.y > $1.y }
    self.init(
      red: red, green: primaries[0], blue: primaries[1], white: white,
      maximumLuminance: raw.max_display_mastering_luminance,
      minimumLuminance: raw.min_display_mastering_luminance)
  }
}

extension ContentLightLevel {
  /// The kernel's form of CTA-861.3. Nil where nothing is said.
  init?(_ raw: v4l2_ctrl_hdr10_cll_info) {
    guard raw.max_content_light_level != 0 || raw.max_pic_average_light_level != 0 else {
      return nil
    }
    self.init(
      maximum: raw.max_content_light_level, maximumFrameAverage: raw.max_pic_average_light_level)
  }
}
