import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import PhotoDevelopment

/// XMP that is written beside a photo, or kept with it, has the same effect when it is read again.
@Suite struct WrittenSidecarTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: (0..<64 * 48).map { 900 + UInt16($0 % 64) })
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
      ).dngFileData(), "a.dng")
  }

  private static func packet(_ attributes: String) -> String {
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
      + "xmlns:crs='http://ns.adobe.com/camera-raw-settings/1.0/' "
      + "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' "
      + "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='5' \(attributes)>"
      + "<dc:subject xmlns:dc='http://purl.org/dc/elements/1.1/'><rdf:Bag><rdf:li>sea</rdf:li>"
      + "</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"
  }

  private func develop(
    exposure: Double? = nil, reads: Bool = true, writes: Bool = false, keeps: Bool = false
  ) throws -> DevelopedPhoto {
    var options = DevelopOptions()
    options.format = .png
    options.adjustment[.exposure] = exposure
    var recipe = try DevelopRecipe(options)
    (recipe.readsSidecars, recipe.writesSidecars) = (reads, writes)
    var batch = try DevelopBatch(
      sources: [folder.path("a.dng")], recipe: recipe, name: ImageName(nil))
    (batch.replacesFiles, batch.makesPackets) = (true, keeps)
    let photo = try #require(batch.run().first)
    #expect(photo.status == .developed, "\(photo)")
    return photo
  }

  /// The sidecar of a finished image, whose settings must not be applied.
  @Test(arguments: [true, false])
  func settings_written_over_applied_ones_take_effect(reads: Bool) throws {
    try folder.write(
      Self.packet(
        "crs:AlreadyApplied='True' crs:Exposure2012='+3.00' crs:Texture='+50' crs:Dehaze='+9' "
          + "tiff:Orientation='6'"), "a.xmp")
    let first = try develop(exposure: 0.5, reads: reads, writes: true)
    let again = try develop()
    #expect(again.settings == first.settings && again.settings?[.exposure] == 0.5)
    #expect(again.width == first.width && again.notes.isEmpty, "\(again.notes)")
    let text = try String(contentsOf: folder.url("a.xmp"), encoding: .utf8)
    for part in ["AlreadyApplied", "Dehaze", "Texture", "Orientation"] {
      #expect(!text.contains(part), "\(text)")
    }
    for part in ["Rating=\"5\"", "<rdf:li>sea</rdf:li>"] { #expect(text.contains(part), "\(text)") }
  }

  /// What was left out stays for programs that understand it.
  @Test func unusable_settings_survive_writing() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description r:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       crs:Temperature="5600" crs:Tint="+400"><crs:ToneCurvePV2012><r:Seq>
       <r:li>0, 0</r:li><r:li>51, 102</r:li><r:li>255, 255</r:li></r:Seq></crs:ToneCurvePV2012>
       <crs:ToneCurvePV2012Red><r:Seq><r:li>90, 0</r:li><r:li>30, 255</r:li></r:Seq></crs:ToneCurvePV2012Red>
       <crs:ToneCurvePV2012Blue><r:Seq><r:li>0, 9</r:li><r:li>255, 255</r:li></r:Seq></crs:ToneCurvePV2012Blue>
       </r:Description></r:RDF></x:xmpmeta>
      """
    var packet = try XMPDocument(Array(text.utf8))
    let unknown = CameraRawSettings(packet).unknown
    var adjustment = CameraRawSettings(packet).adjustment
    #expect(unknown.count == 2 && adjustment.white?.tint == 0, "\(unknown)")
    adjustment.pointCurves?.blue = []
    CameraRawSettings.write(adjustment, to: &packet)
    #expect(packet.parts(.cameraRaw, "ToneCurvePV2012Red") == ["90, 0", "30, 255"])
    #expect(packet[.cameraRaw, "Tint"] == "+400")
    let again = CameraRawSettings(packet)
    #expect(again.adjustment == adjustment && again.unknown == unknown, "\(again.unknown)")
    // A requested setting replaces them, as it replaces those that could be used.
    #expect(packet.parts(.cameraRaw, "ToneCurvePV2012Blue") == ["0, 0", "255, 255"])
    adjustment.white?.tint = 7
    adjustment.pointCurves?.red = [[0, 0], [1, 0.8]]
    CameraRawSettings.write(adjustment, to: &packet)
    #expect(CameraRawSettings(packet).unknown.isEmpty)
  }

  @Test func a_kept_packet_has_the_used_settings_and_earlier_metadata() throws {
    try folder.write(Self.packet("crs:Exposure2012='+2.00' crs:Dehaze='+9'"), "a.xmp")
    let kept = try develop(exposure: 0.5, keeps: true)
    let packet = try XMPDocument(Array(try #require(kept.packet).utf8))
    #expect(CameraRawSettings(packet).adjustment[.exposure] == 0.5)
    #expect(packet[.cameraRaw, "Dehaze"] == "+9" && packet[.basic, "Rating"] == "5")
    #expect(packet.text.contains("<rdf:li>sea</rdf:li>"))
    // If the settings are not read, the kept packet lacks them too.
    let without = try develop(reads: false, keeps: true)
    let plain = try XMPDocument(Array(try #require(without.packet).utf8))
    #expect(CameraRawSettings(plain).adjustment.isEmpty && plain[.cameraRaw, "Dehaze"] == nil)
    #expect(plain[.basic, "Rating"] == "5")
    #expect(try develop(exposure: 1).packet == nil)
    let json = try #require(String(bytes: JSONEncoder().encode(kept), encoding: .utf8))
    #expect(!json.contains("packet") && json.contains("\"settings\""))
  }

  @Test func a_packet_is_kept_despite_broken_unread_xmp() throws {
    try folder.write("<x:xmpmeta", "a.xmp")
    let packet = try #require(try develop(exposure: 0.5, reads: false, keeps: true).packet)
    #expect(CameraRawSettings(try XMPDocument(Array(packet.utf8))).adjustment[.exposure] == 0.5)
  }

  // MARK: Sidecars of other files

  /// Cameras give a raw photo and its DNG file the same name.
  @Test func a_sidecar_for_another_extension_is_kept_and_reported() throws {
    let other =
      "xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' photoshop:SidecarForExtension='CR3' "
      + "crs:Exposure2012='+2.00'"
    try folder.write(Self.packet(other), "a.xmp")
    let before = try folder.bytes("a.xmp")
    let first = try develop(exposure: 0.5, writes: true)
    #expect(first.sidecar == folder.path("a.dng.xmp") && first.settings?[.exposure] == 0.5)
    #expect(first.notes.map(\.kind) == [.settingsOmitted], "\(first.notes)")
    #expect(first.notes.first?.message.contains("ending in .CR3") == true, "\(first.notes)")
    #expect(try folder.bytes("a.xmp") == before)
    // The written sidecar belongs to the photo.
    let again = try develop()
    #expect(again.settings?[.exposure] == 0.5 && again.sidecar == folder.path("a.dng.xmp"))
    let sheet = try ContactSheet(title: "", sources: [folder.path("a.dng")])
    #expect(sheet.tiles.first?.notes.map(\.message) == first.notes.map(\.message))
    #expect(try develop(reads: false).notes.isEmpty)
  }

  @Test(arguments: ["DNG", "dng", ""])
  func a_sidecar_for_the_extension_of_the_photo_is_used(ending: String) throws {
    try folder.write(
      Self.packet(
        "xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' "
          + "photoshop:SidecarForExtension='\(ending)' crs:Exposure2012='+2.00'"), "a.xmp")
    let photo = try develop()
    #expect(photo.settings?[.exposure] == 2 && photo.notes.isEmpty, "\(photo)")
  }

  @Test func a_new_sidecar_names_the_extension_of_its_photo() throws {
    #expect(try develop(exposure: 0.5, writes: true).sidecar == folder.path("a.xmp"))
    let text = try String(contentsOf: folder.url("a.xmp"), encoding: .utf8)
    #expect(text.contains("photoshop:SidecarForExtension=\"dng\""), "\(text)")
    #expect(try develop().settings?[.exposure] == 0.5)
  }

  @Test func writing_preserves_links_and_permissions() throws {
    _ = try folder.makeFolder("elsewhere")
    let target = try folder.write(Self.packet("crs:Exposure2012='+2.00'"), "elsewhere/b.xmp")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
    try files.createSymbolicLink(
      atPath: folder.path("a.xmp"), withDestinationPath: "elsewhere/b.xmp")
    _ = try develop(exposure: 0.5, writes: true)
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path("a.xmp")) == "elsewhere/b.xmp")
    #expect(try String(contentsOf: target, encoding: .utf8).contains("+0.50"))
    let mode = try files.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  private func batch(of source: String, to output: String) throws -> DevelopBatch {
    var options = DevelopOptions()
    options.format = .png
    options.adjustment[.exposure] = 0.5
    var recipe = try DevelopRecipe(options)
    recipe.writesSidecars = true
    return try DevelopBatch(sources: [source], recipe: recipe, name: ImageName(output))
  }

  /// If the run were killed in between, a later run would skip the existing image, and its settings would be
  /// lost.
  @Test func a_sidecar_is_written_before_its_image_is_renamed() throws {
    let image = folder.url("a.png")
    let path = folder.url.path
    let batch = try batch(of: folder.path("a.dng"), to: image.path)
    let photo = try #require(
      batch.run(isCanceled: {
        // While the image is written under a temporary name, another program takes its final one.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if names.count > 1 { try? Data([1]).write(to: image) }
        return false
      }).first)
    #expect(photo.status == .failed && photo.sidecar == folder.path("a.xmp"), "\(photo)")
    #expect(try Data(contentsOf: image) == Data([1]))
    #expect(try String(contentsOf: folder.url("a.xmp"), encoding: .utf8).contains("+0.50"))
  }

  @Test func no_image_is_written_without_its_sidecar() throws {
    // With the ending of an unfinished file, the sidecar's name exceeds the limit of names.
    let name = String(repeating: "x", count: 245)
    try FileManager.default.moveItem(at: folder.url("a.dng"), to: folder.url(name + ".dng"))
    let output = try folder.makeFolder("out")
    let photo = try #require(
      batch(of: folder.path(name + ".dng"), to: output.path + "/a.png").run().first)
    #expect(photo.status == .failed, "\(photo)")
    #expect(photo.error?.message.contains(".xmp could not be written") == true, "\(photo)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).isEmpty)
  }

  @Test(arguments: 0...5) func utf16_sidecars_are_read(padding: Int) throws {
    let text = Self.packet("crs:Exposure2012='+2.00'")
    let codes = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let zeros = [UInt8](repeating: 0, count: padding)
    let swapped = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [[0xFF, 0xFE] + codes + zeros, [0xFE, 0xFF] + swapped + zeros] {
      #expect(try XMPDocument(bytes)[.cameraRaw, "Exposure2012"] == "+2.00")
    }
  }

  @Test func existing_outputs_are_found_before_developing() throws {
    func batch(_ name: String?) throws -> DevelopBatch {
      try DevelopBatch(
        sources: [folder.path("b.dng"), folder.path("a.dng")], recipe: DevelopRecipe(),
        name: ImageName(name))
    }
    #expect(try batch(nil).presentPath == nil)
    try folder.write([1], "a.jpg")
    #expect(try batch(nil).presentPath == folder.path("a.jpg"))
    #expect(try batch(folder.path("{number}-{name}")).presentPath == nil)
  }
}
