import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG

/// Camera profiles in DNG files and in `.dcp` files.
@Suite struct CameraProfileTests {
  private static func directory() -> TIFFDirectory {
    var profile = TIFFDirectory()
    profile[.profileName] = .ascii("Vivid")
    profile[.profileCalibrationSignature] = .ascii("com.example")
    profile[.colorMatrix1] = .signedRationals((0..<9).map { .init(Double($0) / 4) })
    profile[.colorMatrix2] = .signedRationals((0..<9).map { .init(Double($0) / 8) })
    profile[.forwardMatrix1] = .signedRationals((0..<9).map { .init(Double($0) / 2) })
    profile[.calibrationIlluminant1] = .short(17)
    profile[.calibrationIlluminant2] = .short(21)
    profile[.profileHueSatMapDims] = .longs([6, 2, 1])
    profile[.profileHueSatMapData1] = .floats((0..<36).map { Float($0) })
    profile[.profileHueSatMapData2] = .floats((0..<36).map { Float($0) / 2 })
    profile[.profileLookTableDims] = .longs([6, 2, 2])
    profile[.profileLookTableData] = .floats((0..<72).map { Float($0) })
    profile[.profileLookTableEncoding] = .long(1)
    profile[.profileToneCurve] = .floats([0, 0, 0.5, 0.7, 1, 1])
    profile[.baselineExposureOffset] = .signedRationals([.init(-0.25)])
    profile[.defaultBlackRender] = .long(1)
    profile[.rgbTables] = .undefined([1, 2, 3])
    return profile
  }

  /// A `.dcp` file: TIFF with another magic number.
  private static func dcp(_ directory: TIFFDirectory = directory()) throws -> [UInt8] {
    var bytes = try TIFFWriter.serialize(directory)
    (bytes[2], bytes[3]) = (0x52, 0x43)
    return bytes
  }

  @Test(arguments: [false, true])
  func a_profile_file_is_read(isBigEndian: Bool) throws {
    var bytes = try TIFFWriter.serialize(Self.directory())
    if isBigEndian { bytes = StoredForm.swapped(bytes) }
    (bytes[2], bytes[3]) = isBigEndian ? (0x43, 0x52) : (0x52, 0x43)
    let profile = try CameraProfile(dcp: bytes)
    #expect(profile.name == "Vivid" && profile.calibrationSignature == "com.example")
    #expect(profile.calibrations.map(\.illuminant) == [17, 21])
    #expect(profile.calibrations[0].forwardMatrix?[8] == 4)
    #expect(profile.calibrations[1].colorMatrix[4] == 0.5)
    #expect(profile.hueSatMap?.tables.count == 2)
    #expect(profile.hueSatMap?.tables[0][1] == SIMD3(3, 4, 5))
    #expect(profile.lookTable?.valueDivisions == 2 && profile.lookTable?.usesSRGBEncoding == true)
    #expect(profile.toneCurve?[1] == SIMD2(0.5, 0.7))
    #expect(profile.baselineExposureOffset == -0.25 && !profile.rendersBlackByDefault)
    #expect(profile.rgbTables == [1, 2, 3] && profile.isLittleEndian == !isBigEndian)
  }

  @Test func extra_camera_profiles_are_read_from_their_offsets() throws {
    let extra = try Self.dcp()
    var form = StoredForm()
    form.change = { $0[.extraCameraProfiles] = .longs([0]) }
    let plain = try form.file()
    form.change = { $0[.extraCameraProfiles] = .longs([UInt32(plain.count)]) }
    let file = try DNGFile(form.file() + extra)
    let metadata = try file.metadata()
    #expect(metadata.profiles.map(\.name) == ["Assumed", "Vivid"])
    #expect(metadata.white == .neutral([1, 1, 1]))
    let swapped = try DNGFile(StoredForm.swapped(form.file()) + extra).metadata()
    #expect(swapped.profiles.map(\.isLittleEndian) == [false, true])
  }

  @Test func an_unusable_extra_profile_does_not_affect_others() throws {
    var damaged = Self.directory()
    damaged[.colorMatrix1] = .signedRationals([.init(1)])
    let extras = [try Self.dcp(damaged), try Self.dcp()]
    var form = StoredForm()
    form.change = { $0[.extraCameraProfiles] = .longs([0, 0, 0]) }
    let start = UInt32(try form.file().count)
    form.change = {
      $0[.extraCameraProfiles] = .longs([start, start + UInt32(extras[0].count), 1 << 30])
    }
    let file = try DNGFile(form.file() + extras[0] + extras[1])
    let metadata = try file.metadata()
    #expect(metadata.profiles.map(\.name) == ["Assumed", "Vivid"])
    #expect(
      metadata.omittedProfiles == [
        "a further camera profile: a color matrix has 1 numbers, or does not match the others",
        "a further camera profile: it is beyond the file's end",
      ])
    let summary = try DNGSummary(file, verifiesDigest: false)
    #expect(summary.omittedProfileParts == metadata.omittedProfiles)
  }

  @Test func a_third_illuminant_without_a_name_is_left_out() throws {
    var profile = Self.directory()
    profile[.colorMatrix3] = .signedRationals((0..<9).map { .init(Double($0) / 6) })
    let read = try CameraProfile(dcp: Self.dcp(profile))
    #expect(read.calibrations.map(\.illuminant) == [17, 21])
    #expect(read.hueSatMap?.tables.count == 2)
    #expect(read.omissions == ["the third light, which is not named"])
  }

  /// As in Adobe's SDK, which some profiles rely on.
  @Test func hue_tables_without_grays_reuse_the_first_saturation() throws {
    var profile = Self.directory()
    profile[.profileHueSatMapDims] = .longs([6, 3, 1])
    profile[.profileHueSatMapData1] = .floats((0..<36).map { Float($0) })
    profile[.profileHueSatMapData2] = nil
    let table = try #require(try CameraProfile(dcp: Self.dcp(profile)).hueSatMap?.tables.first)
    #expect(table.count == 18)
    #expect(table[3] == SIMD3(6, 7, 1) && table[4] == SIMD3(6, 7, 8))
    #expect(table[5] == SIMD3(9, 10, 11))
  }

  /// As in Adobe's SDK, and as DNG requires.
  @Test func hue_tables_preserve_the_lightness_of_grays() throws {
    let map = try #require(try CameraProfile(dcp: Self.dcp()).hueSatMap)
    #expect(map.tables[0][2] == SIMD3(6, 7, 1) && map.tables[0][3] == SIMD3(9, 10, 11))
  }

  /// With two of three tables, the third light would contribute black.
  @Test(arguments: [
    [TIFFTag.profileHueSatMapData1], [.profileHueSatMapData1, .profileHueSatMapData2],
  ])
  func hue_tables_for_only_some_of_three_illuminants_are_refused(
    tables: [TIFFTag]
  ) throws {
    var profile = Self.directory()
    profile[.colorMatrix3] = .signedRationals((0..<9).map { .init(Double($0) / 6) })
    profile[.calibrationIlluminant3] = .short(23)
    profile[.profileHueSatMapData3] = .floats([Float](repeating: 1, count: 36))
    #expect(try CameraProfile(dcp: Self.dcp(profile)).hueSatMap?.tables.count == 3)
    for tag in [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3] {
      profile[tag] = tables.contains(tag) ? .floats([Float](repeating: 1, count: 36)) : nil
    }
    let error = #expect(throws: DNGError.self) { try CameraProfile(dcp: Self.dcp(profile)) }
    #expect(error?.message.contains("hue tables for \(tables.count) of them") == true)
    for tag in tables { profile[tag] = nil }
    #expect(try CameraProfile(dcp: Self.dcp(profile)).hueSatMap == nil)
  }

  /// As in Adobe's SDK, but reported.
  @Test func invalid_parts_of_a_look_are_left_out_and_reported() throws {
    let changes: [(reported: String, change: (inout TIFFDirectory) -> Void)] = [
      ("a hue table of wrong size", { $0[.profileHueSatMapData2] = .floats([1, 2, 3]) }),
      ("hue tables of impossible dimensions", { $0[.profileHueSatMapDims] = .longs([0, 2, 1]) }),
      ("hue tables of impossible dimensions", { $0[.profileHueSatMapDims] = nil }),
      ("whose inputs do not increase", { $0[.profileToneCurve] = .floats([0, 0, 1, 0.7, 1, 1]) }),
      ("finite 32-bit floats", { $0[.profileToneCurve] = .floats([0, 0, 0.5, .nan, 1, 1]) }),
      ("finite 32-bit floats", { $0[.profileToneCurve] = .doubles([0, 0, 0.5, 0.7, 1, 1]) }),
      (
        "finite 32-bit floats",
        { $0[.profileLookTableData] = .floats([Float](repeating: .infinity, count: 72)) }
      ),
    ]
    for (reported, change) in changes {
      var directory = Self.directory()
      change(&directory)
      let profile = try CameraProfile(dcp: Self.dcp(directory))
      #expect(profile.omissions.count == 1, "\(reported): \(profile.omissions)")
      #expect(
        profile.omissions.first?.contains(reported) == true, "\(reported): \(profile.omissions)")
      let parts = [
        profile.hueSatMap?.tables.count == 2, profile.lookTable != nil, profile.toneCurve != nil,
      ]
      #expect(parts.filter { !$0 }.count == 1, "\(reported)")
    }
    #expect(try CameraProfile(dcp: Self.dcp()).omissions.isEmpty)
  }

  @Test func invalid_profiles_are_refused() throws {
    let changes: [(inout TIFFDirectory) -> Void] = [
      { $0[.colorMatrix1] = .signedRationals([.init(1)]) },
      { $0[.forwardMatrix1] = .signedRationals([.init(1)]) },
      { $0[.profileGainTableMap] = .undefined([1, 2, 3]) },
    ]
    for change in changes {
      var directory = Self.directory()
      change(&directory)
      let bytes = try Self.dcp(directory)
      #expect(throws: DNGError.self) { try CameraProfile(dcp: bytes) }
    }
    #expect(throws: DNGError.self) { try CameraProfile(dcp: [1, 2, 3]) }
    let tiff = try TIFFWriter.serialize(Self.directory())
    #expect(throws: DNGError.self) { try CameraProfile(dcp: tiff) }
  }

  @Test func gain_maps_of_both_versions_are_read() throws {
    let map = GainMap(
      columns: 2, rows: 1, count: 3, weights: [0.25, 0.5, 0.25, 0, 0], gains: [1, 2, 3, 4, 5, 6])
    let first = try ProfileGainTableMap(
      map.encoded, isLittleEndian: true, isSecondVersion: false)
    #expect(first.gains == map.gains && first.weights == map.weights && first.gamma == 1)
    #expect(first.spacingH == 0.5 && first.originV == 0.5)
    let head = Array(map.encoded.prefix(64))
    let more = TIFFValue.longs([0]).encoded + TIFFValue.floats([2, 1, 4]).encoded
    let second = try ProfileGainTableMap(
      head + more + [0, 85, 170, 255, 0, 255], isLittleEndian: true, isSecondVersion: true)
    #expect(second.gains == [1, 2, 3, 4, 1, 4] && second.gamma == 2)
  }

  @Test func profiles_with_changed_bytes_are_read_or_refused() throws {
    var random = SeededGenerator(seed: 3)
    let good = try Self.dcp()
    for _ in 0..<1000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? CameraProfile(dcp: bytes)
    }
  }
}
