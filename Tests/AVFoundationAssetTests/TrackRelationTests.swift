import AVFoundationCompat
import TestSupport
import Testing

/// Relations between tracks, chapters, and the selections offered to players.
@Suite(.tags(.judges)) struct TrackRelationTests: CompositionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_video_track_is_associated_with_its_timecode() async throws {
    let asset = try makeMovie("a.mov")
    let video = try #require(asset.tracks(withMediaType: .video).first)
    let timecode = try #require(asset.tracks(withMediaType: .timecode).first)
    #expect(video.availableTrackAssociationTypes == [.timecode])
    #expect(video.associatedTracks(ofType: .timecode) == [timecode])
    #expect(video.associatedTracks(ofType: .chapterList).isEmpty)
    #expect(try await video.loadAssociatedTracks(ofType: .timecode) == [timecode])
    let (types, depend) = try await video.load(
      .availableTrackAssociationTypes, .hasAudioSampleDependencies)
    #expect(types == [.timecode] && !depend && !video.hasAudioSampleDependencies)
    #expect(timecode.availableTrackAssociationTypes.isEmpty)
    // A composition has no timecode, and a file of another container no track relations.
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 5), of: asset, at: .zero)
    #expect(composition.tracks.allSatisfy { $0.availableTrackAssociationTypes.isEmpty })
    #expect(composition.tracks.allSatisfy { $0.associatedTracks(ofType: .timecode).isEmpty })
  }

  @Test func track_times_map_to_media_times() async throws {
    let asset = try makeMovie("a.mov")
    let file = try #require(asset.tracks(withMediaType: .video).first)
    #expect(file.samplePresentationTime(forTrackTime: at(3)) == at(3))
    #expect(file.samplePresentationTime(forTrackTime: at(20)) == .invalid)
    #expect(file.segment(forTrackTime: at(500))?.timeMapping == file.segments[0].timeMapping)
    #expect(file.segment(forTrackTime: .invalid) == nil)
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(10, 4), of: asset, at: at(2))
    let track = try #require(composition.tracks(withMediaType: .video).first)
    track.scaleTimeRange(frames(2, 4), toDuration: at(8))
    #expect(track.samplePresentationTime(forTrackTime: at(1)) == .invalid)
    #expect(track.samplePresentationTime(forTrackTime: at(6)) == at(12))
    #expect(try await track.loadSamplePresentationTime(forTrackTime: at(2)) == at(10))
    #expect(track.segment(forTrackTime: at(1))?.isEmpty == true)
    // A time after the end maps to the last segment, one before the start to the first.
    #expect(track.segment(forTrackTime: at(99))?.timeMapping.target == frames(2, 8))
    #expect(track.segment(forTrackTime: at(-9))?.isEmpty == true)
    let loaded = try await (track as AVAssetTrack).loadSegment(forTrackTime: at(3))
    #expect(loaded?.timeMapping.source == frames(10, 4))
  }

  @Test func chapters_are_loaded_as_metadata_groups() async throws {
    let text = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=400
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=400
      END=800
      title=Two

      """
    let facts = try folder.write(text, "facts.txt")
    let plain = try makeMovie("a.mov")
    let path = folder.path("b.mov")
    _ = try Judges.ffmpeg(
      ["-i", plain.url.path, "-i", facts.path, "-map_metadata", "1", "-c", "copy", path])
    let asset = AVURLAsset(url: folder.url("b.mov"))
    let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
    #expect(groups.map(\.timeRange) == [frames(0, 10), frames(10, 10)])
    let titles = groups.map { $0.items.map(\.stringValue) }
    #expect(titles == [["One"], ["Two"]])
    let item = try #require(groups.first?.items.first)
    #expect(item.commonKey == .commonKeyTitle && item.time == .zero)
    #expect(item.identifier == .commonIdentifierTitle)
    let locale = try #require(try await asset.load(.availableChapterLocales).first)
    #expect(asset.availableChapterLocales == [locale])
    let wanted = try await asset.loadChapterMetadataGroups(
      withTitleLocale: locale, containingItemsWithCommonKeys: [.commonKeyArtist])
    #expect(wanted.map(\.items.count) == [0, 0])
    #expect(asset.chapterMetadataGroups(withTitleLocale: locale).count == 2)
    #expect(asset.chapterMetadataGroups(bestMatchingPreferredLanguages: []).count == 2)
    #expect(plain.availableChapterLocales.isEmpty)
    #expect(plain.chapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]).isEmpty)
    let absent = AVURLAsset(url: folder.url("absent.mov"))
    await #expect(throws: AVError.self) {
      try await absent.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
    }
  }

  @Test func a_metadata_value_is_loaded_as_its_type() async throws {
    let item = AVMutableMetadataItem()
    item.identifier = .commonIdentifierTitle
    item.value = "Take 4"
    #expect(try await item.load(.value) as? String == "Take 4")
    #expect(try await item.load(.stringValue) == "Take 4")
    item.value = Data([1, 2])
    #expect(try await item.load(.value) as? Data == Data([1, 2]))
    #expect(try await item.load(.dataValue) == Data([1, 2]))
    item.value = 25
    let (value, number) = try await (item as AVMetadataItem).load(.value, .numberValue)
    #expect((value as? NSNumber)?.intValue == 25 && number == 25)
    #expect(try await AVMutableMetadataItem().load(.value) == nil)
  }

  @Test func an_asset_has_no_media_selection_groups() async throws {
    let asset = try makeMovie("a.mov")
    #expect(
      try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions).isEmpty
        && asset.availableMediaCharacteristicsWithMediaSelectionOptions.isEmpty)
    let group: AVMediaSelectionGroup? = try await asset.loadMediaSelectionGroup(for: .audible)
    #expect(group == nil && asset.mediaSelectionGroup(forMediaCharacteristic: .audible) == nil)
    let choices: [AVMediaSelection] = asset.allMediaSelections
    #expect(choices.count == 1 && choices.first?.asset === asset)
    #expect(asset.preferredMediaSelection.asset === asset)
    // Code with which a player handles selection groups compiles.
    func choose(_ group: AVMediaSelectionGroup, of choice: AVMediaSelection) -> String? {
      let options = AVMediaSelectionGroup.mediaSelectionOptions(
        from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["en"])
      let option: AVMediaSelectionOption? =
        choice.selectedMediaOption(in: group) ?? options.first ?? group.defaultOption
      guard let option, option.isPlayable, option.mediaType == .audio else { return nil }
      guard !option.hasMediaCharacteristic(.visual), option.commonMetadata.isEmpty else {
        return group.allowsEmptySelection ? option.extendedLanguageTag : nil
      }
      return option.displayName
    }
    #expect(group.flatMap { choose($0, of: choices[0]) } == nil)
    let absent = AVURLAsset(url: folder.url("absent.mov"))
    await #expect(throws: AVError.self) {
      try await absent.loadMediaSelectionGroup(for: .audible)
    }
  }

  @Test func an_asset_reports_whether_it_has_fragments() async throws {
    let whole = try makeMovie("a.mov")
    _ = try Judges.ffmpeg(
      ["-i", whole.url.path, "-c", "copy", "-map", "0:v", "-map", "0:a", "-movflags"]
        + ["frag_keyframe+empty_moov", folder.path("b.mov")])
    let parted = AVURLAsset(url: folder.url("b.mov"))
    #expect(whole.canContainFragments && !whole.containsFragments)
    #expect(parted.canContainFragments && parted.containsFragments)
    let (can, has, hint) = try await parted.load(
      .canContainFragments, .containsFragments, .overallDurationHint)
    #expect(can && has && !hint.isValid && !whole.overallDurationHint.isValid)
    #expect(!whole.isCompatibleWithAirPlayVideo && whole.lyrics == nil)
    #expect(whole.preferredVolume == 1)
    #expect(try await whole.load(.preferredVolume) == 1)
    #expect(try await whole.load(.providesPreciseDurationAndTiming))
    #expect(!AVURLAsset(url: folder.url("absent.mov")).canContainFragments)
  }

  @Test func track_properties_are_loaded() async throws {
    let track = try #require(
      try await makeMovie("a.mov").loadTracks(withMediaType: .video).first)
    let (plays, decodes, own, cursors) = try await track.load(
      .isPlayable, .isDecodable, .isSelfContained, .canProvideSampleCursors)
    #expect(plays && decodes && own && cursors)
    let (reorders, volume, tag, facts) = try await track.load(
      .requiresFrameReordering, .preferredVolume, .extendedLanguageTag, .commonMetadata)
    #expect(!reorders && volume == 1 && tag == track.extendedLanguageTag)
    #expect(facts.count == track.commonMetadata.count)
    let all = try await track.loadMetadata(for: .quickTimeMetadata)
    #expect(all.count == track.metadata.count)
    #expect(try await track.loadMetadata(for: AVMetadataFormat(rawValue: "org.id3")).isEmpty)
  }

  @Test func a_reader_output_describes_its_track() throws {
    let asset = try makeMovie("a.mov")
    let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: [:])
    #expect(output.description == "AVAssetReaderTrackOutput of track 1 (vide)")
    let mix = AVAssetReaderAudioMixOutput(
      audioTracks: asset.tracks(withMediaType: .audio), audioSettings: nil)
    #expect("\(mix)" == "AVAssetReaderAudioMixOutput of track 2 (soun)")
  }
}
