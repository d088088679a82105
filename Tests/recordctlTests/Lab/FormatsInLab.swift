import Foundation
import TestSupport
import Testing

/// Devices and formats as the command lists them, and recordings of exact and fallback formats.
extension InLab {
  @Suite struct Formats {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func formats(_ device: String, feeding: String = "") async throws -> [[String: Any]] {
      try #require(
        try await LabGuest.objects("formats", of: "formats \(device)", feeding: feeding))
    }

    private func best(_ device: [String: Any]) -> [String: Any] {
      device["bestFormat"] as? [String: Any] ?? [:]
    }

    @Test func a_camera_shares_its_identity_with_its_microphone()
      async throws
    {
      let script = """
        camera --size 320x240
        feed 10 --fourcc Y210 --size 256x144 --fps 5
        """
      let devices = try #require(
        try await LabGuest.objects("devices", of: "devices", feeding: script))
      let list = Dictionary(grouping: devices) { $0["deviceID"] as? String ?? "" }
      #expect(list.values.allSatisfy { $0.count == 1 }, "\(list.keys)")
      for id in [
        "v4l2:platform:vivid-000", "v4l2:platform:vivid-001", "v4l2:platform:vivid-002",
        "v4l2:platform:v4l2loopback-000", "v4l2:usb-vhci_hcd.0-1", "alsa:usb-vhci_hcd.0-1",
        "alsa:Loopback",
      ] {
        #expect(list[id] != nil, "\(id) among \(list.keys.sorted())")
      }
      let camera = try #require(list["v4l2:usb-vhci_hcd.0-1"]?.first)
      #expect(camera["serial"] as? String == "CAM-7" && best(camera)["tier"] as? Int == 3)
      let loopback = try #require(list["v4l2:platform:v4l2loopback-000"]?.first)
      #expect(best(loopback)["format"] as? String == "Y210 256x144")
      #expect(best(loopback)["frameRate"] as? String == "5" && best(loopback)["tier"] as? Int == 1)
      #expect(list["alsa:usb-vhci_hcd.0-1"]?.first?["mediaTypes"] as? [String] == ["audio"])
    }

    @Test func the_test_drivers_formats_are_listed_with_their_tiers() async throws {
      let list = try await formats("/dev/video0")
      func tiers(_ code: String) -> Set<Int> {
        Set(list.filter { $0["format"] as? String == code }.compactMap { $0["tier"] as? Int })
      }
      #expect(tiers("Y210") == [1] && tiers("P210") == [1])
      #expect(tiers("YUYV") == [3] && tiers("UYVY") == [3] && tiers("NV12") == [5])
      let first = try #require(list.first)
      #expect(first["tier"] as? Int == 1 && first["needsFallback"] as? Bool == false)
      #expect(first["codecs"] as? [String] == ["apco", "apcs", "apcn", "apch"])
    }

    @Test func the_cameras_formats_are_all_fallbacks() async throws {
      let list = try await formats("v4l2:CAM-7", feeding: "camera --size 320x240 --fps 15,5")
      #expect(list.compactMap { $0["format"] as? String } == ["YUYV", "NV12", "MJPG"])
      #expect(list.allSatisfy { $0["needsFallback"] as? Bool == true })
      #expect(list.allSatisfy { $0["frameRates"] as? [String] == ["15", "5"] })
      #expect(list.last?["isEmulated"] as? Bool == true)
      let audio = try await formats("alsa:usb-vhci_hcd.0-1", feeding: "camera --size 320x240")
      #expect(audio.contains { ($0["format"] as? String)?.contains("48000") == true }, "\(audio)")
    }

    @Test(arguments: ["Y210", "v210", "P210", "NV20"])
    func ten_bit_frames_are_recorded_unchanged(_ code: String) async throws {
      let feeder = "feed 10 --fourcc \(code) --size 256x144 --fps 5 --colorspace 709"
      let list = try await formats("/dev/video10", feeding: feeder)
      #expect(list.count == 1 && list.first?["format"] as? String == code)
      #expect(list.first?["tier"] as? Int == 1)

      let take = try await GuestTake(
        code, "--device v4l2:platform:v4l2loopback-000 --audio none --codec hq --duration 8f",
        feeding: feeder)
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      try take.expectValidMovie()
      #expect(try take.count("source.tier") == 1 && take.text("movie.color") == "1-1-1")
      let known = try KnownFrames(feeder: (256, 144), folder: folder)
      let matches = try known.matches(take.file, folder: folder)
      #expect(matches.count == 8)
      // Adjacent frames of the feeder differ by 38 dB.
      #expect(matches.allSatisfy { $0.quality > 45 }, "\(matches)")
      // Each frame is the successor of the one before, or repeats it if the report says so.
      let repeated = Set(try take.frames("repeated"))
      let steps = zip(matches, matches.dropFirst()).map {
        ($1.frame - $0.frame + known.period) % known.period
      }
      for (index, step) in steps.enumerated() where repeated.isEmpty {
        #expect(step == 1, "frame \(index + 1) of \(matches)")
      }
      for frame in repeated where frame > 0 { #expect(steps[frame - 1] == 0, "\(matches)") }
    }

    // MARK: Fallbacks

    @Test func eight_bit_formats_need_permission_and_are_reported() async throws {
      let feeder = "feed 10 --fourcc UYVY --size 256x144 --fps 5 --colorspace 709"
      let options = "--device /dev/video10 --audio none --codec 422 --duration 5f"
      let refused = try await GuestTake("refused", options, feeding: feeder)
      refused.expectRefusal("UYVY", "tier 3", "--allow-fallback", "256x144")
      let take = try await GuestTake("uyvy", options + " --allow-fallback", feeding: feeder)
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      #expect(take.errors.contains("tier 3"))
      try expectHonesty(take, tier: 3, name: "8-bit 4:2:2")
      let known = try KnownFrames(feeder: (256, 144), folder: folder)
      // The low two bits are missing, so quality is limited to that of 8 bits.
      let matches = try known.matches(take.file, folder: folder)
      #expect(matches.allSatisfy { $0.quality > 42 }, "\(matches)")
    }

    @Test func compressed_camera_formats_are_reported_with_their_tier() async throws {
      let camera = "camera --size 320x240 --formats MJPG --fps 5"
      let options =
        "--device v4l2:usb-vhci_hcd.0-1 --audio none --codec proxy --duration 5f"
      try await GuestTake("refused", options, feeding: camera)
        .expectRefusal("MJPG", "tier 5", "--allow-fallback")
      let take = try await GuestTake("mjpg", options + " --allow-fallback", feeding: camera)
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      try expectHonesty(take, tier: 5, name: "8-bit 4:2:0 or compressed")
      let known = try KnownFrames(camera: (320, 240), folder: folder)
      let matches = try known.matches(take.file, folder: folder)
      #expect(matches.allSatisfy { $0.quality > 35 }, "\(matches)")

      let yuyv = "camera --size 320x240 --formats YUYV --fps 5"
      try await GuestTake("refused", options, feeding: yuyv)
        .expectRefusal("YUYV", "tier 3", "--allow-fallback")
    }

    private func expectHonesty(_ take: GuestTake, tier: Int, name: String) throws {
      try take.expectValidMovie()
      #expect(try take.count("source.tier") == tier)
      #expect(try take.text("source.tierName") == name)
      let tags = try Judges.run("ffprobe", ["-v", "error", "-show_format", take.file]).output
      #expect(tags.contains("input.tier=\(tier)") && tags.contains("tier-name=\(name)"), "\(tags)")
    }
  }
}
