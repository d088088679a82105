import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Settings from Camera Raw's XMP, from presets and from options.
@Suite struct DevelopSettingsTests {
  private func settings(_ values: [String: String]) -> CameraRawSettings {
    var packet = XMPDocument()
    for (name, value) in values { packet[.cameraRaw, name] = value }
    return CameraRawSettings(packet)
  }

  @Test func supported_settings_are_read() {
    let read = settings([
      "Exposure2012": "+0.75", "WhiteBalance": "Custom", "Temperature": "4100", "Tint": "-12",
      "Sharpness": "75", "LuminanceSmoothing": "20", "ColorNoiseReduction": "50",
      "Clarity2012": "+30", "Texture": "+40",
    ])
    let adjustment = read.adjustment
    #expect(read.unknown.isEmpty)
    #expect(adjustment[.exposure] == 0.75 && adjustment[.temperature] == 4100)
    #expect(adjustment[.tint] == -12 && adjustment[.sharpness] == 0.5)
    #expect(adjustment[.luminanceNoiseReduction] == 0.2)
    #expect(adjustment[.colorNoiseReduction] == 0.5 && adjustment[.contrast] == 0.3)
    #expect(abs((adjustment[.detail] ?? 0) - 1.2) < 1e-12)
  }

  @Test func as_shot_white_and_neutral_settings_change_nothing() {
    let read = settings([
      "WhiteBalance": "As Shot", "Temperature": "5100", "Tint": "+3", "Dehaze": "0",
      "GrainAmount": "0", "HasCrop": "False", "SharpenRadius": "+1.0", "ProcessVersion": "15.4",
    ])
    #expect(read.adjustment.isEmpty && read.unknown.isEmpty, "\(read.unknown)")
    #expect(settings(["WhiteBalance": "Cloudy"]).adjustment.white?.temperature == 6500)
  }

  @Test func unsupported_settings_are_named_with_their_values() {
    let read = settings([
      "Dehaze": "+10", "Clarity2012": "-20", "HasCrop": "True", "WhiteBalance": "Auto",
      "Exposure2012": "nan", "Saturation": "+200",
    ])
    #expect(read.adjustment.isEmpty)
    #expect(
      Set(read.unknown) == [
        "Dehaze = +10", "Clarity2012 = -20", "HasCrop = True", "WhiteBalance = Auto",
        "Exposure2012 = nan", "Saturation = +200",
      ])
  }

  @Test func unusual_refinements_of_used_settings_are_named() {
    let used = ["Sharpness": "40", "ColorNoiseReduction": "25", "LuminanceSmoothing": "0"]
    let usual = ["SharpenRadius": "+1.0", "SharpenDetail": "25", "ColorNoiseReductionDetail": "50"]
    #expect(settings(used.merging(usual) { $1 }).unknown.isEmpty)
    let unusual = ["SharpenRadius": "+2.5", "SharpenEdgeMasking": "60"]
    #expect(settings(unusual).unknown.isEmpty)
    let unheard = ["LuminanceNoiseReductionDetail": "90", "CurveRefineSaturation": "30"]
    #expect(
      settings(used.merging(unusual.merging(unheard) { $1 }) { $1 }).unknown == [
        "SharpenRadius = +2.5", "SharpenEdgeMasking = 60",
      ])
  }

  @Test(
    arguments: [
      (["WhiteBalance": "Custom", "Temperature": "5600,0"], ["Temperature = 5600,0"], nil),
      (["WhiteBalance": "Custom", "Temperature": "60000"], ["Temperature = 60000"], nil),
      (["Temperature": "60000", "Tint": "+7"], ["Temperature = 60000", "Tint = +7"], nil),
      (["WhiteBalance": "Custom", "Tint": "+7"], ["Tint = +7"], nil),
      (["Temperature": "5600", "Tint": "abc"], ["Tint = abc"], .init(temperature: 5600)),
      (["Temperature": "5600", "Tint": "400"], ["Tint = 400"], .init(temperature: 5600)),
      (
        ["WhiteBalance": "Flash", "Temperature": "warm"], ["Temperature = warm"],
        .init(temperature: 5500)
      ),
      (
        ["WhiteBalance": "Cloudy", "Tint": "-40"], ["Tint = -40"],
        .init(temperature: 6500, tint: 10)
      ),
      (["WhiteBalance": "Cloudy", "Tint": "+10"], [], .init(temperature: 6500, tint: 10)),
      (
        ["IncrementalTemperature": "+5", "IncrementalTint": "0"], ["IncrementalTemperature = +5"],
        nil
      ),
    ] as [([String: String], Set<String>, DevelopRecipe.White?)])
  func unusable_whites_are_named(
    _ values: [String: String], _ unknown: Set<String>, _ white: DevelopRecipe.White?
  ) {
    let read = settings(values)
    #expect(Set(read.unknown) == unknown && read.adjustment.white == white, "\(read)")
  }

  @Test func unusable_settings_of_other_namespaces_are_named() {
    var packet = XMPDocument()
    packet[.tiff, "Orientation"] = "9"
    for (name, value) in ["Boost": "5", "MoireReduction": "x", "LocalToneMap": "0.5", "New": "1"] {
      packet[.development, name] = value
    }
    let read = CameraRawSettings(packet)
    #expect(
      Set(read.unknown) == ["Orientation = 9", "Boost = 5", "MoireReduction = x", "New = 1"])
    #expect(read.adjustment.names == ["localToneMap"] && read.adjustment[.localToneMap] == 0.5)
  }

  @Test func masks_are_named_with_their_first_properties() throws {
    func unknown(_ inside: String) throws -> [String] {
      CameraRawSettings(
        try XMPDocument(
          Array(
            """
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
             xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/"><r:Description r:about="">
            \(inside)</r:Description></r:RDF>
            """.utf8))
      ).unknown
    }
    let mask = """
      <c:MaskGroupBasedCorrections><r:Seq><r:li><r:Description c:What="Correction"
       c:CorrectionAmount="1" c:LocalExposure2012="0.5"><c:CorrectionMasks><r:Seq>
       <r:li c:What="Mask/Gradient" c:ZeroX="0.1"/></r:Seq></c:CorrectionMasks></r:Description></r:li>
      </r:Seq></c:MaskGroupBasedCorrections>
      """
    #expect(
      try unknown(mask) == [
        "MaskGroupBasedCorrections (What = Correction, CorrectionAmount = 1, "
          + "LocalExposure2012 = 0.5, What = Mask/Gradient, …)"
      ])
    #expect(
      try unknown("<c:RetouchAreas><r:Seq><r:li c:Method=\"heal\"/></r:Seq></c:RetouchAreas>") == [
        "RetouchAreas (Method = heal)"
      ])
    #expect(
      try unknown("<c:Look c:Name=\"Vivid\" c:Amount=\"1\"/>") == [
        "Look (Name = Vivid, Amount = 1)"
      ])
    #expect(
      try unknown("<c:Look><r:Description><c:Group/></r:Description></c:Look>") == ["Look (Group)"])
    // Empty lists, a look without a name, and the straight curve of an older process.
    #expect(
      try unknown(
        """
        <c:RetouchAreas><r:Seq/></c:RetouchAreas><c:Look><r:Description c:Name=""/></c:Look>
        <c:ToneCurve><r:Seq><r:li>0, 0</r:li><r:li>255, 255</r:li></r:Seq></c:ToneCurve>
        """) == [])
    let points = (0..<3000).map { "<r:li>d 0.5 \($0)</r:li>" }.joined()
    let brush = try unknown("<c:Dabs><r:Seq>\(points)</r:Seq></c:Dabs>")
    #expect(brush == ["Dabs (d 0.5 0, d 0.5 1, d 0.5 2, d 0.5 3, …)"])
    // Only in a curve does a point on the straight line mean nothing.
    #expect(try unknown("<c:Dots><r:Seq><r:li>7, 7</r:li></r:Seq></c:Dots>") == ["Dots (7, 7)"])
  }

  @Test(.timeLimit(.minutes(1))) func many_structured_settings_are_read_quickly() throws {
    let settings = (0..<30_000).map { "<c:A\($0)><r:Seq><r:li>1</r:li></r:Seq></c:A\($0)>" }
    let text = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/"><r:Description>\(settings.joined())
      </r:Description></r:RDF>
      """
    let unknown = CameraRawSettings(try XMPDocument(Array(text.utf8))).unknown
    #expect(unknown.count == 30_000 && unknown.last == "A29999 (1)")
  }

  @Test func an_absurdly_large_embedded_packet_is_refused() throws {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.xmp] = .bytes([UInt8](repeating: 0x20, count: (16 << 20) + 1))
    let file = try DNGFile(try TIFFWriter.serialize(root))
    let error = #expect(throws: PhotoDevelopmentError.self) {
      try PhotoSidecar(of: "photo.dng", file, .none)
    }
    #expect(error?.code == .invalidSidecar && error?.message.contains("16 MiB") == true)
  }

  @Test func crops_colors_and_curves_are_read_and_written_back() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description r:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.25" crs:CropRight="0.9" crs:CropBottom="1"
       crs:CropAngle="-1.5" crs:Saturation="-25" crs:Vibrance="+40"><crs:ToneCurvePV2012><r:Seq>
       <r:li>0, 0</r:li><r:li>51, 102</r:li><r:li>255, 255</r:li></r:Seq></crs:ToneCurvePV2012>
       <crs:ToneCurvePV2012Red><r:Seq><r:li>0, 0</r:li><r:li>255, 255</r:li></r:Seq></crs:ToneCurvePV2012Red>
       </r:Description></r:RDF></x:xmpmeta>
      """
    var packet = try XMPDocument(Array(text.utf8))
    let read = CameraRawSettings(packet)
    #expect(read.unknown.isEmpty, "\(read.unknown)")
    let adjustment = read.adjustment
    #expect(adjustment[.saturation] == -0.25 && adjustment[.vibrance] == 0.4)
    #expect(
      adjustment.crop == ImageCrop(left: 0.1, top: 0.25, right: 0.9, bottom: 1, angle: -1.5))
    #expect(adjustment.pointCurves?.all == [[0, 0], [0.2, 0.4], [1, 1]])
    CameraRawSettings.write(adjustment, to: &packet)
    #expect(CameraRawSettings(try XMPDocument(Array(packet.text.utf8))).adjustment == adjustment)
    var other = XMPDocument()
    CameraRawSettings.write(adjustment, to: &other)
    let again = CameraRawSettings(try XMPDocument(Array(other.text.utf8))).adjustment
    #expect(again.crop == adjustment.crop && again.pointCurves?.all == adjustment.pointCurves?.all)
    let data = try JSONEncoder().encode(adjustment)
    #expect(try JSONDecoder().decode(PhotoAdjustment.self, from: data) == adjustment)
  }

  @Test(arguments: [("0.1,0,0.9,0.8", 0), ("0.1,0,0.9,0.8,-1.5", -1.5)])
  func crops_are_parsed_from_text(text: String, angle: Double) {
    #expect(
      ImageCrop(text) == ImageCrop(left: 0.1, top: 0, right: 0.9, bottom: 0.8, angle: angle))
    for wrong in ["0.1,0,0.9", "0.9,0,0.1,1", "a,b,c,d", "0,0,1,2", "0,0,1,1,90"] {
      #expect(ImageCrop(wrong) == nil)
    }
  }

  @Test func already_applied_settings_are_not_applied_again() {
    let read = settings(["AlreadyApplied": "True", "Exposure2012": "+2.00", "Saturation": "+5"])
    #expect(read.adjustment.isEmpty && read.unknown.isEmpty)
  }

  @Test func written_settings_are_read_back() throws {
    var adjustment = PhotoAdjustment()
    adjustment[.exposure] = -1.05
    adjustment.white = .init(temperature: 5600, tint: 5)
    adjustment[.contrast] = 0.25
    adjustment[.sharpness] = 0.5
    adjustment[.colorNoiseReduction] = 0.4
    (adjustment[.boost], adjustment[.localToneMap], adjustment[.moireReduction]) = (0.7, 0.25, 1)
    adjustment.orientation = .right
    adjustment.profile = "Camera Neutral"
    var packet = XMPDocument()
    packet[.cameraRaw, "Exposure"] = "+9"
    CameraRawSettings.write(adjustment, to: &packet)
    #expect(CameraRawSettings(packet).adjustment == adjustment)
    #expect(packet[.cameraRaw, "Exposure2012"] == "-1.05" && packet[.cameraRaw, "Tint"] == "+5")
  }

  @Test func an_adjustment_survives_json_and_stays_within_its_ranges() throws {
    var adjustment = PhotoAdjustment()
    adjustment[.exposure] = 99
    adjustment[.sharpness] = -.infinity
    adjustment[.boost] = .nan
    adjustment.orientation = .left
    #expect(adjustment[.exposure] == 20 && adjustment[.sharpness] == 0 && adjustment[.boost] == 0)
    let data = try JSONEncoder().encode(adjustment)
    #expect(try JSONDecoder().decode(PhotoAdjustment.self, from: data) == adjustment)
  }

  @Test func setting_layers_are_applied_in_order() throws {
    let text = "[light]\nexposure = 1\nwhite = \"4000,+9\"\n[detail]\nstructure = 2\n"
    let preset = try DevelopPreset(text, name: "p", path: "p.toml")
    var options = DevelopOptions()
    options.adjustment[.exposure] = 3
    var sidecar = PhotoAdjustment()
    sidecar[.temperature] = 7000
    let recipe = try DevelopRecipe(options, preset: preset)
    let (used, origins) = recipe.adjustment(sidecar: sidecar)
    #expect(used[.exposure] == 3 && used[.detail] == 2)
    #expect(used[.temperature] == 7000 && used[.tint] == 0, "a tint belongs to its temperature")
    #expect(
      origins == [
        "exposure": .option, "temperature": .sidecar, "tint": .sidecar, "detail": .preset,
      ])
  }

  // MARK: Recipes and names

  @Test func formats_have_suitable_default_depths_and_color_spaces() throws {
    func recipe(_ format: ImageFileFormat, hdr: DevelopRecipe.HighRange? = nil) throws
      -> DevelopRecipe
    {
      var options = DevelopOptions()
      (options.format, options.highRange) = (format, hdr)
      return try DevelopRecipe(options)
    }
    #expect(try recipe(.jpeg).usedColorSpace == .sRGB)
    #expect(try recipe(.heic).usedColorSpace == .displayP3)
    #expect(try recipe(.openEXR).usedColorSpace == .linearRec2020)
    #expect(try recipe(.heic, hdr: .pq).usedColorSpace == .linearRec2020)
    #expect(try recipe(.jpeg, hdr: .gainMap).file.format == .gainMapJPEG)
    #expect(try recipe(.avif).file.bitDepth == 10 && recipe(.tiff).file.bitDepth == 16)
    #expect(throws: PhotoDevelopmentError.self) { try recipe(.jpeg, hdr: .hlg) }
    #expect(throws: PhotoDevelopmentError.self) { try recipe(.tiff, hdr: .gainMap) }
  }

  @Test(
    arguments: [ImageFileFormat.heic, .avif, .jpegXL, .png], [DevelopRecipe.HighRange.pq, .hlg])
  func hdr_curves_allow_only_ten_to_sixteen_bits(
    format: ImageFileFormat, range: DevelopRecipe.HighRange
  ) throws {
    var options = DevelopOptions()
    (options.format, options.highRange) = (format, range)
    for depth in format.bitDepths {
      options.bitDepth = depth
      if (10...16).contains(depth) {
        #expect(try DevelopRecipe(options).file.bitDepth == depth)
      } else {
        let error = #expect(throws: PhotoDevelopmentError.self) { try DevelopRecipe(options) }
        #expect(error?.code == .invalidArgument, "\(String(describing: error))")
        #expect(error?.message.contains("samples of \(depth) bits; choose 1") == true)
      }
    }
    options.highRange = nil
    #expect(try DevelopRecipe(options).file.bitDepth == format.bitDepths.last)
  }

  @Test func settings_useless_for_a_format_are_refused_only_as_options() throws {
    var quality = DevelopOptions()
    (quality.format, quality.quality) = (.tiff, 0.9)
    let lossless = #expect(throws: PhotoDevelopmentError.self) { try DevelopRecipe(quality) }
    #expect(lossless?.code == .invalidArgument && lossless?.message.contains("quality") == true)
    quality.format = .jpeg
    #expect(try DevelopRecipe(quality).file.quality == 0.9)
    for range in [DevelopRecipe.HighRange.pq, .hlg] {
      var color = DevelopOptions()
      (color.format, color.highRange, color.colorSpace) = (.heic, range, .sRGB)
      let error = #expect(throws: PhotoDevelopmentError.self) { try DevelopRecipe(color) }
      #expect(error?.code == .invalidArgument && error?.message.contains("Rec. 2020") == true)
    }
    // A preset may serve several formats.
    let preset = try DevelopPreset(
      "[file]\nformat = \"jpeg\"\nquality = 0.8\nspace = \"srgb\"", name: "p", path: "p.toml")
    var options = DevelopOptions()
    options.format = .png
    #expect(try DevelopRecipe(options, preset: preset).file.format == .png)
    (options.format, options.highRange) = (.heic, .pq)
    #expect(try DevelopRecipe(options, preset: preset).usedColorSpace == .linearRec2020)
  }

  @Test func the_depth_of_a_preset_applies_only_to_its_own_format() throws {
    let preset = try DevelopPreset(
      "[file]\nformat = \"tiff\"\nbit-depth = 32", name: "p", path: "p.toml")
    #expect(try DevelopRecipe(preset: preset).file.bitDepth == 32)
    var options = DevelopOptions()
    options.format = .jpeg
    #expect(try DevelopRecipe(options, preset: preset).file.bitDepth == 8)
    options.format = .tiff
    #expect(try DevelopRecipe(options, preset: preset).file.bitDepth == 32)
    (options.format, options.bitDepth) = (.png, 8)
    #expect(try DevelopRecipe(options, preset: preset).file.bitDepth == 8)
    // An impossible request is still refused.
    let deep = try DevelopPreset("[file]\nbit-depth = 16", name: "p", path: "p.toml")
    #expect(throws: PhotoDevelopmentError.self) { try DevelopRecipe(preset: deep) }
  }

  @Test(
    arguments: [
      (nil, "/in/shot.jpg"), ("/out/", "/out/shot.jpg"),
      ("/out/{number}-{name}", "/out/0007-shot.jpg"),
      ("/out/{date}_{time}_{camera}.jpg", "/out/2023-11-15_001320_Model-1.jpg"),
      ("/out/one.JPEG", "/out/one.JPEG"), ("/out/one.jpeg", "/out/one.jpeg"),
      ("/out/a.b", "/out/a.b.jpg"),
      ("/out/\u{301}{name}", "/out/\u{301}shot.jpg"),
    ] as [(String?, String)])
  func wildcards_in_names_are_replaced(output: String?, path: String) throws {
    var metadata = PhotoMetadata()
    metadata.model = "Model/1"
    metadata.date = Date(timeIntervalSince1970: 1_700_000_000)
    metadata.timeZone = try #require(TimeZone(secondsFromGMT: 7200))
    let name = try ImageName(output)
    #expect(
      name.path(of: "/in/shot.dng", number: 7, metadata: metadata, format: .jpeg) == path)
  }

  @Test(arguments: [
    ("/o/new", "/o/new/shot.jpg"), ("/o/new.jpg", "/o/new.jpg"), ("/o/x-{name}", "/o/x-shot.jpg"),
  ])
  func outputs_of_a_source_folder_go_into_a_folder(output: String, path: String) throws {
    let name = try ImageName(output, isOfFolder: true)
    #expect(
      name.path(of: "/in/shot.dng", number: 7, metadata: PhotoMetadata(), format: .jpeg) == path)
  }

  @Test(arguments: [
    "/o/{nam}", "/o/{name", "/o/name}", "/o/}{", "/o/{camera}/{name}", "/o/{date}/",
    "/{name}/x.jpg",
  ])
  func invalid_wildcards_are_refused(output: String) {
    #expect(throws: PhotoDevelopmentError.self) { try ImageName(output) }
  }
}
