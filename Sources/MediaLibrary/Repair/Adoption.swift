import MediaCore

/// Turns files without an entry into assets: matches the forms of one photo, the parts of one take,
/// and companions.
struct Adoption {
  private(set) var assets: [AssetRecord] = []
  /// The names and takes of the current folder.
  private var owners = NameOwners(of: [])
  private var firstOfTake: [String: Int] = [:]

  /// Continues with another folder.
  ///
  /// - Parameter names: The names in it.
  mutating func beginFolder(of names: [String]) {
    owners = NameOwners(of: names)
    firstOfTake = [:]
  }

  /// Adds a photo, a video or an audio file of the folder.
  ///
  /// - Returns: A remark for the user; nil if there is none.
  mutating func add(_ record: AssetRecord, now: Double) -> String? {
    let stem = FileName(record.resources[0].name).stem
    if let other = owners.partner(of: stem), let both = assets[other].joined(record, now: now) {
      assets[other] = both
      owners.set(other, of: stem)
      return nil
    }
    var problem: String?
    if let take = record.facts.takeIdentifier {
      if let first = firstOfTake[take], record.mediaType == .video {
        guard let twin = assets[first].file(like: record.resources[0]) else {
          assets[first].append(segment: record)
          owners.set(first, of: stem)
          return nil
        }
        problem =
          "\(record.resources[0].path): is a copy of \(twin.path), and not another part of its take; it is "
          + "a separate asset"
      } else {
        firstOfTake[take] = assets.count
      }
    }
    owners.set(assets.count, of: stem)
    assets.append(record)
    return problem
  }

  /// The asset to which a companion of this name belongs; nil if there is none in the folder.
  func owner(ofCompanion name: String) -> Int? {
    owners.owner(ofCompanion: FileName(name).stem)
  }

  /// Adds a companion to an asset.
  mutating func add(companion: ResourceRecord, to owner: Int) {
    assets[owner].resources.append(companion)
  }
}

extension AssetRecord {
  /// Joins the two forms of one photo into an asset; nil if they are not two forms.
  fileprivate func joined(_ second: AssetRecord, now: Double) -> AssetRecord? {
    let both = [self, second]
    guard both.allSatisfy({ $0.resources.count == 1 && $0.mediaType == .image }),
      let forms = PhotoForms(both.map(\.facts))
    else { return nil }
    var (record, other) = (both[forms.photo], both[forms.alternate])
    record.location = record.location ?? other.location
    record.facts.complete(with: other.facts)
    record.created = record.facts.likelyCreationDate(now: now) ?? record.created
    other.resources[0].type = .alternatePhoto
    record.resources += other.resources
    return record
  }
}
