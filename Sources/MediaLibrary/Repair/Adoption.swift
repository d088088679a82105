import MediaCore

/// Files without an entry on their way to assets: forms of one photo, parts of one take and companions
/// find each other.
struct Adoption {
  private(set) var assets: [AssetRecord] = []
  /// Names and takes of the folder that is read; other folders have theirs.
  private var owners = NameOwners(of: [])
  private var firstOfTake: [String: Int] = [:]

  /// Goes on with another folder.
  ///
  /// - Parameter names: What is in it.
  mutating func beginFolder(of names: [String]) {
    owners = NameOwners(of: names)
    firstOfTake = [:]
  }

  /// Takes in a photo, a video or an audio file of the folder.
  ///
  /// - Returns: What people are to know of it; nil if nothing.
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
          "\(record.resources[0].path): is a copy of \(twin.path), and no further part of its take; it is "
          + "an asset of its own"
      } else {
        firstOfTake[take] = assets.count
      }
    }
    owners.set(assets.count, of: stem)
    assets.append(record)
    return problem
  }

  /// The asset that a companion of this name belongs to; nil if there is none in the folder.
  func owner(ofCompanion name: String) -> Int? {
    owners.owner(ofCompanion: FileName(name).stem)
  }

  /// Gives an asset a companion.
  mutating func add(companion: ResourceRecord, to owner: Int) {
    assets[owner].resources.append(companion)
  }
}

extension AssetRecord {
  /// One asset of two photos that are one in two forms; nil if they are not.
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
